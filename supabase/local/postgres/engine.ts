// Owns the life of the engine's thread: starts it, runs one batch at a time, ends it when a statement exceeds its limit
// or it crashes, and starts the next. Must not know clients: the caller of run() holds the turn.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  type WorkerOptions,
} from "node:worker_threads";
import { diskFull, Fatal } from "../fatal.ts";
import { explainFailedStart, isFull } from "./data-folder.ts";
import {
  type Done,
  type EngineOptions,
  type FromEngine,
  type Session,
  Shared,
  type ToEngine,
} from "./engine-messages.ts";
import { GroupSync } from "./group-sync.ts";
import { Patience } from "./patience.ts";
import { SqlError } from "./protocol.ts";

export type Log = (
  level: "info" | "warn" | "error",
  message: string,
  facts?: Record<string, unknown>,
) => void;

export interface Client {
  processId: number;
  session: Session;
  isInTransaction: boolean;
  /** Takes a part of the response. Resolves when the client can take more; false when it has disconnected. */
  data(bytes: Uint8Array): Promise<boolean>;
  /** Resolves with the next messages of a COPY. */
  copyData(): Promise<Uint8Array>;
}

const endings = {
  limit: ["57014", "canceling statement: it held the database for too long"],
  cancel: ["57014", "canceling statement due to user request"],
  crash: ["57P02", "the database had to be restarted: nothing that was committed is lost"],
} satisfies Record<string, [sqlState: string, message: string]>;
type Ending = keyof typeof endings;

/** The engine ended while this batch ran. What the batch had committed is kept; its open transaction is not. */
export class EngineLost extends SqlError {}

export interface EngineSettings extends Omit<EngineOptions, "wasm"> {
  log: Log;
  /** The engine cannot be restarted. */
  onEnd(error: unknown): void;
}

interface Thread {
  worker: Worker;
  port: MessagePort;
  shared: Int32Array;
}

interface Running {
  client: Client;
  resolve(done: Done): void;
  reject(error: Error): void;
}

/** Time for a statement to notice its cancellation before its thread is ended. */
const noticeMs = 1000;
/** Time for the engine to close its files. */
const stopMs = 4000;

export class Engine {
  readonly #settings: EngineSettings;
  #thread: Promise<Thread>;
  #live: Thread | null = null;
  #running: Running | null = null;
  #endWatch: (() => void) | null = null;
  #notice: NodeJS.Timeout | null = null;
  #stopping = false;
  #limitMs = 0;
  /** Clients whose session this engine has, and those that have left since the last batch. */
  readonly #known = new Set<number>();
  #gone: number[] = [];
  #syncs: GroupSync;
  /** ParameterStatus values that the engine reports. */
  parameters: Record<string, string> = {};

  private constructor(settings: EngineSettings) {
    this.#settings = settings;
    this.#syncs = new GroupSync(settings.folder);
    this.#thread = this.#start();
  }

  /** @throws Fatal when the folder cannot be opened. */
  static async start(settings: EngineSettings): Promise<Engine> {
    const engine = new Engine(settings);
    await engine.#thread;
    return engine;
  }

  /**
   * Runs a client's messages; waits for the engine while it restarts.
   * @param limitMs longest run time, not counting waits for COPY data.
   * @throws EngineLost
   */
  async run(client: Client, batch: Uint8Array, limitMs: number): Promise<Done> {
    const { shared } = await this.#thread;
    this.#limitMs = limitMs;
    Atomics.store(shared, Shared.cancel, 0);
    const { processId } = client;
    const session = this.#known.has(processId) ? undefined : client.session;
    // Between two of its batches the engine ended: the rest of its transaction must not run alone.
    if (session && client.isInTransaction) throw new EngineLost(...endings.crash);
    this.#known.add(processId);
    return new Promise((resolve, reject) => {
      this.#running = { client, resolve, reject };
      this.#watch();
      this.#post({ type: "run", client: processId, session, gone: this.#gone.splice(0), batch });
    });
  }

  /**
   * Resolves when everything that the engine has answered so far is on the disk; until then no client may learn of it.
   * @throws EngineLost when the disk failed
   */
  async durable(): Promise<void> {
    const syncs = this.#syncs;
    try {
      await syncs.pending;
    } catch (error) {
      // As Postgres panics, once for all that wait.
      if (this.#live && syncs === this.#syncs) {
        this.#settings.log("error", "the log was not synced", { error: String(error) });
        this.#lose("crash");
      }
      throw new EngineLost(...endings.crash);
    }
  }

