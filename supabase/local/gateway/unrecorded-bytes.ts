// Owns the stored files that no record names: what a process left that died between an object's bytes and its record. Must not decide which
// those are: Postgres does (private.unrecorded_objects). They are set aside first, and put back when a record names them again: an operator
// may have put an older database in place, and go back to the newer one.
import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { log } from "../../../edge-functions/_shared/operation/log.ts";
import { readHeader } from "./file-storage-adapter.ts";
import type { Lite } from "./lite.ts";
import { inTurn } from "./turns.ts";

const dayMs = 24 * 3_600_000;
/** An upload has its record within minutes. */
const safeAgeMs = dayMs;
/** How long a file is set aside before it is deleted. */
const asideMs = 7 * dayMs;
/** End of the name of a file that is set aside. */
const aside = ".unrecorded";

type Database = Lite["app"]["connection"]["driver"];

/** Looks now and once a day. */
export function sweepDaily(dir: string, sql: Database): void {
  const sweep = () =>
    sweepUnrecorded(dir, sql).then(
      (swept) => {
        if (Object.values(swept).some((count) => count > 0))
          log("info", "stored bytes without a record were looked at", swept);
      },
      (error: unknown) => log("warn", "stored bytes could not be checked", { error: String(error) }),
    );
  setInterval(sweep, dayMs).unref();
  void sweep();
}

/** @returns how many files it has set aside, put back and deleted */
export async function sweepUnrecorded(dir: string, sql: Database, now = Date.now()) {
  const swept = { setAside: 0, putBack: 0, deleted: 0 };
  for (const folder of await readdir(dir).catch(() => [])) {
    const files = await readOldFiles(join(dir, folder), now - safeAgeMs);
    if (files.length === 0) continue;
    const lost = await findUnrecorded(
      sql,
      files.map(({ key }) => key),
    );
    for (const { key, path, changedAt } of files) {
      if (!path.endsWith(aside) && lost.has(key)) {
        // An upload of the same object may be about to get its record.
        await inTurn(path, async () => {
          if (!(await findUnrecorded(sql, [key])).has(key)) return;
          // Its week begins before it has the other name: killed between the two, it is only a day late.
          await utimes(path, new Date(now), new Date(now));
          await rename(path, path + aside);
          swept.setAside++;
        });
      } else if (path.endsWith(aside) && !lost.has(key)) {
        await putBack(path);
        swept.putBack++;
      } else if (path.endsWith(aside) && changedAt < now - asideMs) {
        await rm(path, { force: true });
        swept.deleted++;
      }
    }
  }
  return swept;
}

async function findUnrecorded(sql: Database, keys: string[]): Promise<Set<string>> {
  const rows = await sql<{ path: string }[]>`select private.unrecorded_objects(${keys}::text[]) as path`;
  return new Set(rows.map(({ path }) => path));
}

/** Puts a file back where it was. One that was stored there meanwhile is newer, and stays. */
async function putBack(path: string): Promise<void> {
  const place = path.slice(0, -aside.length);
  if (await stat(place).catch(() => undefined)) await rm(path, { force: true });
  else await rename(path, place);
}

interface OldFile {
  /** The object's path in the bucket "files". */
  key: string;
  path: string;
  changedAt: number;
}

/** The files of the bucket "files" in a folder: those that are set aside, and those stored before a time. */
async function readOldFiles(folder: string, before: number): Promise<OldFile[]> {
  const found: OldFile[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    // Another request may be deleting it, or still be writing it.
    const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (changedAt === undefined || !/^[0-9a-f]{64}(\.unrecorded)?$/.test(name)) continue;
    if (changedAt > before && !name.endsWith(aside)) continue;
    const header = await readHeader(path).catch(() => undefined);
    if (header?.bucket === "files") found.push({ key: header.key, path, changedAt });
  }
  return found;
}
