// Locking a data folder: one living process at a time; a dead one is no obstacle. And explaining a failed start by its last output.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataFolder, explainFailedStart } from "../../supabase/local/postgres/data-folder.ts";
import { PostgresExit } from "../../supabase/local/postgres/exit-codes.ts";

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

/** A process's start time, from the kernel. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

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
const reason = (error: unknown) => (error instanceof PostgresExit ? error.reason : error);

describe("DataFolder.claim", () => {
  it("admits one, then the next, and leaves nothing", async () => {
    const folder = await DataFolder.claim(path);
    expect(await DataFolder.claim(path).catch(reason)).toBe("folderInUse");
    folder.release();
    (await DataFolder.claim(path)).release();
    expect(readdirSync(parent)).toEqual([]);
  });

  it("admits one of many concurrent callers, also with a stale lock", async () => {
    leaveLock({ pid: 999_999_999, started: "1" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => DataFolder.claim(path).catch(reason)));
    expect(answers.filter((answer) => answer === "folderInUse")).toHaveLength(7);
  });

  it("refuses while the holder lives", async () => {
    const pid = await startFrom("echo $$; exec sleep 100");
    leaveLock({ pid, started: startOf(pid) });
    const error = await DataFolder.claim(path).catch((thrown: PostgresExit) => thrown);
    expect(error).toMatchObject({
      reason: "folderInUse",
      message: expect.stringContaining(`process ${pid}`),
    });
  });

  it("ignores a dead holder that is a zombie", async () => {
    const pid = await startFrom("sleep 0.1 & echo $!; exec sleep 100");
    leaveLock({ pid, started: startOf(pid) });
    (await DataFolder.claim(path)).release();
  });

  it("ignores a holder whose pid was reused, and an unreadable lock", async () => {
    leaveLock({ pid: process.ppid, started: "1" });
    (await DataFolder.claim(path)).release();
    writeFileSync(`${path}.lock`, "");
    (await DataFolder.claim(path)).release();
  });

  it("waits for a holder that is exiting", async () => {
    const pid = await startFrom("echo $$; exec sleep 100");
    leaveLock({ pid, started: startOf(pid) });
    setTimeout(() => children[0]?.kill("SIGKILL"), 300);
    (await DataFolder.claim(path)).release();
  });
});

describe("DataFolder.make", () => {
  it("leaves a complete folder or none", async () => {
    const folder = await DataFolder.claim(path);
    mkdirSync(`${path}.new`);
    writeFileSync(join(`${path}.new`, "left by a crash"), "");
    const full = folder.make(async (unfinished) => {
      expect(readdirSync(unfinished)).toEqual([]);
      writeFileSync(join(unfinished, "half"), "");
      throw new PostgresExit("diskFull", { folder: unfinished });
    });
    await expect(full).rejects.toMatchObject({
      reason: "diskFull",
      message: expect.not.stringContaining(".new"),
    });
    expect(readdirSync(parent)).toEqual(["postgres.lock"]);
    await folder.make(async (unfinished) => writeFileSync(join(unfinished, "whole"), ""));
    expect(readdirSync(path)).toEqual(["whole"]);
  });
});

describe("explainFailedStart", () => {
  const words: [string, string, string][] = [
    ["PANIC:  could not write to file: No space left on device\nExitStatus", "diskFull", "free"],
    [
      "LOG: x\nPANIC:  could not locate a valid checkpoint record\nError",
      "folderDamaged",
      "checkpoint record",
    ],
    ["Error: something else", "folderDamaged", "something else"],
  ];
  it.each(words)("%s", (output, expected, text) => {
    const exit = explainFailedStart(parent, output);
    expect(exit.reason).toBe(expected);
    expect(exit.message).toContain(text);
    expect(exit.message).not.toContain("\n");
  });
});
