// Owns lock files: one living process at a time holds one. A lock file contains the holder's pid, and is ignored once that process is gone.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fatal } from "./fatal.ts";
import { factsOf } from "./process-facts.ts";
import { putInPlace } from "./restored-parts.ts";

export interface Lock {
  /** True when a killed process held the lock: processes that it started may still be exiting. */
  tookOver: boolean;
  release(): void;
}

/**
 * Locks the data folder for this process, the only supervisor, and finishes a restore that was killed at its last step.
 * @throws Fatal when another supervisor runs on it.
 */
export function lockDataDir(dataDir: string): Lock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = takeLock(supervisorLock(dataDir));
  if ("release" in lock) {
    try {
      putInPlace(dataDir);
    } catch (error) {
      lock.release();
      throw error;
    }
    return lock;
  }
  throw new Fatal(
    lock.holder
      ? `Parley already runs on the data folder ${dataDir} (process ${lock.holder}): use that one, stop it, or set PARLEY_DATA_DIR and PARLEY_PORT_OFFSET for a second copy.`
      : `The data folder ${dataDir} could not be locked: is another copy starting at the same moment?`,
  );
}

/** Pid of the supervisor that runs on a data folder; undefined when none does. */
export function supervisorOf(dataDir: string): number | undefined {
  return liveHolder(supervisorLock(dataDir));
}

const supervisorLock = (dataDir: string) => join(dataDir, "supervisor.lock");

/** Creates the complete lock file, or replaces that of a dead holder. Of two concurrent callers one wins. */
export function takeLock(path: string): Lock | { holder: number | undefined } {
  const mine = `${path}.${process.pid}`;
  const content = JSON.stringify({ pid: process.pid, started: factsOf(process.pid).started });
  const release = () => {
    // Removing the lock file, or the whole folder, released the lock.
    if (contentOf(path) === content) rmSync(path, { force: true });
  };
  writeFileSync(mine, content, { mode: 0o600 });
  try {
    if (isLinked(mine, path)) return { tookOver: false, release };
    const holder = liveHolder(path);
    if (holder) return { holder };
    const stale = `${mine}.stale`;
    if (contentOf(path) !== undefined) renameSync(path, stale);
    // Another process may have locked it since the check: its lock is then restored.
    if (liveHolder(stale)) linkSync(stale, path);
    rmSync(stale, { force: true });
    return isLinked(mine, path) ? { tookOver: true, release } : { holder: liveHolder(path) };
  } finally {
    rmSync(mine, { force: true });
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function liveHolder(path: string): number | undefined {
  try {
    const { pid, started }: { pid: number; started: string } = JSON.parse(readFileSync(path, "utf8"));
    // By now the pid may belong to another process. Release 1.0.0 wrote no start where there is no /proc.
    return isAlive(pid) && (started === "" || factsOf(pid).started === started) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  // A killed process that its parent has not reaped, as in a container without an init, is dead as well.
  return !["Z", "X"].includes(factsOf(pid).state);
}
