// One JSON object per line on stdout. vike and libraries print through console, so console is redirected here as well.
import { format } from "node:util";
import { bufferedLines } from "../../edge-functions/_shared/operation/buffered-lines.ts";
import { type Level, lineOf } from "../../edge-functions/_shared/operation/log.ts";

const lines = bufferedLines((text) => process.stdout.write(`${text}\n`));

export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  lines.add(lineOf(level, message, { process: "web", ...fields }));
  if (level === "error") lines.flush();
}

/** Redirects console's output to log(), so every line of the log is JSON. */
export function captureConsole(): void {
  console.log = (...parts) => log("info", format(...parts));
  console.info = console.log;
  console.warn = (...parts) => log("warn", format(...parts));
  console.error = (...parts) => log("error", format(...parts));
}
