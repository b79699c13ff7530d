// Owns the runtime of a stand-in project's functions: each is a Deno process with only the uploaded files, the project's secrets, and what
// edge-runtime.deno.mjs leaves of Deno.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { denoPath } from "../support/deno-function.ts";
import { reservePort } from "../support/runner/port-offset.mjs";
import type { ProjectSettings } from "./management-api.ts";
import { untilListens } from "./ports.ts";

const runtime = fileURLToPath(new URL("edge-runtime.deno.mjs", import.meta.url));
/** Downloads and compiled code are reused by the next run. */
const cache = fileURLToPath(new URL("../../node_modules/.cache/parley/hosted-deno", import.meta.url));

export interface Functions {
  port(name: string): number | undefined;
  /** The function's output about exits and exceeded limits. */
  output(): string;
  stop(): Promise<void>;
}

/** Unpacks and starts a project's deployed functions. @param given environment variables that the platform sets */
export async function startFunctions(
  { functions, secrets }: ProjectSettings,
  folder: string,
  given: () => Record<string, string>,
): Promise<Functions> {
  const running = new Map<string, { child: ChildProcess; port: number }>();
  let output = "";
  await Promise.all(
    [...functions].map(async ([name, { metadata, files }]) => {
      const root = join(folder, name);
      for (const { path, bytes } of files) {
        const target = normalize(join(root, path));
        if (!target.startsWith(`${root}/`))
          throw new Error(`${name} was uploaded with a file outside: ${path}`);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, bytes);
      }
      const port = await reservePort();
      const entry = join(root, String(metadata.entrypoint_path));
      await bundle(root, metadata, entry);
      const child = spawn(denoPath(), [...denoArgs(root, metadata), entry], {
        cwd: root,
        env: { ...Object.fromEntries(secrets), ...given(), DENO_DIR: cache, HOSTED_PORT: String(port) },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (chunk: string) => {
          output += chunk;
        });
      running.set(name, { child, port });
      await untilListens(port, child).catch((error) => {
        throw new Error(`The function ${name} did not start: ${error.message}\n${output}`);
      });
    }),
  );
  return {
    port: (name) => running.get(name)?.port,
    output: () => output,
    stop: async () => {
      const all = [...running.values()].filter(
        ({ child }) => child.exitCode === null && child.signalCode === null,
      );
      await Promise.all(
        all.map(({ child }) => {
          const ended = new Promise((resolve) => child.once("exit", resolve));
          child.kill("SIGKILL");
          return ended;
        }),
      );
    },
  };
}

/** Packages that packages ask for have any version that fits, which differs from one resolution to the next: the lock keeps it. */
const resolving = (root: string, { import_map_path }: Record<string, unknown>) => [
  ...["--no-config", "--node-modules-dir=none", "--quiet"],
  `--lock=${lockOf(root)}`,
  `--import-map=${join(root, String(import_map_path))}`,
];

const lockOf = (root: string) => join(root, "deno.lock");

/** The platform bundles the uploaded files with their npm packages. */
async function bundle(root: string, metadata: Record<string, unknown>, entry: string): Promise<void> {
  rmSync(lockOf(root), { force: true });
  const env = { ...process.env, DENO_DIR: cache };
  await promisify(execFile)(denoPath(), ["cache", ...resolving(root, metadata), entry], { cwd: root, env });
}

function denoArgs(root: string, metadata: Record<string, unknown>): string[] {
  return [
    ...["run", "--no-prompt", "--no-check", "--cached-only", "--frozen", ...resolving(root, metadata)],
    `--preload=${runtime}`,
    // A function has 256 MB, buffers included; the heap gets 200 of them.
    "--v8-flags=--max-old-space-size=200",
    ...["--allow-net", "--allow-env", `--allow-read=${root}`],
  ];
}
