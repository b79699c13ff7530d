// Owns the engine's thread: opens one PGlite and runs one batch at a time from the wire server. Must not know clients:
// it receives batches, and a session to set up before them.

import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { Backend, type Client } from "./backend.ts";
import { durable } from "./durable.ts";
import {
  type EngineOptions,
  type FromEngine,
  maxInFlight,
  Shared,
  type ToEngine,
} from "./engine-messages.ts";
import { interrupts } from "./interrupts.ts";
import { copyFail } from "./protocol.ts";
import { exactly } from "./statements.ts";

const { port, shared, options }: { port: MessagePort; shared: Int32Array; options: EngineOptions } =
  workerData;

const startParams = [
  // Without -O nobody can alter system tables, as on hosted Supabase. -F would turn fsync off.
  ...PGlite.defaultStartParams.filter((part) => part !== "-O" && (part !== "-F" || !options.durable)),
  "-c",
  'search_path="$user", public, extensions',
  // Small, because the operating system caches the files too, and every page of this buffer stays resident for good.
  "-c",
  "shared_buffers=32MB",
];

/** Approximate size of the chunks in which responses are sent. */
const pieceBytes = 65_536;

/** The last lines of Postgres's log. */
const output: string[] = [];
const keep = (line: string): boolean => {
  output.push(line);
  if (output.length > 40) output.shift();
  return false;
};

function send(message: FromEngine, bytes?: Uint8Array): void {
  // Transferring is cheaper for a large array, copying for a small one.
  const handedOver = bytes && bytes.byteLength >= pieceBytes ? [bytes.buffer as ArrayBuffer] : [];
  port.postMessage(message, handedOver);
}

/** Blocks until the wire server sends a message: this thread does nothing else. */
function listen(): ToEngine {
  for (;;) {
    const seen = Atomics.load(shared, Shared.wake);
    const received = receiveMessageOnPort(port);
    if (received) return received.message;
    Atomics.wait(shared, Shared.wake, seen);
  }
}

/** Collects responses and passes them on in large chunks; waits while the client's socket lags behind. */
class Answer implements Client {
  #pieces: Uint8Array[] = [];
  #size = 0;

  write(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    if (this.#size < pieceBytes) return;
    const joined = this.take();
    if (Atomics.load(shared, Shared.discard) === 1) return;
    Atomics.add(shared, Shared.inFlight, joined.length);
    send({ type: "data", bytes: joined }, joined);
    for (;;) {
      const inFlight = Atomics.load(shared, Shared.inFlight);
      if (inFlight <= maxInFlight || Atomics.load(shared, Shared.discard) === 1) return;
      Atomics.wait(shared, Shared.inFlight, inFlight, 1000);
    }
  }

  copyData(): Uint8Array {
    send({ type: "copyIn", bytes: this.take() });
    const message = listen();
    return message.type === "copyData" ? message.bytes : copyFail("the client is gone");
  }

  take(): Uint8Array {
    const joined = exactly(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    return joined;
  }
}

function run(backend: Backend, message: Extract<ToEngine, { type: "run" }>): void {
  const sessionError = message.session ? backend.enter(message.session) : null;
  if (sessionError) {
    send({ type: "done", status: "I", bytes: new Uint8Array(0), parsed: [], learnt: false, sessionError });
    return;
  }
  const answer = new Answer();
  const prelude = message.prelude ? backend.quietly(message.prelude) : null;
  // After a failed prelude Postgres skips the client's messages too, so the client gets the error.
  if (prelude?.error) answer.write(prelude.error);
  const { status, parsed, forgotStatements, changedSettings, error } = backend.run(message.batch, answer);
  const settings =
    message.changesSettings && changedSettings && status === "I" ? backend.settings() : undefined;
  const bytes = answer.take();
  send(
    {
      type: "done",
      status,
      bytes,
      parsed,
      learnt: !prelude?.error,
      forgotStatements,
      settings,
      failed: error ?? undefined,
    },
    bytes,
  );
}

async function open(): Promise<{ pglite: PGlite; backend: Backend; parameters: Record<string, string> }> {
  const pglite = await PGlite.create({
    dataDir: options.folder === "memory" ? "memory://" : options.folder,
    extensions: { vector, interrupts: interrupts(shared), durable: durable() },
    startParams,
    pgliteWasmModule: options.wasm,
    // A new cluster with WAL segments of 4 MB: an empty database takes 24 MB instead of 40.
    initDbStartParams: ["--wal-segsize=4"],
    onStderr: keep,
    onStdout: keep,
  });
  await pglite.exec(options.initSql);
  const { rows } = await pglite.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = any(array['server_version', 'server_encoding', 'client_encoding',
       'application_name', 'DateStyle', 'IntervalStyle', 'TimeZone', 'integer_datetimes', 'standard_conforming_strings',
       'default_transaction_read_only', 'in_hot_standby', 'scram_iterations', 'search_path'])`,
  );
  const role = await pglite.query<{ oid: number }>(
    "select oid from pg_authid where rolname = 'authenticator'",
  );
  const backend = new Backend(pglite);
  backend.guard("authenticator", role.rows[0]?.oid ?? 0);
  return { pglite, backend, parameters: Object.fromEntries(rows.map((row) => [row.name, row.setting])) };
}

async function work(): Promise<void> {
  const opened = await open().catch((error: unknown) => {
    send({
      type: "failed",
      output: [...output, error instanceof Error ? error.stack : String(error)].join("\n"),
    });
  });
  if (!opened) return;
  const { pglite, backend, parameters } = opened;
  send({ type: "ready", parameters });
  for (;;) {
    const message: ToEngine = options.onlyMake ? { type: "stop" } : listen();
    if (message.type === "run") run(backend, message);
    if (message.type === "stop") {
      await pglite.close();
      return send({ type: "stopped" });
    }
  }
}

await work();
port.close();
