// Owns the gallery's server for a test: started once per worker, at a URL of its own, stopped with it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

/** @returns the gallery's origin, and its stop function */
export async function startGallery(folder = "."): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["--import", "tsx", "web/gallery/main.ts", "--built"], {
    cwd: folder,
    env: { ...process.env, GALLERY_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const origin = await readyAddress(child);
  return {
    origin,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill();
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Checks out a commit into a folder, with this checkout's packages. */
export function folderOf(commit: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "parley-gallery-"));
  const archive = join(path, "commit.tar");
  execFileSync("git", ["archive", "--output", archive, commit]);
  execFileSync("tar", ["-xf", archive, "-C", path]);
  symlinkSync(resolve("node_modules"), join(path, "node_modules"), "dir");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

async function readyAddress(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  child.stderr?.on("data", (chunk) => said.push(String(chunk)));
  if (!child.stdout) throw new Error("The gallery's server has no output");
  for await (const line of createInterface(child.stdout)) {
    const [, origin] = /^ready (http:\/\/[^/]+)/.exec(line) ?? [];
    if (origin) return origin;
    said.push(line);
  }
  throw new Error(`The gallery did not start:\n${said.join("\n")}`);
}
