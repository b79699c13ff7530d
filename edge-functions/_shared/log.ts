// Owns the log: one JSON object per line. Must never be given a token, a secret, a message's content or a document's.

import { currentRequestId } from "./request-context.ts";

type Fields = Record<string, string | number | boolean | null | undefined>;

/** Writes one line, with the id of the request that the running code works for; error and warn go to stderr. */
export function log(level: "info" | "warn" | "error", message: string, fields: Fields = {}): void {
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, message, requestId: currentRequestId(), ...fields });
  if (level === "info") console.log(line);
  else console.error(line);
}