  /** Frees the engine's state of a client that has left. */
  forget(processId: number): void {
    if (this.#known.delete(processId)) this.#gone.push(processId);
  }

  /** Cancels the running statement; ends its thread when the statement does not react. */
  cancel(why: "cancel" | "limit" = "cancel"): void {
    const shared = this.#live?.shared;
    if (!shared || !this.#running || this.#notice) return;
    Atomics.store(shared, Shared.cancel, 1);
    this.#notice = setTimeout(() => this.#lose(why), noticeMs);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const thread = await this.#thread.catch(() => null);
    if (!thread) return;
    const ended = new Promise((resolve) => thread.worker.once("exit", resolve));
    this.#post({ type: "stop" });
    const impatience = setTimeout(() => void thread.worker.terminate(), stopMs);
    await ended;
    clearTimeout(impatience);
    await this.#syncs.close();
    this.#rest();
  }

  #post(message: ToEngine): void {
    if (!this.#live) return;
    this.#live.port.postMessage(message);
    Atomics.add(this.#live.shared, Shared.wake, 1);
    Atomics.notify(this.#live.shared, Shared.wake);
  }

  #watch(): void {
    this.#rest();
    this.#endWatch = new Patience(this.#limitMs).whenOver(() => this.cancel("limit"));
  }

  #rest(): void {
    this.#endWatch?.();
    if (this.#notice) clearTimeout(this.#notice);
    this.#endWatch = null;
    this.#notice = null;
  }

  /** Ends the thread, rejects the running batch, and starts another engine. */
  #lose(why: Ending): void {
    const thread = this.#live;
    if (!thread || this.#stopping) return;
    this.#live = null;
    this.#known.clear();
    this.#gone = [];
    this.#rest();
    const running = this.#running;
    this.#running = null;
    this.#settings.log("warn", "the engine is ended and started again", { why });
    this.#thread = thread.worker.terminate().then(() => {
      // Without disk space for its WAL, Postgres would crash again.
      if (why === "crash" && isFull(this.#settings.folder)) {
        throw new Fatal(diskFull(this.#settings.folder));
      }
      return this.#start();
    });
    this.#thread.catch(this.#settings.onEnd);
    running?.reject(new EngineLost(...endings[why]));
  }

  async #start(): Promise<Thread> {
    const startedAt = performance.now();
    await this.#syncs.close();
    this.#syncs = new GroupSync(this.#settings.folder);
    const wasm = await compileModule();
    const { port1: port, port2 } = new MessageChannel();
    const shared = new Int32Array(new SharedArrayBuffer(Shared.length * 4));
    const { folder, initSql, durable, statements, log } = this.#settings;
    const options: EngineOptions = { folder, initSql, durable, statements, wasm };
    const worker = startThread({
      workerData: { port: port2, shared, options },
      transferList: [port2],
      resourceLimits: { stackSizeMb },
    });
    const thread: Thread = { worker, port, shared };
    return new Promise((resolve, reject) => {
      worker.on("error", (error) => {
        log("error", "the engine failed", { error: String(error) });
        reject(error);
      });
      const take = (message: FromEngine) => {
        if (message.type === "failed") {
          log("error", "the folder cannot be opened", { output: message.output });
          reject(explainFailedStart(folder, message.output));
        } else if (message.type === "ready") {
          this.#live = thread;
          this.parameters = message.parameters;
          log("info", "the engine is ready", { ms: Math.round(performance.now() - startedAt) });
          resolve(thread);
        } else if (this.#live === thread) void this.#hear(message, thread);
      };
      port.on("message", take);
      worker.on("exit", () => {
        // On a busy machine the end arrives before the thread's last message.
        for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port))
          take(last.message);
        reject(new Error("the thread of the engine ended"));
        if (this.#live === thread) this.#lose("crash");
      });
    });
  }

  async #hear(message: FromEngine, thread: Thread): Promise<void> {
    const running = this.#running;
    if (!running) return;
    const { client } = running;
    if ("unsynced" in message && message.unsynced !== undefined) this.#syncs.ask(message.unsynced);
    if (message.type === "done") {
      this.#rest();
      this.#running = null;
      running.resolve(message);
    } else if (message.type === "data" || message.type === "copyIn") {
      const isCopy = message.type === "copyIn";
      if (isCopy) this.#rest();
      const isThere = await client.data(message.bytes);
      const bytes = isCopy ? await client.copyData() : new Uint8Array(0);
      if (this.#live !== thread) return;
      if (isCopy) this.#watch();
      this.#post({ type: "go", bytes: isThere ? bytes : null });
    }
  }
}

let compilation: Promise<WebAssembly.Module> | undefined;

/** PGlite's WASM, compiled once per process. Threads share its compiled code. */
function compileModule(): Promise<WebAssembly.Module> {
  // Halves the processor time of a start: most of Postgres is never called.
  setFlagsFromString("--wasm-lazy-compilation");
  // Optimizes only what runs for long: a start and its first statements take a fifth less, and long work as much as before.
  setFlagsFromString("--wasm-tiering-budget=40000000");
  const path = join(dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")), "pglite.wasm");
  compilation ??= readFile(path).then((bytes) => WebAssembly.compile(bytes));
  return compilation;
}

/**
 * Postgres limits max_stack_depth on a stack of its own, which its JSON parser hardly uses: in a thread with the default stack of 4 MiB,
 * 30,000 levels ended the engine. This size is enough for a million levels. Only the used part takes memory.
 */
const stackSizeMb = 256;

/**
 * The thread's program: the bundled .js next to the bundled server, or the TypeScript source, bundled for this thread, which takes a sixth
 * of the processor time of a loader in it.
 */
function startThread(options: WorkerOptions): Worker {
  const built = new URL("./engine-worker.js", import.meta.url);
  if (existsSync(built)) return new Worker(built, options);
  const require = createRequire(import.meta.url);
  const { buildSync } = require("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("./engine-worker.ts", import.meta.url))],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    // A data URL finds a package by its whole address alone. `resolve` returns the CommonJS variant.
    alias: Object.fromEntries(
      packages.map((name) => [name, pathToFileURL(require.resolve(name).replace(/\.cjs$/, ".js")).href]),
    ),
    external: ["file:*"],
  });
  return new Worker(
    new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`),
    options,
  );
}

/** What the thread imports. */
const packages = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"];
