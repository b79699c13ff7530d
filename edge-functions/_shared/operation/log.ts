// Owns the log: one JSON object per line. Must never be given a token, a secret, a message's content or a document's.

import { currentRequestId } from "../requests/request-context.ts";
import { bufferedLines } from "./buffered-lines.ts";

type Fields = Record<string, string | number | boolean | null | undefined>;

const infos = bufferedLines((lines) => console.log(lines));
/** Hosted, each call of the console is an entry of its own, and nothing says that the process is about to end. */
const isHosted = "EdgeRuntime" in globalThis;

/** Writes one line, with the id of the request that the running code works for; error and warn go to stderr, at once. */
export function log(level: "info" | "warn" | "error", message: string, fields: Fields = {}): void {
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, message, requestId: currentRequestId(), ...fields });
  if (level === "info") infos.add(line);
  if (level !== "info" || isHosted) infos.flush();
  if (level !== "info") console.error(line);
}
