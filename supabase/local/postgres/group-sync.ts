// Owns syncing the engine's log for its answers: one sync at a time, and one more for all that were asked for meanwhile, as Postgres's
// group commit. Runs in the server's thread.

import { fdatasync } from "node:fs";

type SyncFile = (descriptor: number, done: (error: Error | null) => void) => void;

export class GroupSync {
  readonly #syncFile: SyncFile;
  #descriptor = -1;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(syncFile: SyncFile = fdatasync) {
    this.#syncFile = syncFile;
  }

  /** Resolves when all that is asked for so far is on the disk; null when it is. */
  get pending(): Promise<void> | null {
    return this.#next ?? this.#running;
  }

  /** Syncs what was written so far. @param descriptor of the log's newest file: the engine syncs an earlier one when it closes it */
  ask(descriptor: number): void {
    this.#descriptor = descriptor;
    if (!this.#running) this.#running = this.#sync();
    else this.#next ??= this.#running.catch(() => {}).then(() => this.#syncNext());
    // Those who wait for it learn of a failure.
    this.pending?.catch(() => {});
  }

  #syncNext(): Promise<void> {
    this.#next = null;
    this.#running = this.#sync();
    return this.#running;
  }

  #sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#syncFile(this.#descriptor, (error) => {
        this.#running = null;
        // Closed meanwhile, and synced before that.
        if (error && !("code" in error && error.code === "EBADF")) reject(error);
        else resolve();
      });
    });
  }
}
