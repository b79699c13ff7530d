// How much one invocation may use. A hosted function is ended at 2 s of CPU or 150 s of wall clock, whatever it is at.

export interface BudgetLimits {
  wallMs: number;
  /** CPU this code spends itself, where the host counts it. */
  cpuMs: number;
  /** The longest that one task is worked on before others get their turn. */
  turnMs: number;
}

export const localLimits: BudgetLimits = { wallMs: 60_000, cpuMs: Number.POSITIVE_INFINITY, turnMs: 15_000 };
/** Well inside what Supabase allows, for the slice in hand has to end too, and talking to the database costs as well. */
export const hostedLimits: BudgetLimits = { wallMs: 90_000, cpuMs: 500, turnMs: 30_000 };

/** One invocation's budget. Every task worked on takes a turn of its own out of it. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #startedAt = performance.now();
  #cpuMs = 0;
  #slices = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  get slices(): number {
    return this.#slices;
  }

  get isSpent(): boolean {
    return performance.now() - this.#startedAt >= this.#limits.wallMs || this.#cpuMs >= this.#limits.cpuMs;
  }

  /** Whether little enough was spent that work may begin which cannot be cut; if not, the invocation ends here. */
  #leavesRoom(): boolean {
    const hasRoom = this.#cpuMs <= this.#limits.cpuMs / 5;
    if (!hasRoom) this.#cpuMs = this.#limits.cpuMs;
    return hasRoom;
  }

  turn(): Turn {
    const startedAt = performance.now();
    return {
      isOver: () => this.isSpent || performance.now() - startedAt >= this.#limits.turnMs,
      endSlice: () => {
        this.#slices++;
      },
      leavesRoom: () => this.#leavesRoom(),
      worksAhead: this.#limits.cpuMs === Number.POSITIVE_INFINITY,
      compute: async (work) => {
        const before = performance.now();
        try {
          return await work();
        } finally {
          this.#cpuMs += performance.now() - before;
        }
      },
    };
  }
}

export interface Turn {
  isOver(): boolean;
  endSlice(): void;
  /** Asked before work of up to a second or two: false ends the invocation, so that the work gets one to itself. */
  leavesRoom(): boolean;
  /** Whether work may begin whose result is thrown away where the turn ends before it is used. */
  worksAhead: boolean;
  /** Runs work that computes and does not wait, and counts its time as CPU. */
  compute<T>(work: () => T | Promise<T>): Promise<T>;
}
