// Owns the last step of a restore: what it has made takes its place in the data folder, and what was there is set aside. A process killed
// meanwhile leaves the rest to the next one that locks the folder. Otherwise a start would create the missing parts anew, and empty.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fatal } from "./fatal.ts";
import { syncFolderNow, syncTree } from "./sync-folder.ts";

/** The parts of an installation's data folder. */
export const PARTS = ["secrets.json", "storage", "postgres"];

/** The folder in which a restore makes the parts. */
export const makingFolder = (dataDir: string) => join(dataDir, "restoring");

/** Exists once all parts are made, and lists them. */
const completeFile = (dataDir: string) => join(makingFolder(dataDir), "complete.json");

/** Notes that all parts are made: from then on the restore is finished, whatever happens. */
export async function markComplete(dataDir: string): Promise<void> {
  const making = makingFolder(dataDir);
  await syncTree(making);
  const made = PARTS.filter((name) => existsSync(join(making, name)));
  const unfinished = join(making, "complete.unfinished");
  writeFileSync(unfinished, JSON.stringify(made), { mode: 0o600, flush: true });
  renameSync(unfinished, completeFile(dataDir));
  syncFolderNow(making);
}

/**
 * Moves complete parts into place; does nothing when there are none. For the holder of the folder's lock.
 * @returns the folder of the content that was there before, if any
 */
export function putInPlace(dataDir: string): string | undefined {
  const making = makingFolder(dataDir);
  if (!existsSync(completeFile(dataDir))) return undefined;
  const made: string[] = JSON.parse(readFileSync(completeFile(dataDir), "utf8"));
  let aside: string | undefined;
  for (const name of PARTS) {
    const place = join(dataDir, name);
    const isMoved = made.includes(name) && !existsSync(join(making, name));
    if (isMoved) continue;
    if (existsSync(place)) {
      aside ??= makeAside(dataDir);
      renameSync(place, join(aside, name));
    }
    if (made.includes(name)) renameSync(join(making, name), place);
  }
  syncFolderNow(dataDir);
  rmSync(making, { recursive: true, force: true });
  return aside;
}

/**
 * Deletes what a restore had made before it was killed. For a start, which holds the folder's lock.
 * @returns true if there was anything
 * @throws Fatal when there is no installation beside it: a start would create an empty one
 */
export function clearUnfinished(dataDir: string): boolean {
  const making = makingFolder(dataDir);
  if (!existsSync(making)) return false;
  if (!PARTS.some((name) => existsSync(join(dataDir, name)))) {
    throw new Fatal(
      `A restore into ${dataDir} was interrupted before anything was in place: run npm run restore -- FILE again, or delete ${making} to start with an empty installation.`,
    );
  }
  rmSync(making, { recursive: true, force: true });
  return true;
}

/** Deletes nothing: after a restore over the wrong installation, its content can be moved back. */
function makeAside(dataDir: string): string {
  const aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(aside, "README"),
    "An installation that npm run restore --force replaced. Delete it when you are sure.\n",
  );
  return aside;
}
