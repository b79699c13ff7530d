// Owns the messages between the wire server and the engine's thread. Types and shared constants only.

export type LoginUser = "postgres" | "authenticator";
export type Settings = [name: string, value: string][];

/** The state that the engine's one session must have before a client's batch runs. */
export interface Session {
  user: LoginUser;
  /** Settings from the client's startup message, and those it has changed for longer than a transaction. */
  settings: Settings;
}

export interface EngineOptions {
  /** A folder, or "memory". */
  folder: string;
  /** The compiled PGlite, so a restart does not compile it again. */
  wasm: WebAssembly.Module;
  initSql: string;
  /** Syncs commits to disk before they are confirmed, so a power failure loses none. */
  durable: boolean;
  /** Creates the folder and exits. */
  onlyMake?: boolean;
}

export type ToEngine =
  | {
      type: "run";
      /** Present when another client ran last: the session is then reset and set up for this one first. */
      session?: Session;
      /**
       * Messages that run before the batch: closes and prepares statements. Their responses are discarded unless one
       * fails; the batch then fails as well.
       */
      prelude?: Uint8Array;
      batch: Uint8Array;
      /** Report the session's settings afterwards, if a command tag shows that the batch changed some. */
      changesSettings?: boolean;
    }
  | { type: "copyData"; bytes: Uint8Array }
  | { type: "stop" };

/** I: idle, T: in a transaction, E: in a failed one, -: no ReadyForQuery yet, the client has more to send. */
export type Status = "I" | "T" | "E" | "-";

export type FromEngine =
  | { type: "ready"; parameters: Record<string, string> }
  /** The folder could not be opened; `output` is Postgres's log. */
  | { type: "failed"; output: string }
  | { type: "data"; bytes: Uint8Array }
  /** The engine runs COPY FROM STDIN and waits for the client's data. */
  | { type: "copyIn"; bytes: Uint8Array }
  | {
      type: "done";
      status: Status;
      bytes: Uint8Array;
      /** Number of Parse messages executed before each ReadyForQuery, and after the last one. */
      parsed: number[];
      /** The prelude, if any, completed. */
      learnt: boolean;
      /** The ErrorResponse of a failed session setup; the batch did not run. */
      sessionError?: Uint8Array;
      /** A command tag shows that prepared statements were deallocated. */
      forgotStatements?: boolean;
      settings?: Settings;
      /** The batch's first ErrorResponse. */
      failed?: Uint8Array;
    }
  | { type: "stopped" };

/** Slots of the Int32Array that both threads share. */
export const Shared = {
  /** Incremented with every message to the engine, which waits on it. */
  wake: 0,
  /** Bytes passed on that the client's socket has not taken yet. */
  inFlight: 1,
  /** 1: the client has disconnected; responses are discarded. */
  discard: 2,
  /** 1: cancel the running statement. */
  cancel: 3,
  length: 4,
} as const;

/** Bytes that a client may lag behind before the engine waits for it. */
export const maxInFlight = 4 * 1024 * 1024;
