// Owns an edge function as the Deno process of production, for tests that kill it.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reservePort } from "./runner/port-offset.mjs";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));

export const denoArgs = [
  "run",
  "--no-prompt",
  "--no-check",
  "--no-lock",
  "--no-remote",
  `--config=${join(projectDir, "deno.json")}`,
  "--node-modules-dir=manual",
  // Ends with the test run, even when that is killed.
  `--preload=${join(projectDir, "supabase/local/watch-parent.deno.mjs")}`,
  `--allow-read=${projectDir}`,
  "--allow-net",
  "--allow-env",
  // Documents are parsed by a separate process with fewer permissions.
  `--allow-run=${realpathSync(denoPath())}`,
];

export interface DenoFunction {
  process: ChildProcess;
  url: string;
  /** Kills the process and waits for its exit. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** Starts a function; resolves when it responds. @param flags extra flags for deno */
export async function spawnDenoFunction(
  name: string,
  env: Record<string, string>,
  flags: string[] = [],
): Promise<DenoFunction> {
  const port = await reservePort();
  const entry = join(projectDir, "edge-functions", name, "index.ts");
  const child = spawn(denoPath(), [...denoArgs, ...flags, entry], {
    env: { ...env, PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/health`, child);
  return {
    process: child,
    url,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await gone;
    },
  };
}

export function denoPath(): string {
  const scope = join(projectDir, "node_modules/@deno");
  const [platform] = readdirSync(scope);
  return join(scope, platform ?? "", "deno");
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the function ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
