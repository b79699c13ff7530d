// Owns the data folder before and after the engine uses it: its lock, its checks, its creation, and the reason of a failed start. Must not
// open the database.

import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { diskFailed, diskFull, explainFileError, Fatal } from "../fatal.ts";
import { type Lock, takeLock } from "../lock.ts";
import { syncFolder, syncTree } from "../sync-folder.ts";

const majorVersion = "18";
/** Enough for the files that Postgres writes before a checkpoint. */
const leastFreeBytes = 100 * 1024 * 1024;
/** The database of a killed supervisor writes a last checkpoint, for up to 4 s (watch-parent.mjs) and longer on a busy machine. */
const exitsWithinMs = 10_000;

/**
 * Locks a folder for this process.
 * @param patienceMs how long to wait for a holder that may be exiting.
 * @throws Fatal when the folder is in use, of another version, damaged, on a full disk or not writable.
 */
export async function claimFolder(folder: string, patienceMs = exitsWithinMs): Promise<Lock> {
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    if (existsSync(folder)) accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isFull(folder)) throw new Fatal(diskFull(folder));
    const lock = await lockFolder(folder, patienceMs);
    try {
      inspect(folder);
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    const words = explainFileError(error, folder);
    throw words ? new Fatal(words) : error;
  }
}

/** True when the folder is missing or empty. */
export const isNew = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/**
 * Creates a folder under another name and renames it: after a crash it is either missing or complete.
 * @param durable after a power failure, too
 */
export async function createFolder(
  folder: string,
  durable: boolean,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    await fill(unfinished);
    // initdb leaves its files to the kernel, which takes half a minute: a power failure until then would leave nothing that opens.
    if (durable) await syncTree(unfinished);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!(error instanceof Fatal)) throw error;
    // The folder was new, so there is no data that could be damaged.
    if (error.message === diskFull(unfinished)) throw new Fatal(diskFull(folder));
    throw new Error(`${folder} could not be created`, { cause: error });
  }
  renameSync(unfinished, folder);
  if (durable) await syncFolder(dirname(folder));
}

/** Explains a failed start from the engine's last log lines. */
export function explainFailedStart(folder: string, output: string): Fatal {
  if (/no space left|ENOSPC/i.test(output) || isFull(folder)) return new Fatal(diskFull(folder));
  if (/\bEIO\b|I\/O error/i.test(output)) return new Fatal(diskFailed(folder));
  const words = /(?:PANIC|FATAL):\s*(.*)/.exec(output)?.[1] ?? output.split("\n").at(-1) ?? "";
  return damageOf(folder, words.trim());
}

/** True when the disk is almost full. */
export function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : dirname(folder));
  return bavail * bsize < leastFreeBytes;
}

/** @throws Fatal when root would write among another user's files: that user could not open them any more. */
export function requireOwner(folder: string): void {
  const owner = statSync(join(folder, "PG_VERSION"), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  throw new Fatal(
    `The database folder ${folder} belongs to another user than root (id ${owner}): run this as that user, ` +
      "or give root the whole data folder (chown -R root).",
  );
}

/** @throws Fatal when Postgres should not open the folder: it would create a database in one that has none. */
function inspect(folder: string): void {
  if (isNew(folder)) return;
  const version = join(folder, "PG_VERSION");
  if (!existsSync(version)) throw damageOf(folder, "it holds no database");
  requireOwner(folder);
  const found = readFileSync(version, "utf8").trim();
  if (!/^\d+(\.\d+)?$/.test(found)) throw damageOf(folder, "PG_VERSION cannot be read");
  if (found !== majorVersion) {
    throw new Fatal(
      `The database folder ${folder} was made by Postgres ${found}: ` +
        "start the version of Parley that made it, or move it away to start with an empty database.",
    );
  }
  if (!existsSync(join(folder, "global", "pg_control")))
    throw damageOf(folder, "global/pg_control is missing");
}

const damageOf = (folder: string, detail: string): Fatal =>
  new Fatal(
    `The database folder ${folder} is damaged (${detail}): ` +
      "put a backup of it back, or move it away to start with an empty database.",
  );

async function lockFolder(folder: string, patienceMs: number): Promise<Lock> {
  const patience = Date.now() + patienceMs;
  for (;;) {
    const lock = takeLock(`${folder}.lock`);
    if ("release" in lock) return lock;
    if (Date.now() > patience) {
      const by = lock.holder === undefined ? "" : ` (process ${lock.holder})`;
      throw new Fatal(
        `The database folder ${folder} is in use by another running copy${by}: ` +
          "stop that copy, or set PARLEY_DATA_DIR to another folder.",
      );
    }
    await sleep(50);
  }
}
