// Owns the work beside indexing that comes up again and again. A chore that fails or takes long is nobody else's problem: its
// failure is logged, it never runs twice at once, and nobody has to wait for it. Does not know what the chores do.
import { log } from "../_shared/log.ts";

export class Chores {
  readonly #chores: Record<string, () => Promise<void>>;
  readonly #running = new Set<string>();

  constructor(chores: Record<string, () => Promise<void>>) {
    this.#chores = chores;
  }

  /** Starts every chore that is not still running. @returns when those have ended; never rejects */
  async start(): Promise<void> {
    const idle = Object.entries(this.#chores).filter(([name]) => !this.#running.has(name));
    await Promise.all(idle.map(([name, chore]) => this.#run(name, chore)));
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
    this.#running.add(name);
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
