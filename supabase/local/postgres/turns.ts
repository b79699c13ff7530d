// Owns the turns on the engine: one client at a time, first come, first served. Must not know what they do with it.

/** Why a client was removed from the queue; its connection stays usable. */
export class NoTurn extends Error {
  readonly sqlState: "55P03" | "57014";
  constructor(sqlState: "55P03" | "57014", message: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

interface Waiter {
  owner: object;
  enter(): void;
  leave(reason: NoTurn): void;
}

export class Turns {
  readonly #waitMs: number;
  #holder: object | null = null;
  #waiters: Waiter[] = [];

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  holds(owner: object): boolean {
    return this.#holder === owner;
  }

  /**
   * Resolves when it is the owner's turn.
   * @throws NoTurn after the timeout, or when cancelled.
   */
  take(owner: object): Promise<void> {
    if (!this.#holder) {
      this.#holder = owner;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        owner,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
        leave: (reason) => {
          clearTimeout(timer);
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          reject(reason);
        },
      };
      const seconds = Math.round(this.#waitMs / 1000);
      const timer = setTimeout(() => {
        waiter.leave(new NoTurn("55P03", `the database was busy for ${seconds} seconds: try again`));
      }, this.#waitMs);
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
    if (this.#holder !== owner) return;
    const next = this.#waiters.shift();
    this.#holder = next?.owner ?? null;
    next?.enter();
  }
}
