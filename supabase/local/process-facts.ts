// Owns what the system knows of a process by its id, which it gives to another process later.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessFacts {
  /** The letter of `ps`: "Z" for a process that ended and that its parent has not reaped. "" when nothing is known. */
  state: string;
  /** When it started. No other process with its id has the same. "" when nothing is known. */
  started: string;
}

/**
 * What is known of a process: from /proc on Linux, whose small images lack `ps`, and from `ps` elsewhere.
 * @param proc where the kernel's files are
 */
export function factsOf(pid: number, proc = "/proc"): ProcessFacts {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "" };
  } catch {
    return factsByPs(pid);
  }
}

function factsByPs(pid: number): ProcessFacts {
  // The same words for the same moment, whatever the caller's language and time zone.
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8", env });
  const [state = "", ...started] = (stdout ?? "").trim().split(/\s+/);
  return { state: state.slice(0, 1), started: started.join(" ") };
}
