// Owns a stack that a test starts as a person does, watches and breaks.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { basePorts, type PortName } from "../../supabase/local/settings.ts";
import { reserveOffset } from "./runner/port-offset.mjs";

export { isFree } from "../../supabase/local/free-port.mjs";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));

export interface Place {
  dataDir: string;
  offset: number;
  port(name: PortName): number;
  remove(): void;
}

/** A data folder of its own, and an offset at which every port is free and stays so. */
export async function makePlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-stack-"));
  const offset = await reserveOffset(Object.values(basePorts));
  return {
    dataDir,
    offset,
    port: (name) => basePorts[name] + offset,
    remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export interface RunningStack {
  process: ChildProcess;
  pid: number;
  /** All output so far, both streams. */
  output(): string;
  /** The output on stderr. */
  errors(): string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

interface StartOptions {
  only: string;
  env?: Record<string, string>;
  /** JavaScript that Node runs first, to fake a property of the machine. */
  pretend?: string;
  /** Through `npm start`, as people do; otherwise without npm in between. */
  npm?: boolean;
}

/** Starts without waiting. */
export function launch(place: Place, { only, env = {}, pretend, npm }: StartOptions): RunningStack {
  const before = pretend ? ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`] : [];
  const { DATABASE_URL: _none, ...inherited } = process.env;
  const { npm_lifecycle_event: _ours, ...clean } = inherited;
  const [command, args]: [string, string[]] = npm
    ? ["npm", ["start"]]
    : [process.execPath, [...before, join(projectDir, "supabase/local/start.mjs")]];
  const child = spawn(command, args, {
    cwd: projectDir,
    env: {
      ...clean,
      NODE_ENV: "",
      PARLEY_DATA_DIR: place.dataDir,
      PARLEY_PORT_OFFSET: String(place.offset),
      PARLEY_ONLY: only,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk;
    errors += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { process: child, pid: child.pid ?? 0, output: () => output, errors: () => errors, ended };
}

/** Launches and waits for the line `ready …`. @throws Error with the output when the process ends instead. */
export async function start(place: Place, options: StartOptions): Promise<RunningStack> {
  const stack = launch(place, options);
  const ready = new Promise<void>((resolve) => {
    stack.process.stdout?.on("data", () => /^ready http/m.test(stack.output()) && resolve());
  });
  const code = await Promise.race([ready, stack.ended]);
  if (code === undefined) return stack;
  throw new Error(`The stack ended with ${code}:\n${stack.output()}`);
}

export async function stop(stack: RunningStack): Promise<number | null> {
  if (stack.process.exitCode === null && stack.process.signalCode === null) stack.process.kill("SIGTERM");
  return stack.ended;
}
