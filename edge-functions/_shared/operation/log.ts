// Owns the log: one JSON object per line. Must never receive a token, a secret, or the content of a message or document.

import { currentRequestId } from "../requests/request-context.ts";
import { bufferedLines } from "./buffered-lines.ts";

export type Level = "info" | "warn" | "error";
type Fields = Record<string, string | number | boolean | null | undefined>;

const infos = bufferedLines((lines) => console.log(lines));
/** On hosted Supabase each console call is one log entry, and no event announces the end of the process. */
const isHosted = "EdgeRuntime" in globalThis;

/** An error as the log shows it: with its stack, which begins with the message. */
export const traceOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** One line of the log, with the id of the current request. */
export function lineOf(level: Level, message: string, fields: Record<string, unknown>): string {
  const time = new Date().toISOString();
  return JSON.stringify({ time, level, message, requestId: currentRequestId(), ...fields });
}

/** Writes one line. error and warn go to stderr, unbuffered. */
export function log(level: Level, message: string, fields: Fields = {}): void {
  const line = lineOf(level, message, fields);
  if (level === "info") infos.add(line);
  if (level !== "info" || isHosted) infos.flush();
  if (level !== "info") console.error(line);
}
