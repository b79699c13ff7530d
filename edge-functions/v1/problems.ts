// Owns how errors leave: one shape, a request id, no stack and no SQL.

import type { ErrorHandler, Hono, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { ApiError, fromPostgres } from "../_shared/errors.ts";
import { log } from "../_shared/log.ts";
import { ModelError } from "../_shared/models.ts";
import { inLanguage, problemIn } from "../_shared/problems.ts";
import { report } from "../_shared/sentry.ts";
import { inBackground } from "./background.ts";
import { askedLanguage } from "./language.ts";
import type { AppEnv } from "./router.ts";

/** The one error handler. What it does not know is an UNEXPECTED_ERROR, logged with its request id. */
export const renderError: ErrorHandler<AppEnv> = (error, c) => {
  const problem = toApiError(error);
  const requestId = c.get("requestId");
  if (problem.status >= 500) {
    const cause = problem.extra.cause ?? error;
    const about = { requestId, method: c.req.method, path: c.req.path };
    if (problem.code === "UNEXPECTED_ERROR") inBackground(report(cause, about), "report to Sentry");
    log("error", problem.code, {
      ...about,
      error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
  }
  if (problem.status === 401) c.header("WWW-Authenticate", "Bearer");
  if (problem.extra.retryAfterSeconds) c.header("Retry-After", String(problem.extra.retryAfterSeconds));
  const language = askedLanguage(c) ?? "en";
  const details = problem.extra.details?.map(({ path, message }) => ({
    path,
    message: inLanguage(message, language),
    ...problemIn(message),
  }));
  const message = inLanguage(problem.message, language);
  return c.json({ code: problem.code, message, requestId, ...(details && { details }) }, problem.status);
};

/** What any error means to a client. */
export function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status < 500) {
    return new ApiError(error.status === 413 ? "PAYLOAD_TOO_LARGE" : "VALIDATION_FAILED", undefined, {
      cause: error,
    });
  }
  if (error instanceof ModelError) return fromModel(error);
  return fromPostgres(error) ?? new ApiError("UNEXPECTED_ERROR", undefined, { cause: error });
}

function fromModel(error: ModelError): ApiError {
  const { message, retryAfterMs } = error;
  return new ApiError("UPSTREAM_FAILED", message, {
    cause: error,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000),
  });
}

/** Tells an address that is not there (404) from one that does not take the method (405, with Allow). */
export function methodNotAllowed(app: Pick<Hono<AppEnv>, "routes">): NotFoundHandler<AppEnv> {
  let patterns: { method: string; pattern: RegExp }[] | undefined;
  return (c) => {
    patterns ??= app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => ({
        method,
        pattern: new RegExp(`^${path.replace(/:\w+(\{[^}]+\})?/g, "[^/]+")}/?$`),
      }));
    const methods = new Set(
      patterns.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method),
    );
    if (methods.size === 0 || methods.has(c.req.method)) throw new ApiError("NOT_FOUND");
    c.header("Allow", [...methods].join(", "));
    throw new ApiError("METHOD_NOT_ALLOWED");
  };
}
