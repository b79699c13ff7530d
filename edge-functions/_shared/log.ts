// Owns the log: one JSON object per line. Must never be given a token, a secret, a message's content or a document's.

type Fields = Record<string, string | number | boolean | null | undefined>;

/** Writes one line; error and warn go to stderr. */
export function log(level: "info" | "warn" | "error", message: string, fields: Fields = {}): void {
  const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
  if (level === "info") console.log(line);
  else console.error(line);
}
