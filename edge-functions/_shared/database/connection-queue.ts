// Owns the order in which transactions get a connection. Must not know connections.

/**
 * What waits, in the order in which it is served. Reads are short, and one is what a question's search is: of many questions asked at
 * once, the first is answered while the last still waits to be stored, and a reader waits for none of them to be stored.
 */
const kinds = ["read", "question", "change"] as const;
export type TransactionKind = (typeof kinds)[number];

/**
 * Milliseconds after which a transaction comes before all that came later, whatever their kind. Otherwise a stream of reads would hold
 * changes up forever.
 */
const longMs = 1000;

type Waiter = { kind: TransactionKind; since: number; enter(): void };

export class ConnectionQueue {
  #free: number;
  readonly #waiters = new Map<TransactionKind, Waiter[]>(kinds.map((kind) => [kind, []]));

  /** @param size how many transactions may run at once */
  constructor(size: number) {
    this.#free = size;
  }

  /** Resolves when the transaction may run. It must call leave() at its end. */
  async enter(kind: TransactionKind): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((enter) => {
      this.#waiters.get(kind)?.push({ kind, since: performance.now(), enter });
    });
  }

  /** Lets the next one in. */
  leave(): void {
    const firsts = [...this.#waiters.values()].flatMap(([first]) => first ?? []);
    const [oldest] = firsts.toSorted((one, other) => one.since - other.since);
    const isLong = oldest && performance.now() - oldest.since > longMs;
    const next = isLong ? oldest : firsts[0];
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiters.get(next.kind)?.shift();
    next.enter();
  }
}
