// Owns a time limit that a machine uses up only while it runs: after a sleep of the laptop, or a pause of the container, what had been sent
// before is read first, and its sender is not the one who was slow.

/** What a standstill costs at most, of a limit and in all. */
const longestShare = 0.1;
const longestStepMs = 1000;

export class Patience {
  #left: number;
  readonly #stepMs: number;

  constructor(ms: number) {
    this.#left = ms;
    this.#stepMs = Math.min(ms * longestShare, longestStepMs);
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Calls back after a step of the time that is left. @returns ends the wait, and counts it */
  step(passed: () => void): () => void {
    const ms = Math.min(this.#left, this.#stepMs);
    const since = performance.now();
    const timer = setTimeout(() => {
      this.#left -= ms;
      passed();
    }, ms);
    return () => {
      clearTimeout(timer);
      this.#left -= Math.min(performance.now() - since, ms);
    };
  }

  /** Calls back when the time is over. @returns ends the wait */
  whenOver(passed: () => void): () => void {
    let end: () => void;
    const next = () => {
      if (this.isOver) passed();
      else end = this.step(next);
    };
    end = this.step(next);
    return () => end();
  }
}
