// Owns the rule of one supervisor per data folder: a lock file with its pid, ignored once that process is gone.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Fatal } from "./fatal.ts";

export interface Lock {
  /** A killed supervisor held the lock: the processes that it started may still be ending. */
  tookOver: boolean;
  release(): void;
}

/**
 * Locks the data folder for this process.
 * @throws Fatal when another supervisor runs on it.
 */
export function lockDataDir(dataDir: string): Lock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "supervisor.lock");
  let tookOver = false;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }));
      closeSync(file);
      return { tookOver, release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const pid = liveHolder(path);
    if (pid) {
      throw new Fatal(
        `Parley already runs on the data folder ${dataDir} (process ${pid}): use that one, stop it, or set PARLEY_DATA_DIR and PARLEY_PORT_OFFSET for a second copy.`,
      );
    }
    tookOver = true;
    rmSync(path, { force: true });
  }
  throw new Fatal(
    `The data folder ${dataDir} could not be locked: is another copy starting at the same moment?`,
  );
}

/** Pid of the supervisor that runs on a data folder; undefined when none does. */
export function supervisorOf(dataDir: string): number | undefined {
  return liveHolder(join(dataDir, "supervisor.lock"));
}

function liveHolder(path: string): number | undefined {
  try {
    const { pid, started }: { pid: number; started: string } = JSON.parse(readFileSync(path, "utf8"));
    process.kill(pid, 0);
    // By now the pid may belong to another process.
    return startOf(pid) === started ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** A process's start time in the kernel's clock ticks; "" when /proc does not exist. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
