// Owns syncing the engine's log for its answers: one sync at a time, and one more for all that were asked for meanwhile, as Postgres's
// group commit. Opens the log's files itself, since the engine's descriptors end with its thread. Runs in the server's thread.

import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../error-code.ts";

/** A file of the log, as far as it is synced. */
export type LogFile = Pick<FileHandle, "datasync" | "close">;
type OpenLog = (path: string) => Promise<LogFile>;

/** The syncs of one engine. After a failed one all that follow fail: the kernel reports lost bytes once and would confirm the next sync. */
export class GroupSync {
  readonly #folder: string;
  readonly #open: OpenLog;
  #name = "";
  #opened: { name: string; file: LogFile } | null = null;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** @param folder of the database */
  constructor(folder: string, openLog: OpenLog = (path) => open(path, "r+")) {
    this.#folder = join(folder, "pg_wal");
    this.#open = openLog;
  }

  /** Resolves when all that is asked for so far is on the disk; null when it is. */
  get pending(): Promise<void> | null {
    return this.#next ?? this.#running;
  }

  /** Syncs what was written so far. @param name of the log's newest file: the engine syncs an earlier one when it closes it */
  ask(name: string): void {
    this.#name = name;
    if (this.#next) return;
    if (this.#running) this.#next = this.#running.then(() => this.#syncNext());
    else this.#running = this.#sync();
    // Those who wait for it learn of a failure.
    this.pending?.catch(() => {});
  }

  /** Closes the file once all is on the disk that was asked for. Never rejects. */
  async close(): Promise<void> {
    await this.pending?.catch(() => {});
    await this.#opened?.file.close().catch(() => {});
    this.#opened = null;
  }

  #syncNext(): Promise<void> {
    this.#next = null;
    this.#running = this.#sync();
    return this.#running;
  }

  async #sync(): Promise<void> {
    const file = await this.#newest();
    await file?.datasync();
    this.#running = null;
  }

  /** The log's newest file; null when the engine has removed it, and thus synced it before. */
  async #newest(): Promise<LogFile | null> {
    const name = this.#name;
    if (this.#opened?.name !== name) {
      await this.#opened?.file.close();
      this.#opened = null;
      const file = await this.#open(join(this.#folder, name)).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return null;
        throw error;
      });
      if (!file) return null;
      this.#opened = { name, file };
    }
    return this.#opened.file;
  }
}
