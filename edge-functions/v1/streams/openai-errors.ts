// Owns errors in OpenAI's protocol: the object that its clients expect, in addition to our own fields.
import type { ErrorHandler } from "hono";
import type { ApiError } from "../../_shared/requests/errors.ts";
import { renderError, toApiError } from "../problems.ts";
import type { AppEnv } from "../router.ts";

/** The error object of the protocol. */
export function errorObject({ code, status, message, extra }: ApiError) {
  const type =
    status === 401
      ? "authentication_error"
      : status === 429
        ? "rate_limit_error"
        : status >= 500
          ? "server_error"
          : "invalid_request_error";
  const [detail] = extra.details ?? [];
  return {
    message: detail?.path ? `${detail.path}: ${detail.message}` : message,
    type,
    code,
    param: detail?.path || null,
  };
}

export const openAiErrors: ErrorHandler<AppEnv> = async (error, c) => {
  const response = await renderError(error, c);
  const body: unknown = await response.json();
  const told = typeof body === "object" && body !== null ? body : {};
  return new Response(JSON.stringify({ ...told, error: errorObject(toApiError(error)) }), response);
};
