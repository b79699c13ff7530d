// Owns deleting stored files that no record names: what a process left that died between an object's bytes and its record. Must not decide
// which those are: Postgres does (private.unrecorded_objects).
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { log } from "../../../edge-functions/_shared/operation/log.ts";
import { readHeader } from "./file-storage-adapter.ts";
import type { Lite } from "./lite.ts";

const dayMs = 24 * 3_600_000;
/** An upload has its record within minutes; the rest is for an operator who has put an older database in place and wants to go back. */
const safeAgeMs = 7 * dayMs;

type Database = Lite["app"]["connection"]["driver"];

/** Looks now and once a day. */
export function sweepDaily(dir: string, sql: Database): void {
  const sweep = () =>
    removeUnrecorded(dir, sql).then(
      (removed) => {
        if (removed > 0) log("info", "stored bytes without a record were removed", { files: removed });
      },
      (error: unknown) => log("warn", "stored bytes could not be checked", { error: String(error) }),
    );
  setInterval(sweep, dayMs).unref();
  void sweep();
}

/** @returns how many files it has deleted */
export async function removeUnrecorded(dir: string, sql: Database, now = Date.now()): Promise<number> {
  let removed = 0;
  for (const folder of await readdir(dir).catch(() => [])) {
    const paths = await oldObjects(join(dir, folder), now - safeAgeMs);
    if (paths.size === 0) continue;
    const unrecorded = await sql<{ path: string }[]>`
      select private.unrecorded_objects(${[...paths.keys()]}::text[]) as path`;
    for (const { path } of unrecorded) {
      await rm(paths.get(path) ?? "", { force: true });
      removed++;
    }
  }
  return removed;
}

/** The files of the bucket "files" that were written before a time, by the object's path. */
async function oldObjects(folder: string, before: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    // Another request may be deleting it, or still be writing it.
    const written = await stat(file).catch(() => undefined);
    if (!written || written.mtimeMs > before || !/^[0-9a-f]{64}$/.test(name)) continue;
    const header = await readHeader(file).catch(() => undefined);
    if (header?.bucket === "files") found.set(header.key, file);
  }
  return found;
}
