// How often a recurring job runs.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atMostEvery } from "../../edge-functions/_shared/queues/at-most-every.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("runs a job at once, and again only after its interval", async () => {
  const job = vi.fn(async () => {});
  const sweep = atMostEvery(60_000, job);
  await sweep();
  await sweep();
  vi.advanceTimersByTime(59_999);
  await sweep();
  expect(job).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await sweep();
  expect(job).toHaveBeenCalledTimes(2);
});

test("passes a failure on, and waits after it too", async () => {
  const job = vi.fn(() => Promise.reject(new Error("no database")));
  const sweep = atMostEvery(60_000, job);
  await expect(sweep()).rejects.toThrow("no database");
  await sweep();
  expect(job).toHaveBeenCalledTimes(1);
});
