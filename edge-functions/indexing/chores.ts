// Owns the recurring background work of a tick. A chore's failure is logged, no chore runs twice at once, and nothing waits for
// a slow one. Does not know what the chores do.
import { log } from "../_shared/operation/log.ts";

/** Each chore holds a database connection; tasks and other workers need some too. */
const atOnce = 4;

export class Chores {
  readonly #chores: Record<string, () => Promise<void>>;
  readonly #running = new Set<string>();

  constructor(chores: Record<string, () => Promise<void>>) {
    this.#chores = chores;
  }

  /**
   * Starts every chore that is not still running, at most `atOnce` in parallel. @returns when those have ended; never rejects
   */
  async start(): Promise<void> {
    const idle = Object.entries(this.#chores).filter(([name]) => !this.#running.has(name));
    for (const [name] of idle) this.#running.add(name);
    const lane = async () => {
      for (let next = idle.shift(); next; next = idle.shift()) await this.#run(...next);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  /** Waits for the promise of start(), at most `ms`. */
  async waitFor(started: Promise<void>, ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([started, late]);
    clearTimeout(timer);
  }

  async #run(name: string, chore: () => Promise<void>): Promise<void> {
    try {
      await chore();
    } catch (error) {
      log("error", "a chore failed", {
        chore: name,
        error: error instanceof Error ? error.message : String(error),
      });
    } finally {
      this.#running.delete(name);
    }
  }
}
