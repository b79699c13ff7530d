// Owns the messages between the wire server and the engine's thread. Types and shared constants only.

export type LoginUser = "postgres" | "authenticator";
export type Settings = [name: string, value: string][];

/** The state of a client between its turns, and across a restart of the engine. */
export interface Session {
  user: LoginUser;
  /** Settings from the client's startup message, and those it has changed for longer than a transaction, without units. */
  settings: Settings;
  /** The client's named statements: the text and the types of each Parse message. */
  statements: Map<string, Uint8Array>;
}

export interface EngineOptions {
  folder: string;
  /** The compiled PGlite, so a restart does not compile it again. */
  wasm: WebAssembly.Module;
  initSql: string;
  /** Syncs commits to disk before they are confirmed, so a power failure loses none. */
  durable: boolean;
  /** Prepared statements that the backend keeps. */
  statements: number;
}

export interface Run {
  type: "run";
  client: number;
  /** Present at the client's first batch on this engine. */
  session?: Session;
  /** Clients that have left since the last batch. */
  gone: number[];
  /** Complete messages. */
  batch: Uint8Array;
}

export type ToEngine =
  | Run
  /** The reply to `data` and `copyIn`; null discards the rest of the answer. */
  | { type: "go"; bytes: Uint8Array | null }
  | { type: "stop" };

/** I: idle, T: in a transaction, E: in a failed one, -: no ReadyForQuery yet, the client has more to send. */
export type Status = "I" | "T" | "E" | "-";

/** A part of an answer, or all of it. */
interface Answer {
  bytes: Uint8Array;
  /** A file's name in the log that must be synced before the client gets this: it tells of a commit that may not be on the disk yet. */
  unsynced?: string;
}

export interface Done extends Answer {
  type: "done";
  status: Status;
  /** True when it tells of the end of a transaction, if only of an earlier one in the batch. */
  hasConfirmed: boolean;
  /** The error that ends the connection: its session cannot be set up, or a message is malformed. */
  fatal?: [sqlState: string, message: string];
  /** Statements that the client prepared, and with null those that it closed, in this order. */
  statements: [name: string, prepared: Uint8Array | null][];
  /** The session's settings, if the batch may have changed some. */
  settings?: Settings;
}

export type FromEngine =
  | { type: "ready"; parameters: Record<string, string> }
  /** The folder could not be opened; `output` is Postgres's log. */
  | { type: "failed"; output: string }
  /** A part of the answer. The engine waits until it may go on. */
  | ({ type: "data" } & Answer)
  /** The engine runs COPY FROM STDIN and waits for the client's data. */
  | ({ type: "copyIn" } & Answer)
  | Done;

/** Slots of the Int32Array that both threads share. */
export const Shared = {
  /** Incremented with every message to the engine, which waits on it. */
  wake: 0,
  /** 1: cancel the running statement. */
  cancel: 1,
  length: 2,
} as const;
