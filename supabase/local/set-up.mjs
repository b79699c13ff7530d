// Owns what must exist before the first process: disk space, packages, builds; then starts the supervisor. Plain
// JavaScript on Node alone, since it runs in a fresh clone. Every failure is one sentence.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isBlocked, isFree, sayBlocked, sayTaken } from "./free-port.mjs";
import { Progress } from "./progress.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const LEAST_FREE_BYTES = 200 * 1024 * 1024;
const INSTALL_BYTES = 1024 * 1024 * 1024;
/** Packages, build, and the supervisor's steps for a full stack. */
const STEPS = 11;

class Unready extends Error {}

/** Prepares everything and runs the stack until it ends. */
export async function setUp(env) {
  const progress = new Progress(STEPS);
  if (env.npm_lifecycle_event) endWithNpm();
  try {
    const unlock = await lockSetUp();
    try {
      const check = () => needWebPort(env);
      await progress.step("Packages", () => install(progress, check));
      await progress.step("Build", () => buildAll(progress, env, check));
    } finally {
      unlock();
    }
    const { outdir } = await import("./bundle.mjs");
    const { supervise } = await import(pathToFileURL(join(outdir, "supervisor.js")).href);
    await supervise(env, progress);
  } catch (error) {
    progress.fail(sentenceOf(error));
    process.exit(1);
  }
}

/** npm runs this in a shell that SIGTERM ends without being passed on, so the end of the shell counts as the signal. */
function endWithNpm() {
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && process.kill(process.pid, "SIGTERM"), 250).unref();
}

function sentenceOf(error) {
  if (error instanceof Unready) return error.message;
  if (error?.code === "ENOSPC")
    return `The disk that holds ${root} is full: free at least 1 GB and start again.`;
  if (error?.code === "EACCES" || error?.code === "EROFS") {
    return `${error.path ?? root} cannot be written: give this user the right to write it, or move the project.`;
  }
  return `Parley could not start: ${error?.stack ?? error}`;
}

/** Of two starts from one checkout, one installs and builds while the other waits. */
async function lockSetUp() {
  const path = join(root, ".parley", "set-up.lock");
  fs.mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      fs.writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => fs.rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!isAlive(Number(readText(path)))) fs.rmSync(path, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs npm ci when there are no packages, or when the lock file has changed since they were installed. `check` runs before that. */
export async function install(progress, check = async () => {}) {
  const lock = fingerprint([join(root, "package-lock.json")]);
  const stamp = join(root, "node_modules/.parley-lock");
  needRoom(LEAST_FREE_BYTES);
  if (readText(stamp) === lock) return;
  if (isInstalled()) {
    fs.writeFileSync(stamp, lock);
    return;
  }
  needRoom(INSTALL_BYTES);
  await check();
  progress.begin("Packages", "installing, which takes a minute or two the first time");
  const options = ["--no-audit", "--no-fund", "--no-update-notifier"];
  const outcome = await run(npm(), ["ci", ...options]);
  if (outcome.code !== 0) throw failureOf("The packages could not be installed", outcome);
  fs.writeFileSync(stamp, lock);
}

/** After a manual npm install, npm's own record shows whether the packages are up to date. */
function isInstalled() {
  const hidden = readJson(join(root, "node_modules/.package-lock.json"))?.packages;
  const wanted = readJson(join(root, "package-lock.json"))?.packages;
  if (!hidden || !wanted) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional, peer }]) =>
      path === "" || optional || devOptional || peer || hidden[path]?.version === version,
  );
}

/** Builds what `npm start` would with the settings `env`, without a stack, for tests that run parts of it. */
export async function build(env = {}) {
  const unlock = await lockSetUp();
  try {
    await buildAll({ begin: () => {} }, env);
  } finally {
    unlock();
  }
}

/** What the pages, and the local processes, are built from, beside packages. */
export const PAGE_SOURCES = [
  "web",
  "locales",
  "vite.config.ts",
  "edge-functions/_shared",
  "edge-functions/v1/agents/launcher-icons.ts",
];
export const PROCESS_SOURCES = ["supabase/local", "edge-functions", "locales"];

