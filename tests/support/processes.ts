// Owns what tests see of other processes: from /proc on Linux, whose small images lack `ps`, and from `ps` elsewhere.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { factsOf } from "../../supabase/local/process-facts.ts";

interface Running {
  pid: number;
  parent: number;
  state: string;
  /** Program and arguments. */
  command: string[];
}

/** Every process of this machine that can be seen. */
function runningProcesses(): Running[] {
  return existsSync("/proc/self") ? byProc() : byPs();
}

function byProc(): Running[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").filter(Boolean);
        return { pid: Number(name), parent: Number(parent), state, command };
      } catch {
        // It ended while we read.
        return [];
      }
    });
}

function byPs(): Running[] {
  const { stdout } = spawnSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,command="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, state = "", ...command] = line.trim().split(/\s+/);
    return pid ? { pid: Number(pid), parent: Number(parent), state, command } : [];
  });
}

/** The ids of a process's living children by the end of their command line, such as "gateway.js". */
export function childrenOf(pid: number): Map<string, number> {
  const children = runningProcesses().filter(({ parent, state }) => parent === pid && !state.startsWith("Z"));
  return new Map(
    children.map((child) => [child.command.at(-1)?.split("/").slice(-2).join("/") ?? "", child.pid]),
  );
}

export function isAlive(pid: number): boolean {
  return !["", "Z"].includes(factsOf(pid).state);
}
