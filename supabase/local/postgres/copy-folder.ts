// Owns copies of the embedded database's folder, taken while it serves. Does not open them.
import { constants } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

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
