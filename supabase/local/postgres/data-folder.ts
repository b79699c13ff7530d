// Owns the data folder around the engine's use of it: its lock, its checks, its creation, and the meaning of a failed
// start. Must not open the database.

import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PostgresExit } from "./exit-codes.ts";

const majorVersion = "18";
/** Enough for the files that Postgres writes before a checkpoint. */
const leastFreeBytes = 100 * 1024 * 1024;

/** A process that was just killed may still be exiting. */
const patienceMs = 2000;

/** A folder locked for this process until release(). */
export class DataFolder {
  readonly path: string;
  readonly #lock: string;
  readonly #holder: string;

  private constructor(path: string, lock: string, holder: string) {
    this.path = path;
    this.#lock = lock;
    this.#holder = holder;
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
    const lock = `${path}.lock`;
    const holder = JSON.stringify({ pid: process.pid, since: startOf(process.pid) });
    await takeLock(path, lock, holder);
    const folder = new DataFolder(path, lock, holder);
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
    try {
      if (readFileSync(this.#lock, "utf8") === this.#holder) rmSync(this.#lock);
    } catch {
      // Removing the lock file, or the whole folder, released the lock.
    }
  }

  #inspect(): void {
    if (this.isNew) return;
    const damaged = (detail: string) => new PostgresExit("folderDamaged", { folder: this.path, detail });
    const version = join(this.path, "PG_VERSION");
    if (!existsSync(version)) throw damaged("it holds no database");
    const found = readFileSync(version, "utf8").trim();
    if (!/^\d+(\.\d+)?$/.test(found)) throw damaged("PG_VERSION cannot be read");
    if (found !== majorVersion) {
      throw new PostgresExit("folderOfOtherVersion", { folder: this.path, detail: `Postgres ${found}` });
    }
    if (!existsSync(join(this.path, "global", "pg_control"))) throw damaged("global/pg_control is missing");
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
async function takeLock(folder: string, lock: string, holder: string): Promise<void> {
  const patience = Date.now() + patienceMs;
  for (;;) {
    try {
      lockFile(folder, lock, holder);
      return;
    } catch (error) {
      if (!(error instanceof PostgresExit)) throw failedWrite(folder, error);
      if (Date.now() > patience) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Creates the complete lock file, or replaces that of a dead holder. Of two concurrent starts one wins. */
function lockFile(folder: string, lock: string, holder: string): void {
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, holder, { mode: 0o600 });
  try {
    if (linked(mine, lock)) return;
    const pid = liveHolder(lock);
    if (pid) throw new PostgresExit("folderInUse", { folder, detail: `process ${pid}` });
    const stale = `${mine}.stale`;
    if (existsSync(lock)) renameSync(lock, stale);
    // Another start may have locked the folder since the check: its lock is then restored.
    if (liveHolder(stale)) linkSync(stale, lock);
    rmSync(stale, { force: true });
    if (!linked(mine, lock)) throw new PostgresExit("folderInUse", { folder });
  } finally {
    rmSync(mine, { force: true });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function liveHolder(lock: string): number | null {
  try {
    const { pid, since }: { pid: number; since: string } = JSON.parse(readFileSync(lock, "utf8"));
    // By now the pid may belong to another process.
    return isAlive(pid) && startOf(pid) === since ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  // A killed process that its parent has not reaped, as in a container without an init, is dead as well.
  return !["Z", "X"].includes(processFacts(pid)[0] ?? "");
}

/** A process's start time in the kernel's clock ticks since boot; "" when /proc does not exist. */
function startOf(pid: number): string {
  return processFacts(pid)[19] ?? "";
}

/** The fields of /proc/<pid>/stat, from the process state on. */
function processFacts(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
