// Owns how much one invocation may use. A hosted function is ended at 2 s of CPU or 150 s of wall clock, whatever it is doing.

export interface BudgetLimits {
  wallMs: number;
  /** CPU time that our own code uses, on hosts that count it. */
  cpuMs: number;
  /** The longest turn of one task before other tasks get theirs. */
  turnMs: number;
}

export const localLimits: BudgetLimits = { wallMs: 60_000, cpuMs: Number.POSITIVE_INFINITY, turnMs: 15_000 };
/** Well below Supabase's limits: the current slice has to end too, and database calls cost CPU as well. */
export const hostedLimits: BudgetLimits = { wallMs: 90_000, cpuMs: 500, turnMs: 30_000 };

/** The budget of one invocation. Every task gets a turn of its own from it. */
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

  /** True when enough CPU is left for work that cannot be split; otherwise ends the invocation. */
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
  /**
   * Call before work of up to a second or two that cannot be split. False ends the invocation, so that the work gets one to
   * itself.
   */
  leavesRoom(): boolean;
  /** True when work may start whose result is lost if the turn ends first. */
  worksAhead: boolean;
  /** Runs CPU-bound work and counts its duration as CPU time. */
  compute<T>(work: () => T | Promise<T>): Promise<T>;
}