/** Builds what has changed since the last time: the pages, which takes seconds, and the local processes, which does not. */
async function buildAll(progress, env, check = async () => {}) {
  await buildIfChanged(join(root, "dist/.sources"), PAGE_SOURCES, "", async () => {
    if (env.PARLEY_ONLY && !env.PARLEY_ONLY.split(",").includes("web")) return false;
    await check();
    progress.begin("Build", "building the pages");
    const outcome = await run(npm(), ["run", "build"]);
    if (outcome.code !== 0) throw failureOf("The pages could not be built", outcome);
    return true;
  });
  const { bundle, outdir } = await import("./bundle.mjs");
  // They contain the project's path: in a copied or moved project they would use the data of the other folder.
  const place = `${root}\n`;
  await buildIfChanged(join(outdir, ".sources"), PROCESS_SOURCES, place, async () => {
    const former = formerDataDir(outdir, env);
    if (former)
      progress.begin(
        "Build",
        `this project was built in another folder, whose data, ${former}, is not used here`,
      );
    await bundle();
    return true;
  });
}

/** The data of the folder that the processes in `outdir` were built for, if that is another one and has any. */
export function formerDataDir(outdir, { PARLEY_DATA_DIR = ".parley" }) {
  if (isAbsolute(PARLEY_DATA_DIR)) return undefined;
  const [, settings] =
    /"(file:[^"]+\/)supabase\/local\/settings\.ts"/.exec(readText(join(outdir, "supervisor.js")) ?? "") ?? [];
  const former = settings && join(fileURLToPath(settings), PARLEY_DATA_DIR);
  const isOther =
    former && former !== join(root, PARLEY_DATA_DIR) && fs.existsSync(join(former, "secrets.json"));
  return isOther ? former : undefined;
}

async function buildIfChanged(stamp, sources, place, build) {
  const print = place + fingerprint([...sources, "package-lock.json"].map((path) => join(root, path)));
  if (readText(stamp) !== print && (await build())) fs.writeFileSync(stamp, print);
}

function needRoom(bytes) {
  const { bavail, bsize } = fs.statfsSync(root);
  if (bavail * bsize >= bytes) return;
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  throw new Unready(`The disk that holds ${root} is full: free at least ${megabytes} MB and start again.`);
}

/** The port that other programs use most. The supervisor checks all of them, but a first start would get there after a minute. */
export async function needWebPort({ PARLEY_ONLY, PARLEY_PORT_OFFSET = "0" }) {
  const port = 3000 + Number(PARLEY_PORT_OFFSET);
  if (PARLEY_ONLY || !(port > 0 && port < 65_536)) return;
  if (isBlocked(port)) throw new Unready(sayBlocked(port));
  if (!(await isFree(port))) throw new Unready(sayTaken(port));
}

/** Changes when the content of any file does; a folder includes everything in it. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    const info = fs.statSync(path, { throwIfNoEntry: false });
    if (!info) return;
    if (info.isDirectory()) {
      for (const name of fs.readdirSync(path).sort()) add(join(path, name));
    } else {
      hash.update(path.slice(root.length)).update("\0").update(fs.readFileSync(path)).update("\0");
    }
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}

/** Runs a program to completion without output. */
async function run(command, args) {
  // On Windows npm is a script, which only a shell can run.
  const shell = process.platform === "win32";
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], shell });
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-100_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const end = () => {
    child.kill("SIGTERM");
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      keep(error.message);
      resolve(1);
    });
    child.once("close", resolve);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, end);
  return { code, output };
}

function failureOf(complaint, { output }) {
  if (/ENOSPC/.test(output)) return Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const log = join(root, ".parley", "set-up.log");
  fs.writeFileSync(log, output);
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(output);
  const advice = offline
    ? "the network or the package registry cannot be reached; try again when it can"
    : "its output says why";
  return new Unready(`${complaint}: ${advice} (${log}).`);
}

function npm() {
  return process.platform === "win32" ? "npm.cmd" : "npm";
}

function readText(path) {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function readJson(path) {
  try {
    return JSON.parse(fs.readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
