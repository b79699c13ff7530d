// Owns whether a reader may still have the rest of a reply: access may end while it is written. Does not end the reply.
import { type Claims, readAsCaller, type Transaction } from "../../_shared/database/db.ts";
import { log } from "../../_shared/operation/log.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { toApiError } from "../problems.ts";

/** Far below a reply's length, and far above the time of a query. */
const everyMs = 1_000;

/**
 * A check to await before each part of a reply. It asks Postgres at most once a second.
 * @param admit what the reader had to pass to get the reply at all; throws or is undefined when they no longer may
 */
export function watchAdmission(
  claims: Claims,
  admit: (tx: Transaction) => Promise<unknown>,
): () => Promise<void> {
  let askedAt = performance.now();
  return async () => {
    if (performance.now() - askedAt < everyMs) return;
    try {
      if ((await readAsCaller(claims, admit)) === undefined) throw new ApiError("NOT_FOUND");
    } catch (error) {
      const problem = toApiError(error);
      if (problem.status < 500) throw problem;
      // A brief database outage ends no reply.
      log("warn", "a reader's access was not checked", { error: String(error) });
    }
    askedAt = performance.now();
  };
}
