// Owns the failures of model calls: one typed error for every cause, and which failures are retried.
import { APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { retryAfterMs, withRetries } from "../outbound/retry.ts";
import { sentenceOf } from "../text/sentences.ts";

export type ModelErrorKind = "refused" | "rate_limited" | "timeout" | "unavailable" | "bad_answer";

/**
 * The only error of a model call. `refused`: the request or the key is wrong, a retry is useless; `rate_limited`: retry after
 * `retryAfterMs`; `timeout`, `unavailable`: retry later; `bad_answer`: the provider broke the protocol.
 */
export class ModelError extends Error {
  override readonly name = "ModelError";
  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What is wrong with a model, in terms of what its team can do about it. */
export type ModelFault =
  | "keyRefused"
  | "usedUp"
  | "unknown"
  | "busy"
  | "refused"
  | "badAnswer"
  | "slow"
  | "unreachable";

const faults: Record<ModelErrorKind, ModelFault> = {
  refused: "refused",
  rate_limited: "busy",
  timeout: "slow",
  unavailable: "unreachable",
  bad_answer: "badAnswer",
};

export function faultOf({ kind, cause }: ModelError): ModelFault {
  const status = cause instanceof APIError ? cause.status : undefined;
  if (status === 401 || status === 403) return "keyRefused";
  if (isUnknownModel(cause)) return "unknown";
  if (status === 429 && kind === "refused") return "usedUp";
  return faults[kind];
}

export type RetryLimits = {
  retries: number;
  /** A longer Retry-After than this is not waited for: the call fails. */
  maxRetryAfterMs: number;
  backOffMs: number;
};

/** Retries transient failures, unless the provider asks for too long a wait. */
export function retryModelCall<T>(
  { retries, backOffMs, maxRetryAfterMs }: RetryLimits,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  return withRetries(
    { tries: retries + 1, firstMs: backOffMs, factor: 2, longestMs: maxRetryAfterMs },
    signal,
    () => call().catch((error: unknown) => Promise.reject(toModelError(error))),
    (failure) =>
      failure instanceof ModelError && passing.has(failure.kind) ? (failure.retryAfterMs ?? 0) : undefined,
  );
}

const passing = new Set<ModelErrorKind>(["rate_limited", "unavailable", "timeout"]);

/** The provider's message stays in `cause`: it can name keys and accounts. */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const because = { cause: error };
  // A call that its caller aborts throws the caller's own reason, so an abort seen here is a timeout.
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return new ModelError("timeout", sentenceOf("modelNoAnswer"), undefined, because);
  }
  if (!(error instanceof APIError)) {
    const broken = error instanceof SyntaxError;
    return broken
      ? new ModelError("bad_answer", sentenceOf("modelIllegible"), undefined, because)
      : new ModelError("unavailable", sentenceOf("modelLost"), undefined, because);
  }
  const { status } = error;
  if (status === undefined)
    return new ModelError("unavailable", sentenceOf("modelUnreachable"), undefined, because);
  // An exhausted quota is also a 429, but waiting does not help.
  if (status === 429 && error.code !== "insufficient_quota") {
    return new ModelError("rate_limited", sentenceOf("modelBusy"), retryAfterMs(error.headers), because);
  }
  if (status === 408 || status === 504)
    return new ModelError("timeout", sentenceOf("modelNoAnswer"), undefined, because);
  if (status === 409 || (status >= 500 && !isTooLarge(error))) {
    return new ModelError(
      "unavailable",
      sentenceOf("modelBroken", { status }),
      retryAfterMs(error.headers),
      because,
    );
  }
  return new ModelError("refused", refusal(error, status), undefined, because);
}

/** llama.cpp's servers refuse a text beyond their batch with 500: it can only be divided, so waiting is useless. */
const isTooLarge = ({ message }: APIError) =>
  /\binput\b.{0,40} too (large to process|big compared)/i.test(message.slice(0, 1000));

function refusal(error: APIError, status: number): string {
  if (status === 401 || status === 403) return sentenceOf("modelKey");
  if (isUnknownModel(error)) return sentenceOf("modelUnknown");
  if (status === 429) return sentenceOf("modelSpent");
  return sentenceOf("modelRefused", { status });
}

/** Providers refuse a name that they do not know with 404, or with 400 or 422 and one of these words. */
const unknownCodes = new Set(["model_not_found", "invalid_model", "invalid_model_name"]);
const unknownWords =
  /\b(invalid|unknown|no such|not a valid) model\b|\bmodel\b.{0,120}\b(not found|not exist|(is|was) (invalid|unknown))/is;

function isUnknownModel(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  const { status, code, type, message } = error;
  if (status === 404) return true;
  if (status !== 400 && status !== 422) return false;
  return (
    unknownCodes.has(code ?? "") || unknownCodes.has(type ?? "") || unknownWords.test(message.slice(0, 1000))
  );
}
