// Owns the work beside indexing that comes up again and again. A chore that fails or takes long is nobody else's problem: its
// failure is logged, it never runs twice at once, and nobody has to wait for it. Does not know what the chores do.
import { log } from "../_shared/operation/log.ts";

/** Each holds a connection to the database, of which the tasks beside them and other workers need some. */
const atOnce = 4;

export class Chores {
  readonly #chores: Record<string, () => Promise<void>>;
  readonly #running = new Set<string>();

  constructor(chores: Record<string, () => Promise<void>>) {
    this.#chores = chores;
  }

  /** Starts every chore that is not still running, a few at a time. @returns when those have ended; never rejects */
  async start(): Promise<void> {
    const idle = Object.entries(this.#chores).filter(([name]) => !this.#running.has(name));
    for (const [name] of idle) this.#running.add(name);
    const lane = async () => {
      for (let next = idle.shift(); next; next = idle.shift()) await this.#run(...next);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  /** Waits for what start() gave, no longer than so many milliseconds. */
  async settled(started: Promise<void>, ms: number): Promise<void> {
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
