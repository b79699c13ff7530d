// Owns the one Postgres backend inside the WASM: hands it one message at a time and passes on its responses. Blocks its
// thread while a statement runs. Must not know clients, sockets or turns.

import type { PGlite } from "@electric-sql/pglite";
import { OutputScanner } from "./backend-output.ts";

/** The part of PGlite's Emscripten module that this folder uses. */
export interface Wasm {
  HEAPU8: Uint8Array;
  addFunction(callback: (pointer: number, length: number) => number, signature: string): number;
  stackSave(): number;
  stackRestore(pointer: number): void;
  _pgl_set_rw_cbs(read: number, write: number): void;
  _pgl_pq_flush(): void;
  _pq_buffer_remaining_data(): number;
  _PostgresMainLoopOnce(): void;
  _PostgresMainLongJmp(): void;
  _PostgresSendReadyForQueryIfNecessary(): void;
}

/** Postgres longjmps to its main loop on every error. PGlite turns that into an exit with this status. */
const longJump = 100;

/** Where responses go, and where COPY data comes from. */
export interface Peer {
  /** Receives a chunk of the response and owns its bytes. */
  write(bytes: Uint8Array): void;
  /** Blocks until the client sends its next CopyData, CopyDone or CopyFail message. */
  copyData(): Uint8Array;
}

export const nobody: Peer = { write: () => {}, copyData: () => new Uint8Array(0) };

export class Backend {
  readonly output = new OutputScanner();
  peer = nobody;
  readonly #wasm: Wasm;
  #input: Uint8Array = new Uint8Array(0);
  #read = 0;

  constructor(pglite: PGlite) {
    // PGlite's types omit what Emscripten adds to every module.
    this.#wasm = pglite.Module as typeof pglite.Module & Wasm;
    const read = this.#wasm.addFunction((pointer, length) => this.#give(pointer, length), "ipi");
    const write = this.#wasm.addFunction((pointer, length) => this.#take(pointer, length), "ipi");
    this.#wasm._pgl_set_rw_cbs(read, write);
  }

  get wasm(): Wasm {
    return this.#wasm;
  }

  /** Runs one complete message. Returns its ErrorResponse, or null; Postgres holds back other responses until a flush. */
  run(message: Uint8Array): Uint8Array | null {
    const wasm = this.#wasm;
    this.#input = message;
    this.#read = 0;
    this.output.error = null;
    while (this.#read < this.#input.length || wasm._pq_buffer_remaining_data() > 0) {
      const stack = wasm.stackSave();
      try {
        wasm._PostgresMainLoopOnce();
      } catch (error) {
        wasm.stackRestore(stack);
        if (!isLongJump(error)) throw error;
        wasm._PostgresMainLongJmp();
      }
    }
    return this.output.error;
  }

  /** Passes on all responses so far, and updates `output`. */
  flush(): void {
    this.#wasm._PostgresSendReadyForQueryIfNecessary();
    this.#wasm._pgl_pq_flush();
  }

  /** Runs messages whose responses the client does not get. Returns the last error, or null. */
  runQuietly(messages: Uint8Array[], write: Peer["write"] = nobody.write): Uint8Array | null {
    this.flush();
    const { peer } = this;
    this.peer = { ...nobody, write };
    try {
      let failed: Uint8Array | null = null;
      for (const message of messages) failed = this.run(message) ?? failed;
      this.flush();
      return failed;
    } finally {
      this.peer = peer;
    }
  }

  #give(pointer: number, length: number): number {
    if (this.#read >= this.#input.length && this.output.copyIn) {
      this.#input = this.peer.copyData();
      this.#read = 0;
    }
    const bytes = this.#input.subarray(this.#read, this.#read + length);
    this.#wasm.HEAPU8.set(bytes, pointer);
    this.#read += bytes.length;
    return bytes.length;
  }

  #take(pointer: number, length: number): number {
    const bytes = this.#wasm.HEAPU8.slice(pointer, pointer + length);
    this.output.scan(bytes);
    this.peer.write(bytes);
    return length;
  }
}

function isLongJump(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === longJump;
}
