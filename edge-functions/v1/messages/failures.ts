// Owns what a failed reply means to its reader, where no request is left that could answer with it.

import { log } from "../../_shared/operation/log.ts";
import type { ApiError } from "../../_shared/requests/errors.ts";
import { toApiError } from "../problems.ts";

/** The error that a reader is told; the cause goes to the log, with what names the reply. */
export function failureOf(error: unknown, about: Record<string, string>): ApiError {
  const problem = toApiError(error instanceof Error ? error : new Error(String(error)));
  // What is the asker's or the team's own affair is no fault of ours.
  log(problem.status < 500 ? "info" : "error", "a reply failed", {
    ...about,
    code: problem.code,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return problem;
}
