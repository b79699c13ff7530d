// One JSON object per line on stdout. vike and libraries print through console, so console ends here as well.
import { format } from "node:util";

type Level = "info" | "warn" | "error";

export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), level, process: "web", message, ...fields })}\n`,
  );
}

/** Sends console's output through log(), so that no line in the log is anything but JSON. */
export function captureConsole(): void {
  console.log = (...parts) => log("info", format(...parts));
  console.info = console.log;
  console.warn = (...parts) => log("warn", format(...parts));
  console.error = (...parts) => log("error", format(...parts));
}
