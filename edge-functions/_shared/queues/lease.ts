// Owns what every queue's claims share: a lease that a heartbeat renews, and a signal that aborts the work. Each queue's SQL chooses the
// next row; each queue's module decides what a claim may write.
import { asService, type Transaction } from "../database/db.ts";
import type { Due } from "../operation/metrics.ts";

/** How long a claim lasts without a heartbeat. After that another worker may take over. */
export const leaseSeconds = 20;
const heartbeatMs = 4_000;
/** A renewal that takes longer waits for a lock, or for a connection that a broken network took away: another one is tried beside it. */
const longRenewalMs = 2 * heartbeatMs;
/** Each holds a connection: more of them would leave the process none. */
const mostRenewals = 2;
const restMs = 20;

/** Another worker holds the claim, or the row was deleted: nothing may be written any more. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

/** The work was asked to stop, or this process is shutting down and another one takes over. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor(readonly reason: "stop" | "shutdown") {
    super(reason);
  }
}

/** A worker's claim, until it ends it, loses it or stops renewing it. */
export abstract class Lease {
  readonly #abort = new AbortController();
  readonly #heartbeat = setInterval(() => void this.#beat(), heartbeatMs);
  #renewals = 0;
  #renewedAt = 0;

  /** Aborted, with the reason, when the claim is lost, the work is stopped or the process shuts down. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The first reason counts. */
  interrupt(reason: Interrupted | ClaimLost): void {
    this.#abort.abort(reason);
  }

  /** Stops the heartbeat. A claim that is not ended expires. */
  release(): void {
    clearInterval(this.#heartbeat);
  }

  /** Renews the lease. @throws ClaimLost */
  protected abstract renew(): Promise<void>;

  async #beat(): Promise<void> {
    const isLong = performance.now() - this.#renewedAt >= longRenewalMs;
    if (this.#renewals > 0 && (!isLong || this.#renewals >= mostRenewals)) return;
    this.#renewals += 1;
    this.#renewedAt = performance.now();
    try {
      await this.renew();
    } catch (error) {
      // A brief database outage does not end the claim: the lease decides.
      if (error instanceof ClaimLost) this.interrupt(error);
    } finally {
      this.#renewals -= 1;
    }
  }
}

/** The claims of this process. */
export class HeldLeases<T extends Lease> extends Set<T> {
  /** Interrupts all claims, for shutdown. Resolves when they are released, or after `mostMs`. */
  async putDown(mostMs: number): Promise<void> {
    for (const lease of this) lease.interrupt(new Interrupted("shutdown"));
    for (let waitedMs = 0; this.size > 0 && waitedMs < mostMs; waitedMs += restMs)
      await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}

/**
 * Number of rows that can be claimed now, and seconds since the first became claimable.
 * @param waiting the queue's table and its index condition, `table where status = …`
 */
export async function depthOf(waiting: (tx: Transaction) => ReturnType<Transaction>): Promise<Due> {
  const [row] = await asService(
    (tx) => tx<Due[]>`
      select count(*) as depth,
             coalesce(extract(epoch from clock_timestamp() - min(run_after)), 0)::float8 as age_seconds
        from ${waiting(tx)} and run_after <= clock_timestamp()
         and (lease_until is null or lease_until < clock_timestamp())`,
  );
  return row ?? { depth: 0, ageSeconds: 0 };
}
