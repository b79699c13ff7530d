// Owns how many files the engine keeps open at once, so that it leaves some to the rest of its process. Does not count them.
import { readFileSync } from "node:fs";

/** For connections, logs and Node itself. */
const others = 150;
/** What Postgres takes by default, and the least that it starts with. */
const most = 1000;
const least = 64;

/**
 * Postgres retries a refused file with another one closed. Its emulated file system has created the file by then, so that the retry finds it
 * and fails.
 * @param proc where the kernel's files are; other systems have none, and Node raises their limit
 */
export function filesAtOnce(proc = "/proc"): number {
  const free = Number(/^Max open files +(\d+)/m.exec(readLimits(proc))?.[1] ?? Infinity) - others;
  return Math.max(least, Math.min(most, free));
}

function readLimits(proc: string): string {
  try {
    return readFileSync(`${proc}/self/limits`, "utf8");
  } catch {
    return "";
  }
}
