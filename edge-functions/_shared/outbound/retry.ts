// Owns the delay before a retry: a service's Retry-After, and the back-off. Must not know a service.

/** Exponential back-off: `firstMs`, then `factor` times as long each time, up to `longestMs`. */
export interface BackOff {
  firstMs: number;
  factor: number;
  longestMs: number;
}

/** Number of attempts, the first included. The call fails if a service asks for a longer wait than the longest. */
export interface RetryPolicy extends BackOff {
  tries: number;
}

/**
 * Milliseconds to wait after attempt `attempt`, the first of which is 1. Jitter shortens the wait by up to a half, so that calls that
 * failed together do not retry together. Never shorter than the service asked for.
 */
export function waitMs(
  { firstMs, factor, longestMs }: BackOff,
  attempt: number,
  askedMs = 0,
  random: () => number = Math.random,
): number {
  const longer = Math.min(longestMs, firstMs * factor ** Math.max(0, attempt - 1));
  return Math.max(longer * (1 - random() / 2), askedMs);
}

/**
 * Retries transient failures.
 * @param passes returns the wait that a failure asks for, 0 if it names none, undefined for a permanent failure
 * @throws the last failure; the signal's reason
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  passes: (failure: unknown) => number | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (failure) {
      signal?.throwIfAborted();
      const askedMs = passes(failure);
      if (askedMs === undefined || attempt >= policy.tries || askedMs > policy.longestMs) throw failure;
      await sleep(waitMs(policy, attempt, askedMs), signal);
    }
  }
}

/** Retry-After in milliseconds, at most a day: seconds, or a date, which is compared with the service's own clock if it sends one. */
export function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = headers?.get("retry-after-ms")?.trim();
  if (ms && /^\d+(\.\d+)?$/.test(ms)) return Math.min(Number(ms), dayMs);
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, dayMs);
  const until = Date.parse(value);
  const now = Date.parse(headers?.get("date") ?? "") || Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, Math.min(until - now, dayMs));
}

const dayMs = 86_400_000;

/** @throws the signal's reason */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  });
}
