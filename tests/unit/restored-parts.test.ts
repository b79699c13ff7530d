// The last step of a restore, killed before each of its renames: the next process that locks the folder finishes it, and nothing is lost.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { lockDataDir } from "../../supabase/local/lock.ts";
import {
  clearUnfinished,
  makingFolder,
  markComplete,
  PARTS,
  putInPlace,
} from "../../supabase/local/restored-parts.ts";

/** How many renames succeed before the process is killed. */
const renames = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }));
vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs")>();
  const renameSync = (from: string, to: string) => {
    if (renames.left <= 0) throw new Error("killed");
    renames.left -= 1;
    real.renameSync(from, to);
  };
  return { ...real, renameSync };
});

const folders: string[] = [];
afterEach(() => {
  renames.left = Number.POSITIVE_INFINITY;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function write(folder: string, parts: string[], content: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of parts) writeFileSync(join(folder, name), content);
}

const read = (folder: string) =>
  Object.fromEntries(
    PARTS.filter((name) => existsSync(join(folder, name))).map((name) => [
      name,
      readFileSync(join(folder, name), "utf8"),
    ]),
  );

/** What all folders that were set aside hold together. */
const readAside = (folder: string) =>
  Object.assign(
    {},
    ...readdirSync(folder)
      .filter((name) => name.startsWith("replaced-"))
      .map((name) => read(join(folder, name))),
  );

/** Restores over an installation, killed after so many renames. @returns false when it ended before that */
async function isKilled(dataDir: string, made: string[], after: number): Promise<boolean> {
  write(dataDir, PARTS, "before");
  write(makingFolder(dataDir), made, "restored");
  await markComplete(dataDir);
  renames.left = after;
  try {
    putInPlace(dataDir);
    return false;
  } catch {
    return true;
  } finally {
    renames.left = Number.POSITIVE_INFINITY;
  }
}

test.each([[PARTS], [["secrets.json", "storage"]]])(
  "%j are put in place, wherever it is killed",
  async (made) => {
    let kills = 0;
    for (let hasEnded = false; !hasEnded; ) {
      const dataDir = mkdtempSync(join(tmpdir(), "parley-restored-"));
      folders.push(dataDir);
      hasEnded = !(await isKilled(dataDir, made, kills));
      if (!hasEnded) kills += 1;
      lockDataDir(dataDir).release();
      expect(read(dataDir), `${kills} kills`).toEqual(
        Object.fromEntries(made.map((name) => [name, "restored"])),
      );
      expect(readAside(dataDir)).toEqual(Object.fromEntries(PARTS.map((name) => [name, "before"])));
      expect(existsSync(makingFolder(dataDir))).toBe(false);
    }
    expect(kills).toBe(PARTS.length + made.length);
  },
);

test("parts that were not all made stay out of place", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-restored-"));
  folders.push(dataDir);
  write(dataDir, PARTS, "before");
  write(makingFolder(dataDir), PARTS, "half");
  lockDataDir(dataDir).release();
  expect(clearUnfinished(dataDir)).toBe(true);
  expect(read(dataDir)).toEqual(Object.fromEntries(PARTS.map((name) => [name, "before"])));
  expect(existsSync(makingFolder(dataDir))).toBe(false);
  expect(clearUnfinished(dataDir)).toBe(false);
});
