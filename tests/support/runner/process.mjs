// Owns the child processes of a test run: each in its own process group, with a time limit, ended with the run. Does not know what a child
// does.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

const TAIL_CHARACTERS = 6000;
/** Nice values of what gives way to the tests on the stack: with half and with a fifth of their share of the CPU time. */
export const NICE = { faults: 3, alone: 7 };
const groups = new Set();

/**
 * Lowers the priority of a child and of what it starts, below that of the run: only root may raise one again. Linux shares the CPU time among sessions first, where it has autogroups: between
 * sessions, such as two children, only the nice value of the autogroup counts.
 */
function giveWay(pid, nice) {
  setPriority(pid, Math.min(getPriority() + nice, constants.priority.PRIORITY_LOW));
  const lowerSession = () => {
    try {
      writeFileSync(`/proc/${pid}/autogroup`, String(nice));
    } catch (error) {
      // Linux accepts ten of them a second from everybody but root.
      if (error.code === "EAGAIN") setTimeout(lowerSession, 200).unref();
    }
  };
  lowerSession();
}

/** Signals a child and everything that it started; true when a process received it. */
export function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a command in a process group of its own. The end of its output is stored in `child.tail`; all of it is printed, unless `quiet`, or
 * collected in the array `held`. `nice` is that of the command and of what it starts.
 */
export function start(command, args, { env = {}, quiet = false, held, nice = 0 } = {}) {
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1", FORCE_COLOR: "0" }), ...env },
  });
  groups.add(child);
  if (nice > 0 && child.pid) giveWay(child.pid, nice);
  child.tail = "";
  const take = (chunk) => {
    child.tail = (child.tail + chunk).slice(-TAIL_CHARACTERS);
    if (held) held.push(chunk);
    else if (!quiet) process.stdout.write(chunk);
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  child.ended = new Promise((resolve) => {
    child.on("error", (error) => {
      groups.delete(child);
      child.tail += String(error);
      resolve(127);
    });
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  return child;
}

/**
 * Runs a command until it exits.
 * @returns {Promise<{ ok: boolean, timedOut: boolean, code: number | string, tail: string }>}
 */
export async function run(command, args, { timeoutMs, ...options }) {
  const child = start(command, args, options);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    signalGroup(child, "SIGTERM");
    setTimeout(() => signalGroup(child, "SIGKILL"), 5000).unref();
  }, timeoutMs);
  const code = await child.ended;
  clearTimeout(timer);
  // Processes left behind by a finished command would disturb the next one.
  signalGroup(child, "SIGKILL");
  groups.delete(child);
  return { ok: code === 0 && !timedOut, timedOut, code, tail: child.tail };
}

/** Ends a child with SIGTERM and, after `graceMs`, its whole group with SIGKILL. */
export async function stop(child, graceMs) {
  child.kill("SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
  await child.ended;
  clearTimeout(timer);
  // npm exits first; the processes it started follow a moment later.
  const deadline = Date.now() + graceMs;
  while (signalGroup(child, 0) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 100));
  const leftBehind = signalGroup(child, "SIGKILL");
  groups.delete(child);
  return { leftBehind };
}

export function killEverything() {
  for (const child of groups) signalGroup(child, "SIGKILL");
  groups.clear();
}
