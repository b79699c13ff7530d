// Owns the one Postgres backend inside the WASM: feeds it a client's messages, streams its responses, and sets up the
// session of the client that holds the turn. Blocks its thread while a statement runs. Must not know sockets or turns.

import type { PGlite } from "@electric-sql/pglite";
import { AuthenticatedUser } from "./authenticated-user.ts";
import { firstCell, OutputScanner } from "./backend-output.ts";
import type { LoginUser, Session, Settings } from "./engine-messages.ts";
import { query } from "./protocol.ts";

/** The part of PGlite's Emscripten module that this file uses. */
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

export interface Client {
  /** Receives a chunk of the response and owns its bytes. */
  write(bytes: Uint8Array): unknown;
  /** Blocks until the client sends more COPY data. */
  copyData(): Uint8Array;
}

/** One row, one column: JSON. The role comes last, since it may lack the right to set the others. */
const sessionSettings = `
  select coalesce(json_agg(json_build_array(name, setting) order by name = 'role'), '[]') from (
    select name, setting from pg_catalog.pg_settings where source = 'session'
    union all
    select 'role', current_setting('role') where current_setting('role') <> 'none'
  ) as changed`;

const dropPrepared = `
  do $$
  declare
    prepared text;
  begin
    for prepared in select name from pg_catalog.pg_prepared_statements where from_sql loop
      execute pg_catalog.format('deallocate %I', prepared);
    end loop;
  end $$;`;

const nobody: Client = { write: () => {}, copyData: () => new Uint8Array(0) };

export class Backend {
  readonly #wasm: Wasm;
  readonly #authenticated: AuthenticatedUser;
  #input: Uint8Array = new Uint8Array(0);
  #read = 0;
  #client: Client = nobody;
  #scanner = new OutputScanner();
  /** Statements of SQL's PREPARE share one namespace with all clients until they are deallocated. */
  #preparedInSql = false;

  constructor(pglite: PGlite) {
    // PGlite's types omit what Emscripten adds to every module.
    this.#wasm = pglite.Module as typeof pglite.Module & Wasm;
    const read = this.#wasm.addFunction((pointer, length) => this.#give(pointer, length), "ipi");
    const write = this.#wasm.addFunction((pointer, length) => this.#take(pointer, length), "ipi");
    this.#wasm._pgl_set_rw_cbs(read, write);
    this.#authenticated = new AuthenticatedUser(this.#wasm, (sql) => this.quietly(query(sql)));
  }

  /** Runs a batch of complete messages. Returns when the backend has read them all. */
  run(batch: Uint8Array, client: Client): OutputScanner {
    this.#input = batch;
    this.#read = 0;
    this.#client = client;
    this.#scanner = new OutputScanner();
    const wasm = this.#wasm;
    try {
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
      wasm._PostgresSendReadyForQueryIfNecessary();
      wasm._pgl_pq_flush();
    } finally {
      this.#client = nobody;
      this.#preparedInSql ||= this.#scanner.preparedInSql;
    }
    return this.#scanner;
  }

  /**
   * Discards everything that the last client left in the session, and sets it up for the given client. Returns an
   * error, or null.
   */
  enter(session: Session): Uint8Array | null {
    this.#authenticated.become("postgres");
    const settings = session.settings.map(
      ([name, value]) => `set_config(${literal(name)}, ${literal(value)}, false)`,
    );
    const wiped = this.quietly(
      query(
        `set session authorization postgres; ${this.#preparedInSql ? dropPrepared : ""} reset role; reset all; close all; unlisten *; discard temp; ` +
          "discard sequences; select pg_advisory_unlock_all();" +
          (session.user === "postgres" ? "" : `set session authorization ${session.user};`) +
          (settings.length > 0 ? `select ${settings.join(", ")};` : ""),
      ),
    );
    this.#authenticated.become(session.user);
    this.#preparedInSql = false;
    return wiped.error;
  }

  /** The settings that differ from the server's, for `enter` to restore. */
  settings(): Settings {
    const answer: Uint8Array[] = [];
    this.run(query(sessionSettings), { ...nobody, write: (bytes) => answer.push(bytes) });
    return JSON.parse(firstCell(Buffer.concat(answer)) ?? "[]");
  }

  /** Runs messages and discards their responses. */
  quietly(batch: Uint8Array): OutputScanner {
    return this.run(batch, nobody);
  }

  /** Locates the login user in memory; the role must exist. Throws when Postgres does not behave as expected. */
  guard(role: LoginUser, oid: number): void {
    this.#authenticated.learn(role, oid);
  }

  #give(pointer: number, length: number): number {
    if (this.#read >= this.#input.length && this.#scanner.copyIn) {
      this.#input = this.#client.copyData();
      this.#read = 0;
    }
    const bytes = this.#input.subarray(this.#read, this.#read + length);
    this.#wasm.HEAPU8.set(bytes, pointer);
    this.#read += bytes.length;
    return bytes.length;
  }

  #take(pointer: number, length: number): number {
    const bytes = this.#wasm.HEAPU8.slice(pointer, pointer + length);
    this.#scanner.scan(bytes);
    this.#client.write(bytes);
    return length;
  }
}

function isLongJump(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === longJump;
}

function literal(text: string): string {
  return `e'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
