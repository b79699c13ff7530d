// Owns what the wire server and the engine's thread say to each other. Types and shared constants only.

export type LoginUser = "postgres" | "authenticator";
export type Settings = [name: string, value: string][];

/** What must be true of the one session of the engine before a client's batch runs. */
export interface Session {
  user: LoginUser;
  /** Settings that the client asked for at startup, or has set since for longer than a transaction. */
  settings: Settings;
}

export interface EngineOptions {
  /** A folder, or "memory". */
  folder: string;
  /** The compiled PGlite, so that a restart does not compile it again. */
  wasm: WebAssembly.Module;
  initSql: string;
  /** Commits reach the disk before they are confirmed, so that a power cut loses none. */
  durable: boolean;
  /** Make the folder and end. */
  onlyMake?: boolean;
}

export type ToEngine =
  | {
      type: "run";
      /** Present when another client ran last: the session is wiped and set up for this one first. */
      session?: Session;
      /** Runs before the batch, unheard unless it fails, which the batch then does, too: statements to close, and to learn again. */
      prelude?: Uint8Array;
      batch: Uint8Array;
      /** Report the session's settings afterwards, if a command tag says that the batch changed some. */
      changesSettings?: boolean;
    }
  | { type: "copyData"; bytes: Uint8Array }
  | { type: "stop" };

/** I: idle, T: in a transaction, E: in a failed one, -: no ReadyForQuery yet, the client has more to send. */
export type Status = "I" | "T" | "E" | "-";

export type FromEngine =
  | { type: "ready"; parameters: Record<string, string> }
  /** The folder could not be opened; what Postgres said about it. */
  | { type: "failed"; output: string }
  | { type: "data"; bytes: Uint8Array }
  /** The engine is inside COPY FROM STDIN and waits for the client's data. */
  | { type: "copyIn"; bytes: Uint8Array }
  | {
      type: "done";
      status: Status;
      bytes: Uint8Array;
      /** How many Parse messages were carried out up to each ReadyForQuery, and after the last one. */
      parsed: number[];
      /** The prelude, if there was one, ran to its end. */
      learnt: boolean;
      /** The session could not be set up: an ErrorResponse; the batch did not run. */
      sessionError?: Uint8Array;
      /** A command tag says that prepared statements are gone. */
      forgotStatements?: boolean;
      settings?: Settings;
      /** The batch's first ErrorResponse. */
      failed?: Uint8Array;
    }
  | { type: "stopped" };

/** Slots of the Int32Array that both threads see. */
export const Shared = {
  /** Bumped with every message to the engine, which sleeps on it. */
  wake: 0,
  /** Bytes handed over and not yet taken by the client's socket. */
  inFlight: 1,
  /** 1: the client is gone, its answers go nowhere. */
  discard: 2,
  /** 1: cancel the running statement. */
  cancel: 3,
  length: 4,
} as const;

/** A client may be so many bytes behind before the engine waits for it. */
export const maxInFlight = 4 * 1024 * 1024;
