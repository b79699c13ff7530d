// Owns the order in which transactions get a connection. Must not know connections.

/**
 * What waits, in the order in which it is served. Reads are short, and one is what a question's search is: of many questions asked at
 * once, the first is answered while the last still waits to be stored, and a reader waits for none of them to be stored.
 */
const kinds = ["read", "question", "change"] as const;
export type TransactionKind = (typeof kinds)[number];

export type Turn = {
  kind: TransactionKind;
  /** The person, API key, agent or visitor; undefined for the service. */
  caller?: string | undefined;
};

/**
 * Milliseconds after which a transaction comes before all that came later, whatever their kind. Otherwise a stream of reads would hold
 * changes up forever.
 */
const longMs = 1000;

type Waiter = Turn & { since: number; enter(): void };

export class ConnectionQueue {
  readonly #size: number;
  #free: number;
  /** In the order in which they came. */
  readonly #waiters: Waiter[] = [];
  /** How many transactions of each caller run. */
  readonly #running = new Map<string, number>();

  /** @param size how many transactions may run at once */
  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  /** Resolves when the transaction may run. It must call leave() at its end. */
  async enter({ kind, caller }: Turn): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      this.#count(caller, 1);
      return;
    }
    await new Promise<void>((enter) => {
      this.#waiters.push({ kind, caller, since: performance.now(), enter });
    });
  }

  /** Lets the next one in. @param turn that ends */
  leave({ caller }: Turn): void {
    this.#count(caller, -1);
    const next = this.#next();
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiters.splice(this.#waiters.indexOf(next), 1);
    this.#count(next.caller, 1);
    next.enter();
  }

  /** Of those whose caller does not hold half of the connections already, if there are any. */
  #next(): Waiter | undefined {
    const others = this.#waiters.filter(({ caller }) => !this.#holdsHalf(caller));
    const waiters = others.length > 0 ? others : this.#waiters;
    const [oldest] = waiters;
    if (oldest && performance.now() - oldest.since > longMs) return oldest;
    const firsts = kinds.map((kind) => waiters.find((waiter) => waiter.kind === kind));
    return firsts.find((first) => first !== undefined);
  }

  #holdsHalf(caller: string | undefined): boolean {
    return caller !== undefined && (this.#running.get(caller) ?? 0) >= Math.max(1, this.#size / 2);
  }

  #count(caller: string | undefined, change: number): void {
    if (caller === undefined) return;
    const running = (this.#running.get(caller) ?? 0) + change;
    if (running > 0) this.#running.set(caller, running);
    else this.#running.delete(caller);
  }
}
