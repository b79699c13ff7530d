// Owns the record of the file that a backup is writing: a killed backup leaves it, with the installation's secrets, wherever its person
// named it. The record is in the data folder, and belongs to the holder of the lock of backups.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../error-code.ts";

export const partialPath = (path: string) => `${path}.unfinished`;

const recordIn = (dataDir: string) => join(dataDir, "backup.unfinished");

export function noteUnfinished(dataDir: string, path: string): void {
  writeFileSync(recordIn(dataDir), partialPath(path), { mode: 0o600, flush: true });
}

/** The file that a backup is writing, or that a killed one left. */
export function findUnfinished(dataDir: string): string | undefined {
  try {
    const path = readFileSync(recordIn(dataDir), "utf8");
    return path.endsWith(partialPath("")) && existsSync(path) ? path : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Deletes what a killed backup left. */
export function removeUnfinished(dataDir: string): void {
  const left = findUnfinished(dataDir);
  if (left) rmSync(left);
  rmSync(recordIn(dataDir), { force: true });
}
