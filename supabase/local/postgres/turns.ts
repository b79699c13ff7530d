// Owns the turns on the engine: one client at a time. Of several waiting clients, the next is one whose caller has used the engine least
// (start-time fair queueing: Goyal, Vin and Cheng 1996). Of one caller it is the first to come; whoever has waited for 2 s comes before all
// others. Must not know what they do with a turn.

import { Patience } from "./patience.ts";
import { SqlError } from "./protocol.ts";

/** Why a client was removed from the queue; its connection stays usable. */
export class NoTurn extends SqlError {}

/** A wait after which a client comes next. Otherwise a stream of new callers would keep an earlier caller waiting forever. */
const longMs = 2000;

interface Waiter {
  owner: object;
  caller: unknown;
  since: number;
  enter(): void;
  leave(reason: NoTurn): void;
}

export class Turns {
  readonly #waitMs: number;
  #holder: { owner: object; caller: unknown; since: number } | null = null;
  #waiters: Waiter[] = [];
  /** Milliseconds that callers have used, where that is more than #least. All others count as #least, so that nobody saves up turns. */
  readonly #used = new Map<unknown, number>();
  /** The time that the holder's caller had used when its turn started. */
  #least = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  holds(owner: object): boolean {
    return this.#holder?.owner === owner;
  }

  /**
   * Resolves when it is the owner's turn.
   * @param caller for whom it runs: all turns of a caller count together.
   * @throws NoTurn after the timeout, or when cancelled.
   */
  take(owner: object, caller: unknown = owner): Promise<void> {
    if (!this.#holder) {
      this.#begin(owner, caller);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        owner,
        caller,
        since: performance.now(),
        enter: () => {
          endWait();
          resolve();
        },
        leave: (reason) => {
          endWait();
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          reject(reason);
        },
      };
      const seconds = Math.round(this.#waitMs / 1000);
      const endWait = new Patience(this.#waitMs).whenOver(() => {
        waiter.leave(new NoTurn("55P03", `the database was busy for ${seconds} seconds: try again`));
      });
      this.#waiters.push(waiter);
    });
  }

  /** Removes the owner from the queue, if it waits there. */
  cancel(owner: object, reason: NoTurn): boolean {
    const waiter = this.#waiters.find((each) => each.owner === owner);
    waiter?.leave(reason);
    return waiter !== undefined;
  }

  /** Ends the owner's turn and starts the next. */
  give(owner: object): void {
    if (this.#holder?.owner !== owner) return;
    const { caller, since } = this.#holder;
    this.#holder = null;
    const now = performance.now();
    this.#used.set(caller, this.#usedBy(caller) + now - since);
    let next = this.#waiters[0];
    for (const waiter of this.#waiters) {
      if (!next || now - next.since > longMs) break;
      if (this.#usedBy(waiter.caller) < this.#usedBy(next.caller)) next = waiter;
    }
    if (!next) {
      this.#used.clear();
      return;
    }
    this.#waiters = this.#waiters.filter((other) => other !== next);
    this.#begin(next.owner, next.caller);
    next.enter();
  }

  #begin(owner: object, caller: unknown): void {
    this.#holder = { owner, caller, since: performance.now() };
    this.#least = this.#usedBy(caller);
    for (const [each, used] of this.#used) if (used <= this.#least) this.#used.delete(each);
  }

  #usedBy(caller: unknown): number {
    return this.#used.get(caller) ?? this.#least;
  }
}
