// Owns how a call to a model fails: one typed error for every cause, and which failures are tried again.
import { APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";

export type ModelErrorKind = "refused" | "rate_limited" | "timeout" | "unavailable" | "bad_answer";

/**
 * The one way in which a model call fails. `refused`: the request or the key is wrong, trying again is useless;
 * `rate_limited`: try after `retryAfterMs`; `timeout`, `unavailable`: try later; `bad_answer`: it broke the protocol.
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

export type RetryLimits = {
  retries: number;
  /** A provider that asks for a longer wait than this is not waited for. */
  maxRetryAfterMs: number;
  backOffMs: number;
};

/** Calls again after failures that pass, as long as the wait that is asked for is bearable. */
export async function retried<T>(
  limits: RetryLimits,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toModelError(error);
      const wait = failure.retryAfterMs ?? limits.backOffMs * 2 ** attempt * (0.75 + Math.random() / 2);
      const again =
        failure.kind === "rate_limited" || failure.kind === "unavailable" || failure.kind === "timeout";
      if (!again || attempt >= limits.retries || wait > limits.maxRetryAfterMs) throw failure;
      await pause(wait, signal);
    }
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The provider's own words stay in `cause`: they can name keys and accounts. */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const because = { cause: error };
  // A call that its caller ends throws the caller's own reason: what is aborted here took too long.
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return new ModelError("timeout", "The model did not answer in time.", undefined, because);
  }
  if (!(error instanceof APIError)) {
    const broken = error instanceof SyntaxError;
    return broken
      ? new ModelError("bad_answer", "The model's answer could not be read.", undefined, because)
      : new ModelError("unavailable", "The connection to the model was lost.", undefined, because);
  }
  const { status } = error;
  if (status === undefined)
    return new ModelError("unavailable", "The model cannot be reached.", undefined, because);
  // A used-up quota is also a 429, but waiting does not help.
  if (status === 429 && error.code !== "insufficient_quota") {
    return new ModelError(
      "rate_limited",
      "The model has too much to do.",
      retryAfterOf(error.headers),
      because,
    );
  }
  if (status === 408 || status === 504)
    return new ModelError("timeout", "The model did not answer in time.", undefined, because);
  if (status === 409 || status >= 500) {
    return new ModelError(
      "unavailable",
      `The model is out of order (${status}).`,
      retryAfterOf(error.headers),
      because,
    );
  }
  return new ModelError("refused", refusal(status), undefined, because);
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return "The model's provider does not accept the key.";
  if (status === 404) return "The model's provider does not know this model.";
  if (status === 429) return "The account at the model's provider is used up.";
  return `The model refused the request (${status}).`;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterOf(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const after = headers?.get("retry-after");
  if (!after) return undefined;
  const seconds = Number(after);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

export function refusesTemperature(error: unknown): boolean {
  return error instanceof APIError && error.status === 400 && error.param === "temperature";
}
