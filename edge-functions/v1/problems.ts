// Owns error responses: one shape, a request id, no stack and no SQL.

import type { ErrorHandler, Hono, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { defaultLanguage, type LanguageCode } from "../../locales/registry.ts";
import { ModelError } from "../_shared/models/model-errors.ts";
import { log, traceOf } from "../_shared/operation/log.ts";
import { report } from "../_shared/operation/sentry.ts";
import { ApiError, type ErrorDetail, fromPostgres, wordsOf } from "../_shared/requests/errors.ts";
import { type RefusalCode, refusal } from "../_shared/requests/refusals.ts";
import { problemIn, translateSentence } from "../_shared/text/problems.ts";
import { admit } from "./access.ts";
import { inBackground } from "./background.ts";
import { askedLanguage } from "./language.ts";
import { endpointsAt } from "./route.ts";
import type { AppEnv } from "./router.ts";

/** Codes that cover several sentences: for these the sentence is looked up in the catalogue of problems, for a more specific code. */
const generalCodes = new Set<string>(["invalid", "pattern"] satisfies RefusalCode[]);

/** The only error handler. Any unknown error becomes UNEXPECTED_ERROR and is logged with its request id. */
export const renderError: ErrorHandler<AppEnv> = (error, c) => {
  const problem = toApiError(error);
  const requestId = c.get("requestId");
  logFailure(problem, error, { requestId, method: c.req.method, route: routePath(c, -1) });
  if (problem.status === 401) c.header("WWW-Authenticate", "Bearer");
  if (problem.extra.retryAfterSeconds) c.header("Retry-After", String(problem.extra.retryAfterSeconds));
  const language = askedLanguage(c) ?? defaultLanguage;
  // A known sentence about sources or models becomes a detail of the error, with its code.
  const details = detailsOf(problem)?.map((detail) => inLanguage(detail, language));
  const message = translateSentence(problem.message, language);
  const { current } = problem.extra;
  return c.json(
    { code: problem.code, message, requestId, ...(details && { details }), ...(current && { current }) },
    problem.status,
  );
};

/** Logs an error that is not the caller's, and reports an unexpected one. */
export function logFailure(
  problem: ApiError,
  error: unknown,
  about: { requestId: string; method: string; route: string },
): void {
  if (problem.status < 500) return;
  const cause = problem.extra.cause ?? error;
  if (problem.code === "UNEXPECTED_ERROR") inBackground(report(cause, about), "report to Sentry");
  log("error", problem.code, { ...about, error: traceOf(cause) });
}

/** A known sentence about sources or models becomes a detail of the error; so does a reason that nobody named but the message promises. */
function detailsOf({ message, extra }: ApiError): ErrorDetail[] | undefined {
  if (extra.details) return extra.details;
  if (problemIn(message)) return [{ path: "", message }];
  return message === wordsOf("VALIDATION_FAILED") ? [{ path: "", ...refusal("invalid") }] : undefined;
}

/** Every detail has a code and parameters. The sentences about sources and models have their own, and are translated. */
function inLanguage(detail: ErrorDetail, language: LanguageCode): ErrorDetail {
  if (detail.code !== undefined && !generalCodes.has(detail.code)) return detail;
  const { code, params } = refusal("invalid");
  const message = translateSentence(detail.message, language);
  return { code, params, ...detail, message, ...problemIn(detail.message) };
}

/** Maps anything that was thrown to an ApiError. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // The validator's: limitBody() has let only an empty body pass.
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError("VALIDATION_FAILED", "The body is empty. Send JSON.", { cause: error });
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

/** Distinguishes an unknown path (404) from one that does not accept the method (405, with Allow). */
export function methodNotAllowed(app: Pick<Hono<AppEnv>, "router">): NotFoundHandler<AppEnv> {
  return async (c) => {
    const endpoints = endpointsAt(app, c.req.path);
    if (endpoints.size === 0 || endpoints.has(c.req.method)) throw new ApiError("NOT_FOUND");
    for (const { declared } of endpoints.values())
      if (declared.access === "platformAdmin") await admit("platformAdmin", c);
    c.header("Allow", [...endpoints.keys()].join(", "));
    throw new ApiError("METHOD_NOT_ALLOWED");
  };
}
