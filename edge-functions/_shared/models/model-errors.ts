// Owns the failures of model calls: one typed error for every cause, and which failures are retried.
import { APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { retryAfterMs, withRetries } from "../outbound/retry.ts";
import { sentenceOf } from "../text/sentences.ts";

export type ModelErrorKind =
  | "refused"
  | "too_long"
  | "rate_limited"
  | "timeout"
  | "unavailable"
  | "bad_answer";

/**
 * The only error of a model call. `refused`: the request or the key is wrong, a retry is useless; `too_long`: the request or its reply
 * exceeds what the model takes; `rate_limited`: retry after `retryAfterMs`; `timeout`, `unavailable`: retry later; `bad_answer`: the
 * provider broke the protocol.
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
  | "tooLong"
  | "badAnswer"
  | "slow"
  | "unreachable";

const faults: Record<ModelErrorKind, ModelFault> = {
  refused: "refused",
  too_long: "tooLong",
  rate_limited: "busy",
  timeout: "slow",
  unavailable: "unreachable",
  bad_answer: "badAnswer",
};

export function faultOf({ kind, cause }: ModelError): ModelFault {
  if (cause instanceof APIError && isKeyRefused(cause)) return "keyRefused";
  if (isUnknownModel(cause)) return "unknown";
  if (cause instanceof APIError && isSpent(cause)) return "usedUp";
  return faults[kind];
}

export type RetryLimits = {
  retries: number;
  /** A longer Retry-After than this is not waited for: the call fails. */
  maxRetryAfterMs: number;
  backOffMs: number;
};

/**
 * Retries transient failures, unless the provider asks for too long a wait.
 * @param isWorkLost whether a silent provider loses its work when the call is given up, so that another one would take as long
 */
export function retryModelCall<T>(
  { retries, backOffMs, maxRetryAfterMs }: RetryLimits,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  isWorkLost = false,
): Promise<T> {
  return withRetries(
    { tries: retries + 1, firstMs: backOffMs, factor: 2, longestMs: maxRetryAfterMs },
    signal,
    () => call().catch((error: unknown) => Promise.reject(toModelError(error))),
    (failure) => {
      if (!(failure instanceof ModelError) || !passing.has(failure.kind)) return undefined;
      const isSilence = failure.cause instanceof APIConnectionTimeoutError;
      return isWorkLost && isSilence ? undefined : (failure.retryAfterMs ?? 0);
    },
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
  const askedMs = retryAfterMs(error.headers);
  if (isBeyondContext(error))
    return new ModelError("too_long", sentenceOf("modelTooLong"), undefined, because);
  if (status === undefined)
    return new ModelError("unavailable", sentenceOf("modelUnreachable"), undefined, because);
  if (!isSpent(error) && (status === 429 || status === 402)) {
    return new ModelError("rate_limited", sentenceOf("modelBusy"), askedMs, because);
  }
  // A service that sends calls on to another address is not at this one, and the key does not follow.
  if (status < 400 || isUnknownPath(error)) {
    return new ModelError("bad_answer", sentenceOf("modelIllegible"), undefined, because);
  }
  if (status === 408 || status === 504)
    return new ModelError("timeout", sentenceOf("modelNoAnswer"), undefined, because);
  if (status === 409 || (status >= 500 && !isTooLarge(error))) {
    return new ModelError("unavailable", sentenceOf("modelBroken", { status }), askedMs, because);
  }
  return new ModelError("refused", refusal(error, status), undefined, because);
}

/** llama.cpp's servers refuse a text beyond their batch with 500: it can only be divided, so waiting is useless. */
const isTooLarge = ({ message }: APIError) =>
  /\binput\b.{0,40} too (large to process|big compared)/i.test(message.slice(0, mostText));

/** Characters of a message that are searched. */
const mostText = 1_000;

/** OpenRouter's 403 is also for a question that its moderation flagged. Source: openrouter.ai/docs/errors. */
const isKeyRefused = ({ status, message }: APIError) =>
  status === 401 || (status === 403 && !/\b(flagged|moderation)\b/i.test(message.slice(0, mostText)));

/**
 * The account has no credit, and waiting does not help: 402, or OpenAI's and Anthropic's words for it. With a Retry-After, OpenRouter's
 * 402 means that too many calls run at once. Sources: openrouter.ai/docs/errors, api-docs.deepseek.com/quick_start/error_codes.
 */
function isSpent({ status, code, message, headers }: APIError): boolean {
  if (status === 402) return retryAfterMs(headers) === undefined;
  if (status === 429) return code === "insufficient_quota";
  return status === 400 && /credit balance is too low/i.test(message.slice(0, mostText));
}

/** As OpenAI, vLLM, llama.cpp, LM Studio, Anthropic, Gemini and Groq refuse a request beyond the model's context or the account's limit. */
const beyondContext =
  /context (length|size|window)|maximum.{0,40}\btokens\b|(prompt|input|request)\b.{0,40} too (long|large)/i;

const isBeyondContext = ({ status, code, message }: APIError) =>
  status === 413 ||
  code === "context_length_exceeded" ||
  ((status === 400 || status === undefined) && beyondContext.test(message.slice(0, mostText)));

/** A server's words for a path that it does not have, where others have a model that they do not know. */
const unknownPath = /page not found|file not found|invalid url|no route|"detail":"not found"/i;

const isUnknownPath = ({ status, message }: APIError) =>
  status === 404 && unknownPath.test(message.slice(0, mostText));

function refusal(error: APIError, status: number): string {
  if (isKeyRefused(error)) return sentenceOf("modelKey");
  if (isUnknownModel(error)) return sentenceOf("modelUnknown");
  if (isSpent(error)) return sentenceOf("modelSpent");
  return sentenceOf("modelRefused", { status });
}

/** Providers refuse a name that they do not know with 404, or with 400 or 422 and one of these words. */
const unknownCodes = new Set(["model_not_found", "invalid_model", "invalid_model_name"]);
const unknownWords =
  /\b(invalid|unknown|no such|not a valid) model\b|\bmodel\b.{0,120}\b(not found|not exist|(is|was) (invalid|unknown))/is;

function isUnknownModel(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  const { status, code, type, message } = error;
  if (status === 404) return !isUnknownPath(error);
  if (status !== 400 && status !== 422) return false;
  return (
    unknownCodes.has(code ?? "") ||
    unknownCodes.has(type ?? "") ||
    unknownWords.test(message.slice(0, mostText))
  );
}
