// Owns lock files: one living process at a time holds one. A lock file contains the holder's pid, and is ignored once that process is gone.
import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./error-code.ts";
import { Fatal } from "./fatal.ts";
import { answersSign, pidSpace, showSign } from "./life-sign.ts";
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

/** Pid of the backup of a data folder that runs; undefined when none does. */
export function backupOf(dataDir: string): number | undefined {
  return liveHolder(backupLock(dataDir));
}

export const backupLock = (dataDir: string) => join(dataDir, "backup.lock");
const supervisorLock = (dataDir: string) => join(dataDir, "supervisor.lock");

interface Holder {
  pid: number;
  started: string;
  /** Absent in locks of earlier releases. */
  space?: string;
  /** The file of the holder's life sign, beside the lock. */
  sign?: string;
}

/** Creates the complete lock file, or replaces that of a dead holder. Of two concurrent callers one wins. */
export function takeLock(path: string): Lock | { holder: number | undefined } {
  // Not the pid: two containers on one folder have the same ones.
  const mine = `${path}.${randomUUID()}`;
  const sign = showSign(`${mine}.sign`);
  const { pid } = process;
  const holding: Holder = { pid, started: factsOf(pid).started, space: pidSpace(), sign: sign?.name };
  const content = JSON.stringify(holding);
  const release = () => {
    // Removing the lock file, or the whole folder, released the lock.
    if (contentOf(path) === content) rmSync(path, { force: true });
    sign?.end();
  };
  writeFileSync(mine, content, { mode: 0o600 });
  let isMine = false;
  try {
    isMine = isLinked(mine, path);
    if (isMine) return { tookOver: false, release };
    const judged = contentOf(path);
    const holder = liveHolder(path);
    if (holder) return { holder };
    // To ask for a sign takes a moment, in which another process may have taken the lock over.
    if (contentOf(path) !== judged) return { holder: liveHolder(path) };
    const stale = `${mine}.stale`;
    if (contentOf(path) !== undefined) renameSync(path, stale);
    // Another process may have locked it since the check: its lock is then restored.
    if (liveHolder(stale)) linkSync(stale, path);
    else forgetSign(stale);
    rmSync(stale, { force: true });
    isMine = isLinked(mine, path);
    return isMine ? { tookOver: true, release } : { holder: liveHolder(path) };
  } finally {
    rmSync(mine, { force: true });
    if (!isMine) sign?.end();
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
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

function holderOf(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function liveHolder(path: string): number | undefined {
  const holder = holderOf(path);
  return holder && isHolding(holder, dirname(path)) ? holder.pid : undefined;
}

function isHolding({ pid, started, space, sign }: Holder, folder: string): boolean {
  // In another container its pid is nobody's here, or another process's.
  if (space !== undefined && space !== pidSpace() && sign !== undefined) return answersSign(folder, sign);
  // By now the pid may belong to another process. Release 1.0.0 wrote no start where there is no /proc.
  if (!isAlive(pid) || (started !== "" && factsOf(pid).started !== started)) return false;
  // In a copy of the folder the lock names the original's holder, but the sign's file is nobody's.
  const isShown = sign !== undefined && existsSync(join(folder, basename(sign)));
  return !isShown || answersSign(folder, sign);
}

/** Removes the file of a dead holder's life sign. */
function forgetSign(path: string): void {
  const sign = holderOf(path)?.sign;
  if (sign !== undefined) rmSync(join(dirname(path), basename(sign)), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user.
    return codeOf(error) === "EPERM";
  }
  // A killed process that its parent has not reaped, as in a container without an init, is dead as well.
  return !["Z", "X"].includes(factsOf(pid).state);
}
