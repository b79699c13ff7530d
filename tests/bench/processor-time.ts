// Owns the CPU time of a running stack's processes, from /proc. It hardly depends on other load, so figures of different days compare.
// Without /proc, callers use wall time.
import { existsSync, readdirSync, readFileSync } from "node:fs";

export const hasProcessorTime = existsSync("/proc/self/stat");

const msPerTick = 10;
const names: [RegExp, string][] = [
  [/postgres/, "postgres"],
  [/gateway/, "gateway"],
  [/models/, "models"],
  [/mailbox/, "mailbox"],
  [/edge-functions\/indexing/, "indexing"],
  [/edge-functions/, "functions"],
  [/server\/main/, "web"],
];

/**
 * Milliseconds so far, by process of the stack.
 * @param dataDir the stack's PARLEY_DATA_DIR
 * @param database its database on a native Postgres, whose backends have that name
 */
export function processorTimes(dataDir: string, database?: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const isBackend =
        database !== undefined && command.startsWith("postgres:") && command.includes(database);
      const name = isBackend ? "postgres" : nameOf(pid, command, dataDir);
      if (name) times.set(name, (times.get(name) ?? 0) + timeOf(pid));
    } catch {
      // It has ended meanwhile, or is not readable.
    }
  }
  return times;
}

function nameOf(pid: string, command: string, dataDir: string): string | undefined {
  const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  if (!environment.includes(`PARLEY_DATA_DIR=${dataDir}`)) return undefined;
  return names.find(([pattern]) => pattern.test(command.split(" ").slice(1).at(-1) ?? ""))?.[1];
}

function timeOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
