// Owns the engine's thread: opens one PGlite and runs one batch at a time from the wire server. sessions.ts knows the
// clients.

import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { AuthenticatedUser } from "./authenticated-user.ts";
import { Backend } from "./backend.ts";
import { DiskOrder } from "./disk-order.ts";
import { type EngineOptions, type FromEngine, type Run, Shared, type ToEngine } from "./engine-messages.ts";
import { filesAtOnce } from "./open-files.ts";
import { copyFail, exactly } from "./protocol.ts";
import { Sessions } from "./sessions.ts";
import { wasmImports } from "./wasm-imports.ts";

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
  "-c",
  `max_files_per_process=${filesAtOnce()}`,
  // The only sync method that wasm-imports.ts passes on to the disk.
  "-c",
  "wal_sync_method=fsync",
];

/** Approximate size of the pieces in which a long response is sent. */
const pieceBytes = 262_144;

/** The last lines of Postgres's log. */
const output: string[] = [];
const recordOutput = (line: string): boolean => {
  output.push(line);
  if (output.length > 40) output.shift();
  return false;
};

function send(message: FromEngine, bytes?: Uint8Array): void {
  // Transferring is cheaper for a large array, copying for a small one.
  const isLarge = bytes && bytes.byteLength >= pieceBytes;
  port.postMessage(message, isLarge ? [bytes.buffer as ArrayBuffer] : []);
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

const order = new DiskOrder();
let isStopping = false;

/** Completes a part of an answer. */
function answer(bytes: Uint8Array): { bytes: Uint8Array; unsynced?: string } {
  const unsynced = order.take();
  return unsynced === null ? { bytes } : { bytes, unsynced };
}

/** Sends a part of the response and waits for permission to go on. Null when the client is gone. */
function ask(type: "data" | "copyIn", bytes: Uint8Array): Uint8Array | null {
  send({ type, ...answer(bytes) }, bytes);
  const reply = listen();
  isStopping = reply.type === "stop";
  return reply.type === "go" ? reply.bytes : null;
}

function run(sessions: Sessions, message: Run): void {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let isGone = false;
  const take = () => {
    const joined = exactly(pieces);
    pieces = [];
    size = 0;
    return joined;
  };
  const write = (bytes: Uint8Array) => {
    if (isGone) return;
    pieces.push(bytes);
    size += bytes.length;
    if (size >= pieceBytes) isGone = ask("data", take()) === null;
  };
  const moreCopyData = () => ask("copyIn", take()) ?? copyFail("the client is gone");
  const done = sessions.run(message, write, moreCopyData);
  const bytes = take();
  send({ type: "done", ...answer(bytes), ...done }, bytes);
}

async function open(): Promise<{
  pglite: PGlite;
  sessions: Sessions;
  parameters: Record<string, string>;
}> {
  const pglite = await PGlite.create({
    dataDir: options.folder,
    extensions: { vector, wasmImports: wasmImports(shared, order) },
    startParams,
    pgliteWasmModule: options.wasm,
    // A new cluster with WAL segments of 4 MB: an empty database takes 24 MB instead of 40.
    initDbStartParams: ["--wal-segsize=4"],
    onStderr: recordOutput,
    onStdout: recordOutput,
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
  const login = new AuthenticatedUser(backend, role.rows[0]?.oid ?? 0);
  return {
    pglite,
    sessions: new Sessions(backend, login, options.statements),
    parameters: Object.fromEntries(rows.map((row) => [row.name, row.setting])),
  };
}

async function work(): Promise<void> {
  const opened = await open().catch((error: unknown) => {
    const reason = error instanceof Error ? error.stack : String(error);
    send({ type: "failed", output: [...output, reason].join("\n") });
  });
  if (!opened) return;
  send({ type: "ready", parameters: opened.parameters });
  while (!isStopping) {
    const message = listen();
    if (message.type === "run") run(opened.sessions, message);
    else isStopping = message.type === "stop";
  }
  await opened.pglite.close();
}

await work();
port.close();
