// Owns our one-shot programs, such as the preparation of the database: they run to completion, or end with the supervisor.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Fatal } from "./fatal.ts";
import { LogFile } from "./log-file.ts";

export interface Job {
  /** @throws Fatal with the last line of the program's output when it fails. */
  done: Promise<void>;
  stop(): void;
}

/**
 * @param args Node's arguments, the script first.
 * @param onNotice receives messages that the program logs with `isNotice`: the person who waits should see them.
 */
export function startJob(
  name: string,
  args: string[],
  env: Record<string, string>,
  logDir: string,
  onNotice: (message: string) => void,
): Job {
  const log = new LogFile(join(logDir, `${name}.log`));
  const child: ChildProcess = spawn(process.execPath, args, {
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin?.on("error", () => {});
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => log.write(chunk));
  if (child.stdout) createInterface(child.stdout).on("line", (line) => noticeIn(line, onNotice));
  const done = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(new Fatal(`${name} could not be started (${error.message}).`)));
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Fatal(log.lastMessage() || `${name} failed; its log is ${log.path}.`));
    });
  });
  done.catch(() => {});
  return { done, stop: () => void child.kill("SIGTERM") };
}

function noticeIn(line: string, onNotice: (message: string) => void): void {
  try {
    const { isNotice, message }: { isNotice?: boolean; message?: string } = JSON.parse(line);
    if (isNotice && message) onNotice(message);
  } catch {
    // Not every line is JSON.
  }
}
