// What the claims of every queue have in common: a lease that a heartbeat renews, and a signal that ends the work. Which row is next is
// for each queue's SQL; what a claim may write is for each queue's module.
import { asService, type Transaction } from "../database/db.ts";
import type { Due } from "../operation/metrics.ts";

/** How long a claim holds without a heartbeat; after that another worker may take over. */
export const leaseSeconds = 20;
const heartbeatMs = 4_000;
const restMs = 20;

/** Another worker has it now, or it was deleted: nothing may be written any more. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

/** Somebody asked the work to stop, or this process is about to end and another one goes on. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor(readonly reason: "stop" | "shutdown") {
    super(reason);
  }
}

/** What a worker holds until it ends it, loses it, or falls silent. */
export abstract class Lease {
  readonly #abort = new AbortController();
  readonly #heartbeat = setInterval(() => void this.#beat(), heartbeatMs);

  /** Aborted, with the reason, when the claim is lost, the work is to stop or the process is. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  interrupt(reason: Interrupted | ClaimLost): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(reason);
  }

  /** Stops the heartbeat; where nothing ends the claim, the lease runs out by itself. */
  release(): void {
    clearInterval(this.#heartbeat);
  }

  /** Writes that this worker is alive. @throws ClaimLost */
  protected abstract renew(): Promise<void>;

  async #beat(): Promise<void> {
    try {
      await this.renew();
    } catch (error) {
      // A database that is away for a moment is no reason to give up: the lease decides.
      if (error instanceof ClaimLost) this.interrupt(error);
    }
  }
}

/** The claims that this process works on. */
export class HeldLeases<T extends Lease> extends Set<T> {
  /** Has all of them put down, for a process that ends. Resolves when they are, or after `mostMs`. */
  async putDown(mostMs: number): Promise<void> {
    for (const lease of this) lease.interrupt(new Interrupted("shutdown"));
    for (let waitedMs = 0; this.size > 0 && waitedMs < mostMs; waitedMs += restMs)
      await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}

/**
 * How many rows could be claimed now, and for how many seconds the first of them could have been.
 * @param waiting the queue's table and the condition of its index, `table where status = …`
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
