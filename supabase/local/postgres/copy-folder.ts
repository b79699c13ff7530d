// Owns copies of the embedded database's folder, taken while it serves. Does not open them.
import { constants } from "node:fs";
import { cp, mkdir, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { Fatal } from "../fatal.ts";

/** What the database and the work on the copy may write beside it: on a full disk the database ends. */
const SPARE_BYTES = 200 * 1024 * 1024;
/** Well below the server's idle-in-transaction limit. */
const KEEP_ALIVE_MS = 1000;

/**
 * Copies the folder as of one moment: the engine runs one transaction at a time, so an open one blocks all changes.
 * Opening the copy is like opening the folder after a crash: every committed transaction is there.
 * @param url the owner's login.
 * @param alsoStill runs while nothing changes.
 */
export async function copyFolder(
  url: string,
  from: string,
  to: string,
  alsoStill: () => Promise<void> = async () => {},
): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  const unfinished = `${to}.new`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    // A checkpoint shortens the WAL that is replayed when the copy is opened.
    await sql`checkpoint`;
    await sql.begin(async (tx) => {
      await tx`select 1`;
      let copied = false;
      const copying = cp(from, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE })
        .then(alsoStill)
        .finally(() => {
          copied = true;
        });
      while (!copied) {
        await Promise.race([copying, sleep(KEEP_ALIVE_MS, undefined, { ref: false })]);
        await tx`select 1`;
      }
      await copying;
    });
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * @param work what needs the copy, as a sentence begins with it
 * @throws Fatal when the disk has no room for a copy beside the database.
 */
export async function requireRoomForCopy(database: string, work: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(database));
  const missing = (await sizeOf(database)) + SPARE_BYTES - bavail * bsize;
  if (missing <= 0) return;
  throw new Fatal(
    `${work} needs a copy of the database and the disk that holds ${database} has no room for it: free ${Math.ceil(missing / 1024 / 1024)} MB and start again.`,
  );
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Files are added and deleted while the database serves.
    bytes += entry.isDirectory() ? await sizeOf(path) : ((await stat(path).catch(() => null))?.size ?? 0);
  }
  return bytes;
}
