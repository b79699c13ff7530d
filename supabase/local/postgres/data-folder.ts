// Owns the data folder around the engine's use of it: its lock, its checks, its creation, and the meaning of a failed
// start. Must not open the database.

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
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, takeLock } from "../lock.ts";
import { PostgresExit } from "./exit-codes.ts";

const majorVersion = "18";
/** Enough for the files that Postgres writes before a checkpoint. */
const leastFreeBytes = 100 * 1024 * 1024;

/** A process that was just killed may still be exiting. */
const patienceMs = 2000;

/** A folder locked for this process until release(). */
export class DataFolder {
  readonly path: string;
  readonly #lock: Lock;

  private constructor(path: string, lock: Lock) {
    this.path = path;
    this.#lock = lock;
  }

  /** @throws PostgresExit when the folder is in use, of another version, damaged, on a full disk or not writable. */
  static async claim(path: string): Promise<DataFolder> {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      accessSync(dirname(path), constants.W_OK | constants.X_OK);
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw failedWrite(path, error);
    }
    if (isFull(path)) throw new PostgresExit("diskFull", { folder: path });
    const folder = new DataFolder(path, await lockFolder(path));
    try {
      folder.#inspect();
    } catch (error) {
      folder.release();
      throw error;
    }
    return folder;
  }

  /** True when the folder is missing or empty. */
  get isNew(): boolean {
    return !existsSync(this.path) || readdirSync(this.path).length === 0;
  }

  /** Creates the folder under another name and renames it: after a crash it is either missing or complete. */
  async make(fill: (folder: string) => Promise<void>): Promise<void> {
    const unfinished = `${this.path}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { mode: 0o700 });
    try {
      await fill(unfinished);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!(error instanceof PostgresExit)) throw error;
      // The folder was new, so no data can be damaged.
      throw error.reason === "diskFull"
        ? new PostgresExit("diskFull", { folder: this.path })
        : new PostgresExit("unexpected", { detail: error.message });
    }
    renameSync(unfinished, this.path);
  }

  release(): void {
    this.#lock.release();
  }

  #inspect(): void {
    if (this.isNew) return;
    const damageError = (detail: string) => new PostgresExit("folderDamaged", { folder: this.path, detail });
    const version = join(this.path, "PG_VERSION");
    if (!existsSync(version)) throw damageError("it holds no database");
    const found = readFileSync(version, "utf8").trim();
    if (!/^\d+(\.\d+)?$/.test(found)) throw damageError("PG_VERSION cannot be read");
    if (found !== majorVersion) {
      throw new PostgresExit("folderOfOtherVersion", { folder: this.path, detail: `Postgres ${found}` });
    }
    if (!existsSync(join(this.path, "global", "pg_control")))
      throw damageError("global/pg_control is missing");
  }
}

/** Explains a failed start from the engine's last log lines. */
export function explainFailedStart(folder: string, output: string): PostgresExit {
  if (/no space left|ENOSPC/i.test(output) || isFull(folder)) {
    return new PostgresExit("diskFull", { folder });
  }
  const words = /(?:PANIC|FATAL):\s*(.*)/.exec(output)?.[1] ?? output.split("\n").at(-1);
  return new PostgresExit("folderDamaged", { folder, detail: words?.trim() });
}

/** True when the disk is almost full; never for "memory". */
export function isFull(path: string): boolean {
  if (path === "memory") return false;
  const { bavail, bsize } = statfsSync(existsSync(path) ? path : dirname(path));
  return bavail * bsize < leastFreeBytes;
}

function failedWrite(folder: string, error: unknown): PostgresExit {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return code === "ENOSPC"
    ? new PostgresExit("diskFull", { folder })
    : new PostgresExit("folderNotWritable", { folder, detail: code });
}

/**
 * Waits a little for a holder that may be exiting.
 * @throws PostgresExit
 */
async function lockFolder(folder: string): Promise<Lock> {
  const patience = Date.now() + patienceMs;
  for (;;) {
    const lock = tryLock(folder);
    if ("release" in lock) return lock;
    const detail = lock.holder === undefined ? undefined : `process ${lock.holder}`;
    if (Date.now() > patience) throw new PostgresExit("folderInUse", { folder, detail });
    await sleep(50);
  }
}

function tryLock(folder: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(`${folder}.lock`);
  } catch (error) {
    throw failedWrite(folder, error);
  }
}
