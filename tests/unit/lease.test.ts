// The heartbeat of a worker's claim.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ClaimLost, Lease, leaseSeconds } from "#edge-functions/_shared/queues/lease.ts";

/** Longer than one heartbeat. */
const shortMs = 7_000;
/** Longer than three heartbeats. */
const longMs = 15_000;

interface Renewal {
  succeed: () => void;
  fail: (error: Error) => void;
}

class Claim extends Lease {
  renewals: Renewal[] = [];

  protected renew(): Promise<void> {
    return new Promise((succeed, fail) => this.renewals.push({ succeed, fail }));
  }
}

let claim: Claim;
beforeEach(() => {
  vi.useFakeTimers();
  claim = new Claim();
});
afterEach(() => {
  claim.release();
  vi.useRealTimers();
});

it("waits for a renewal that is under way before the next one", async () => {
  await vi.advanceTimersByTimeAsync(shortMs);
  expect(claim.renewals).toHaveLength(1);
  claim.renewals[0]?.succeed();
  await vi.advanceTimersByTimeAsync(shortMs);
  expect(claim.renewals).toHaveLength(2);
});

it("tries one more beside a renewal that is not answered, before the lease is over", async () => {
  await vi.advanceTimersByTimeAsync(longMs);
  expect(claim.renewals).toHaveLength(2);
  expect(longMs).toBeLessThan(leaseSeconds * 1000);
  await vi.advanceTimersByTimeAsync(10 * longMs);
  expect(claim.renewals).toHaveLength(2);
  claim.renewals[1]?.succeed();
  await vi.advanceTimersByTimeAsync(shortMs);
  expect(claim.renewals).toHaveLength(3);
});

it("goes on after a renewal that failed", async () => {
  await vi.advanceTimersByTimeAsync(shortMs);
  claim.renewals[0]?.fail(new Error("The database is away"));
  await vi.advanceTimersByTimeAsync(shortMs);
  expect(claim.renewals).toHaveLength(2);
  expect(claim.signal.aborted).toBe(false);
});

it("aborts the work when a renewal finds the claim lost", async () => {
  await vi.advanceTimersByTimeAsync(longMs);
  const lost = new ClaimLost("another worker holds it");
  claim.renewals[0]?.fail(lost);
  await vi.advanceTimersByTimeAsync(0);
  expect(claim.signal.reason).toBe(lost);
});
