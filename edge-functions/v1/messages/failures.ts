// Owns the error that a failed reply reports to its reader, when its request has already been answered.

import { log } from "../../_shared/operation/log.ts";
import type { ApiError } from "../../_shared/requests/errors.ts";
import { toApiError } from "../problems.ts";

/** The error for the reader. The cause is logged, with the fields that identify the reply. */
export function failureOf(error: unknown, about: Record<string, string>): ApiError {
  const problem = toApiError(error instanceof Error ? error : new Error(String(error)));
  // Errors below 500 are the caller's or the team's, so they are logged as info.
  log(problem.status < 500 ? "info" : "error", "a reply failed", {
    ...about,
    code: problem.code,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return problem;
}
