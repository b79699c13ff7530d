// Locking a data folder: one living process at a time; a dead one is no obstacle. And explaining a failed start by its last output.
import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { diskFull, Fatal } from "../../supabase/local/fatal.ts";
import { claimFolder, createFolder, explainFailedStart } from "../../supabase/local/postgres/data-folder.ts";
import { factsOf } from "../../supabase/local/process-facts.ts";

let parent: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "parley-folder-"));
  path = join(parent, "postgres");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(parent, { recursive: true, force: true });
});

/** The pid of a process started by a shell that is still running. */
async function startFrom(script: string): Promise<number> {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  const pid = await new Promise<number>((resolve) =>
    child.stdout?.once("data", (text) => resolve(Number(text))),
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  return pid;
}

const leaveLock = (holder: unknown) => writeFileSync(`${path}.lock`, JSON.stringify(holder));
const messageOf = (error: unknown) => (error instanceof Fatal ? error.message : error);

describe("claimFolder", () => {
  it("admits one, then the next, and leaves nothing", async () => {
    const folder = await claimFolder(path);
    expect(await claimFolder(path, 0).catch(messageOf)).toContain("in use");
    folder.release();
    (await claimFolder(path)).release();
    expect(readdirSync(parent)).toEqual([]);
  });

  it("admits one of many concurrent callers, also with a stale lock", async () => {
    leaveLock({ pid: 999_999_999, started: "1" });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => claimFolder(path, 500).catch(messageOf)),
    );
    expect(answers.filter((answer) => String(answer).includes("in use"))).toHaveLength(7);
  });

  it("refuses while the holder lives", async () => {
    const pid = await startFrom("echo $$; exec sleep 100");
    leaveLock({ pid, started: factsOf(pid).started });
    expect(await claimFolder(path, 0).catch(messageOf)).toContain(
      `in use by another running copy (process ${pid})`,
    );
  });

  it("ignores a dead holder that is a zombie", async () => {
    const pid = await startFrom("sleep 0.1 & echo $!; exec sleep 100");
    leaveLock({ pid, started: factsOf(pid).started });
    (await claimFolder(path)).release();
  });

  it("ignores a holder whose pid was reused, and an unreadable lock", async () => {
    leaveLock({ pid: process.ppid, started: "1" });
    (await claimFolder(path)).release();
    writeFileSync(`${path}.lock`, "");
    (await claimFolder(path)).release();
  });

  it("refuses while a holder lives whose start its release could not tell", async () => {
    const pid = await startFrom("echo $$; exec sleep 100");
    leaveLock({ pid, started: "" });
    expect(await claimFolder(path, 0).catch(messageOf)).toContain("in use by another running copy");
  });

  it("refuses root in another user's folder, whose files would become root's", async () => {
    mkdirSync(join(path, "global"), { recursive: true });
    writeFileSync(join(path, "PG_VERSION"), "18\n");
    writeFileSync(join(path, "global", "pg_control"), "");
    const isRoot = process.getuid?.() === 0;
    (await claimFolder(path)).release();
    if (isRoot) chownSync(join(path, "PG_VERSION"), 65_534, 65_534);
    const user = vi.spyOn(process, "getuid").mockReturnValue(0);
    expect(await claimFolder(path).catch(messageOf)).toContain("belongs to another user than root");
    user.mockRestore();
    expect(readdirSync(parent)).toEqual(["postgres"]);
  });

  it("waits for a holder that is exiting", async () => {
    const pid = await startFrom("echo $$; exec sleep 100");
    leaveLock({ pid, started: factsOf(pid).started });
    const claimed = claimFolder(path);
    // A last checkpoint takes seconds: the clock says that five have passed.
    const real = Date.now.bind(Date);
    const clock = vi.spyOn(Date, "now").mockImplementation(() => real() + 5_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    clock.mockRestore();
    children[0]?.kill("SIGKILL");
    (await claimed).release();
  });
});

describe("createFolder", () => {
  it("leaves a complete folder or none", async () => {
    mkdirSync(`${path}.new`);
    writeFileSync(join(`${path}.new`, "left by a crash"), "");
    const full = createFolder(path, false, async (unfinished) => {
      expect(readdirSync(unfinished)).toEqual([]);
      writeFileSync(join(unfinished, "half"), "");
      throw new Fatal(diskFull(unfinished));
    });
    await expect(full).rejects.toThrow(new Fatal(diskFull(path)));
    expect(readdirSync(parent)).toEqual([]);
    const failed = createFolder(path, false, async () => {
      throw new Fatal("The folder is damaged.");
    });
    await expect(failed).rejects.not.toBeInstanceOf(Fatal);
    await createFolder(path, false, async (unfinished) => writeFileSync(join(unfinished, "whole"), ""));
    expect(readdirSync(path)).toEqual(["whole"]);
  });
});

describe("explainFailedStart", () => {
  const words: [string, string][] = [
    ["PANIC:  could not write to file: No space left on device\nExitStatus", "is full"],
    [
      "LOG: x\nPANIC:  could not locate a valid checkpoint record\nError",
      "is damaged (could not locate a valid checkpoint record)",
    ],
    ["LOG: x\nError: EIO: i/o error, fdatasync\n    at fdatasyncSync", "cannot be read or written (EIO)"],
    ["PANIC:  could not fsync file: I/O error", "cannot be read or written (EIO)"],
    ["Error: something else", "is damaged (Error: something else)"],
  ];
  it.each(words)("%s", (output, text) => {
    const exit = explainFailedStart(parent, output);
    expect(exit.message).toContain(text);
    expect(exit.message).not.toContain("\n");
  });
});
