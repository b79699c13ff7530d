// Owns the order in which the engine's files reach the disk. The write-ahead log is synced by the server's thread while the engine goes on,
// and answers wait for that (engine.ts). Whatever else Postgres changes on the disk waits for the log here, as Postgres itself requires.
// Runs in the engine's thread.

import { fdatasyncSync } from "node:fs";
import { basename } from "node:path";

/** An open file or folder of Emscripten's file system. */
interface OpenFile {
  path?: string;
  /** Node's descriptor. */
  nfd?: number;
}

type Operation = (...values: unknown[]) => unknown;

/** Emscripten's file system over Node's, as far as files change. */
export interface NodeFiles {
  stream_ops: Record<string, Operation>;
  node_ops: Record<string, Operation>;
}

/** Operations by name that change files other than through an open one: lengths, names. */
const changes = ["setattr", "rename", "unlink", "rmdir"];

const isLog = ({ path }: OpenFile) => path?.includes("/pg_wal/") ?? false;

export class DiskOrder {
  /** The file of the log that may have bytes which are not on the disk. */
  #log: number | null = null;
  /** Its name, until the server's thread knows of it. */
  #untold: string | null = null;

  /** PGlite reports Postgres's fsync as done without syncing. From here on a file's length and data are synced, without its times. */
  govern({ stream_ops, node_ops }: NodeFiles): void {
    const before = (
      operations: Record<string, Operation>,
      name: string,
      isLate: (file: OpenFile) => boolean,
    ) => {
      const original = operations[name];
      if (!original) throw new Error(`this build of PGlite has no ${name}`);
      operations[name] = (...values) => {
        if (this.#log !== null && isLate(values[0] as OpenFile)) this.#syncLog();
        return original(...values);
      };
    };
    before(stream_ops, "write", (file) => !isLog(file));
    // The length of an open file: how Postgres shortens a table.
    before(stream_ops, "setattr", () => true);
    before(stream_ops, "close", ({ nfd }) => nfd === this.#log);
    for (const name of changes) before(node_ops, name, () => true);
    stream_ops.fsync = (file) => {
      this.#sync(file as OpenFile);
      return 0;
    };
  }

  /** The name of the log's file that the next answer must wait for; null when there is none. */
  take(): string | null {
    const untold = this.#untold;
    this.#untold = null;
    return untold;
  }

  #sync(file: OpenFile): void {
    const { nfd, path = "" } = file;
    if (nfd === undefined) return;
    if (this.#log !== null && (this.#log !== nfd || !isLog(file))) this.#syncLog();
    if (isLog(file)) {
      this.#log = nfd;
      this.#untold = basename(path);
    } else fdatasyncSync(nfd);
  }

  #syncLog(): void {
    if (this.#log !== null) fdatasyncSync(this.#log);
    this.#log = null;
    this.#untold = null;
  }
}
