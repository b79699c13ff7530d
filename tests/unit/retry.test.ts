// Retries: delay, number, retryable failures, and Retry-After.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retryAfterMs, sleep, waitMs, withRetries } from "../../edge-functions/_shared/outbound/retry.ts";
import fc from "../support/property-cases.ts";

const policy = { firstMs: 100, factor: 3, longestMs: 1_000, tries: 4 };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a delay", () => {
  test("grows by the factor up to the maximum", () => {
    expect([0, 1, 2, 3, 4].map((attempt) => waitMs(policy, attempt))).toEqual([100, 100, 300, 900, 1_000]);
  });

  test("is shortened by up to a half, and never below the requested wait", () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    const law = fc.property(fc.nat(20), fc.nat(3_000), chance, (attempt, askedMs, drawn) => {
      const longest = waitMs(policy, attempt, 0, () => 0);
      const wait = waitMs(policy, attempt, askedMs, () => drawn);
      expect(wait).toBeCloseTo(Math.max(longest - (longest / 2) * drawn, askedMs), 6);
    });
    fc.assert(law);
  });
});

describe("a failing call", () => {
  const passing = () => 0;
  /** The time of each attempt, and the result. */
  async function recordAttempts(
    passes: (failure: unknown) => number | undefined,
    { good = Number.POSITIVE_INFINITY, signal }: { good?: number; signal?: AbortSignal } = {},
  ) {
    const began = Date.now();
    const at: number[] = [];
    const made = withRetries(
      policy,
      signal,
      async () => {
        at.push(Date.now() - began);
        if (at.length < good) throw new Error(`failure ${at.length}`);
        return "answer";
      },
      passes,
    ).catch((error: Error) => error.message);
    await vi.runAllTimersAsync();
    return { at, answer: await made };
  }

  test("is retried after growing delays, until it succeeds", async () => {
    expect(await recordAttempts(passing, { good: 1 })).toEqual({ at: [0], answer: "answer" });
    expect(await recordAttempts(passing, { good: 3 })).toEqual({ at: [0, 100, 400], answer: "answer" });
  });

  test("is retried as often as the policy says, and its last failure is thrown", async () => {
    expect(await recordAttempts(passing)).toEqual({ at: [0, 100, 400, 1_300], answer: "failure 4" });
  });

  test("is not retried after a permanent failure", async () => {
    expect(await recordAttempts(() => undefined)).toEqual({ at: [0], answer: "failure 1" });
    const second = (failure: unknown) => ((failure as Error).message.endsWith("2") ? undefined : 0);
    expect(await recordAttempts(second)).toEqual({ at: [0, 100], answer: "failure 2" });
  });

  test("waits as long as requested, up to the maximum", async () => {
    expect((await recordAttempts(() => 1_000, { good: 2 })).at).toEqual([0, 1_000]);
    expect(await recordAttempts(() => 1_001)).toEqual({ at: [0], answer: "failure 1" });
  });

  test("ends with the signal's reason, during an attempt and between two", async () => {
    const call = new AbortController();
    const during = recordAttempts(
      () => {
        throw new Error("not asked");
      },
      { signal: AbortSignal.abort(new Error("stopped")) },
    );
    expect(await during).toEqual({ at: [0], answer: "stopped" });
    setTimeout(() => call.abort(new Error("stopped later")), 50);
    expect(await recordAttempts(passing, { signal: call.signal })).toEqual({
      at: [0],
      answer: "stopped later",
    });
  });
});

describe("a sleep", () => {
  test("lasts its duration, and leaves no timer", async () => {
    const call = new AbortController();
    const removed = vi.spyOn(call.signal, "removeEventListener");
    const woken = vi.fn();
    void sleep(50, call.signal).then(woken);
    void sleep(50).then(woken);
    await vi.advanceTimersByTimeAsync(49);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledTimes(2);
    expect(removed).toHaveBeenCalledOnce();
  });

  test("ends at once on abort, before or during", async () => {
    await expect(sleep(50, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    const call = new AbortController();
    const slept = sleep(50, call.signal);
    call.abort(new Error("meanwhile"));
    await expect(slept).rejects.toThrow("meanwhile");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("Retry-After", () => {
  const of = (headers: Record<string, string>) => retryAfterMs(new Headers(headers));

  test.each([
    [{ "retry-after-ms": "1500.5" }, 1_500.5],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
    [{ "retry-after-ms": "-1", "retry-after": "1.5" }, 1_500],
    [{ "retry-after-ms": "90000000" }, 86_400_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "90000" }, 86_400_000],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "soon" }, undefined],
  ])("%j", (headers, ms) => expect(of(headers as Record<string, string>)).toBe(ms));

  test("is a date by the service's own clock, or else by ours, at most a day away", () => {
    const date = "Wed, 21 Oct 2026 07:28:00 GMT";
    expect(of({ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date })).toBe(30_000);
    expect(of({ "retry-after": "Wed, 21 Oct 2026 07:27:30 GMT", date })).toBe(0);
    expect(of({ "retry-after": "Sat, 24 Oct 2026 07:28:30 GMT", date })).toBe(86_400_000);
    vi.setSystemTime(Date.parse(date));
    expect(of({ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" })).toBe(30_000);
    expect(of({ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date: "today" })).toBe(30_000);
  });

  test("is nothing without headers", () => {
    expect(retryAfterMs(undefined)).toBeUndefined();
  });
});
