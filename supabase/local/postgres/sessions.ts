// Owns what many clients share on the one backend: whose session it holds, and their prepared statements. Runs each message of a client
// with the client's own names. Runs in the engine's thread, where it knows the result of each message before it handles the next.

import type { AuthenticatedUser } from "./authenticated-user.ts";
import { type Backend, nobody, type Peer } from "./backend.ts";
import { firstCell } from "./backend-output.ts";
import type { Done, Run, Session, Settings } from "./engine-messages.ts";
import {
  copyFail,
  cString,
  errorFields,
  exactly,
  FrameReader,
  message,
  ProtocolError,
  query,
} from "./protocol.ts";

interface Statement {
  /** Its name in the backend. */
  name: string;
  /** The Parse message under that name. */
  parse: Buffer;
  /** Equal for clients that may share it; "" for the unnamed one. */
  key: string;
  leavesTraces: boolean;
  /** Its table has changed, so its result columns may have: every client that uses it must prepare it again. */
  isOutdated: boolean;
}

interface Client {
  id: number;
  session: Session;
  /** By the client's names. */
  statements: Map<string, Statement>;
  /** Login and settings: clients with equal ones share statements. */
  sharing: string;
  /** True when it has a statement that may leave something in the session: a setting, a lock, a cursor, a temporary table. */
  leavesTraces: boolean;
}

/**
 * Matches statements that leave nothing in the session. Any other counts as leaving something, which only costs a reset and a query of the
 * settings. A statement that evades this, assembled from pieces by another statement, can only affect clients of the same login.
 */
const traceless =
  /^\s*(?:select|insert|update|delete|with|values|begin|commit|rollback|savepoint|release|copy|set\s+local)\b(?!.*\b(?:set_config\b(?!\s*\(\s*(?:'[\w.]+'|\$\d+)\s*,\s*(?:'[^'\\]*'|\$\d+)\s*,\s*true\s*\))|pg_settings|pg_\w*advisory\w*|temp|temporary|pg_temp\w*|listen|declare|prepare|execute|nextval|setval|lo_\w+|dblink\w*)\b)/is;

/** For a longer text this check takes longer than a reset. */
const longestLookedAt = 20_000;

export const leavesTraces = (sql: string): boolean =>
  sql.length > longestLookedAt ||
  !sql.split(";").every((statement) => traceless.test(statement) || statement.trim() === "");

/** One row, one column: JSON. The role comes last, since it may lack the right to set the others. */
const readSettings = `
  select coalesce(json_agg(json_build_array(name, setting) order by name = 'role'), '[]') from (
    select name, setting from pg_catalog.pg_settings where source = 'session'
    union all
    select 'role', current_setting('role') where current_setting('role') <> 'none'
  ) as changed`;

/** Matches what a failed transaction still accepts, the empty text included. */
const endsTransaction = /^\s*(?:rollback|commit|end|abort|prepare\s+transaction)\b|^\s*$/i;
/** A Parse message in place of one for a statement that already exists: the response is the same, and nothing is parsed. */
const nothing = message("P", "", "", Buffer.from([0, 0]));
/** The same for a text that a failed transaction refuses to parse. */
const nothingInFailed = message("P", "", "select", Buffer.from([0, 0]));

const copyTypes = new Set(["d", "c", "f"]);
/** Types whose response includes ReadyForQuery. The others belong to the extended protocol. */
const answeredAtOnce = new Set(["Q", "S", "F"]);
const ofStatement = Buffer.from("S");
const close = (name: string): Buffer => message("C", ofStatement, name);
/** A name for a statement that the client does not have: changed, so that it matches no other client's in the backend. */
const unknown = (name: string): string => `? ${name}`;

export class Sessions {
  readonly #backend: Backend;
  readonly #login: AuthenticatedUser;
  readonly #most: number;
  readonly #clients = new Map<number, Client>();
  /** The client whose session the backend holds. */
  #current: Client | null = null;
  /** The statements in the backend by their keys, least recently used first. */
  readonly #loaded = new Map<string, Statement>();
  #names = 0;
  /** True after an extended message failed: Postgres ignores all messages until Sync. */
  #isSkipping = false;
  /** True while a statement of SQL's PREPARE may exist: all clients share their namespace until they are deallocated. */
  #preparedInSql = false;
  #input = new FrameReader(false);
  #changes: Done["statements"] = [];
  /** True when the client may have changed its settings since its last transaction. */
  #hasLeftTraces = false;
  #violation: ProtocolError | null = null;

  /** @param most limit of prepared statements; beyond it the least recently used are closed */
  constructor(backend: Backend, login: AuthenticatedUser, most: number) {
    this.#backend = backend;
    this.#login = login;
    this.#most = most;
  }

  /**
   * Runs a client's batch in its own session.
   * @param moreCopyData blocks until the client sends more messages of a COPY
   */
  run(
    run: Run,
    write: Peer["write"],
    moreCopyData: () => Uint8Array,
  ): Omit<Done, "type" | "bytes" | "unsynced"> {
    const { output } = this.#backend;
    for (const id of run.gone) this.#clients.delete(id);
    if (run.session) this.#clients.set(run.client, this.#newClient(run.client, run.session));
    const client = this.#clients.get(run.client);
    if (!client) throw new Error("the first batch of a client has no session");
    const refused = this.#enter(client);
    if (refused) {
      const { C = "XX000", M = "" } = errorFields(refused);
      return { status: "I", hasConfirmed: false, statements: [], fatal: [C, M] };
    }
    if (run.session?.settings.length) this.#hasLeftTraces = true;
    output.tags.length = 0;
    output.hasConfirmed = false;
    this.#changes = [];
    this.#violation = null;
    this.#input = new FrameReader(false);
    this.#input.push(Buffer.from(run.batch.buffer, run.batch.byteOffset, run.batch.length));
    this.#backend.peer = { write, copyData: () => this.#nextCopyMessage(moreCopyData) };
    try {
      for (let frame = this.#input.next(); frame; frame = this.#input.next()) {
        this.#message(client, frame.type, frame.bytes);
        if (this.#violation) throw this.#violation;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { hasConfirmed } = output;
      return { status: "-", hasConfirmed, statements: [], fatal: [error.sqlState, error.message] };
    } finally {
      this.#backend.flush();
    }
    const { status, hasConfirmed } = output;
    const done = { status, hasConfirmed, statements: this.#changes };
    if (status !== "I" || !this.#hasLeftTraces) return done;
    this.#hasLeftTraces = false;
    return { ...done, settings: this.#settings(client) };
  }

  #newClient(id: number, session: Session): Client {
    const statements = new Map<string, Statement>();
    const sharing = JSON.stringify([session.user, session.settings]);
    const client = { id, session, statements, sharing, leavesTraces: false };
    for (const [name, body] of session.statements) {
      statements.set(name, this.#newStatement(client, name, Buffer.from(body)));
    }
    return client;
  }

  /** Discards what the last client left in the session, and sets it up for this one. Returns an error, or null. */
  #enter(client: Client): Uint8Array | null {
    const last = this.#current;
    this.#current = client;
    if (last === client || (last && !last.leavesTraces && last.sharing === client.sharing)) return null;
    const { user, settings } = client.session;
    const restored = settings.map(
      ([name, value]) => `set_config(${literal(name)}, ${literal(value)}, false)`,
    );
    this.#login.become("postgres");
    if (this.#preparedInSql) this.#loaded.clear();
    const error = this.#backend.runQuietly([
      query(
        `set session authorization postgres; ${this.#preparedInSql ? "deallocate all;" : ""} reset role; reset all; ` +
          "close all; unlisten *; discard temp; discard sequences; select pg_advisory_unlock_all();" +
          (user === "postgres" ? "" : `set session authorization ${user};`) +
          (restored.length > 0 ? `select ${restored.join(", ")};` : ""),
      ),
    ]);
    this.#login.become(user);
    this.#preparedInSql = false;
    this.#hasLeftTraces = false;
    this.#loaded.delete("");
    if (error) this.#current = null;
    return error;
  }

  #settings(client: Client): Settings {
    const answer: Uint8Array[] = [];
    this.#backend.runQuietly([query(readSettings)], (bytes) => answer.push(bytes));
    this.#loaded.delete("");
    const settings: Settings = JSON.parse(firstCell(Buffer.concat(answer)) ?? "[]");
    client.session.settings = settings;
    client.sharing = JSON.stringify([client.session.user, settings]);
    return settings;
  }

  #message(client: Client, type: string, bytes: Buffer): void {
    const { output } = this.#backend;
    if (type === "S") this.#isSkipping = false;
    // The rest of a failed COPY is skipped as well.
    if (this.#isSkipping || copyTypes.has(type)) return;
    if (answeredAtOnce.has(type)) {
      // The function that a FunctionCall names by its number may be set_config, or one that takes a lock.
      if (type === "F" || (type === "Q" && leavesTraces(cString(bytes, 5).text))) {
        client.leavesTraces = true;
        this.#hasLeftTraces = true;
      }
      if (type === "Q") {
        // A simple query drops the unnamed statement.
        this.#loaded.delete("");
        client.statements.delete("");
      }
      this.#backend.run(bytes);
      this.#backend.flush();
    } else {
      output.status = "-";
      this.#isSkipping = this.#extended(client, type, bytes) !== null;
      // Its tag shows what it deallocates.
      if (type === "E" && client.leavesTraces) this.#backend.flush();
    }
    for (const tag of output.tags.splice(0)) {
      if (tag === "PREPARE") this.#preparedInSql = true;
      if (tag !== "DEALLOCATE ALL" && tag !== "DISCARD ALL") continue;
      this.#loaded.clear();
      for (const name of client.statements.keys()) this.#record(client, name, null);
    }
  }

  /** Runs a message of the extended protocol. Returns its error, or null. */
  #extended(client: Client, type: string, bytes: Buffer): Uint8Array | null {
    const isOfPortal = (type === "D" || type === "C") && bytes[5] !== ofStatement[0];
    if (isOfPortal || !"PBDC".includes(type)) return this.#backend.run(bytes);
    const { text, next } = cString(bytes, type === "D" || type === "C" ? 6 : 5);
    if (type === "P") return this.#parse(client, text, bytes.subarray(next));
    if (type === "B") {
      const statement = cString(bytes, next);
      const rest = bytes.subarray(statement.next);
      return this.#use(client, statement.text, (name) => message("B", text, name, rest));
    }
    if (type === "D") return this.#use(client, text, (name) => message("D", ofStatement, name));
    this.#record(client, text, null);
    // Not closed in the backend, because other clients may use it. The client gets a CloseComplete, as for any unknown statement.
    return this.#backend.run(close(unknown(text)));
  }

  #parse(client: Client, name: string, body: Buffer): Uint8Array | null {
    const sql = cString(body, 0).text;
    const made = this.#newStatement(client, name, body);
    const known = client.statements.get(name);
    // Postgres rejects a name in use.
    if (name && known && !known.isOutdated) {
      return this.#load(known) ?? this.#backend.run(message("P", known.name, body));
    }
    const shared = name ? this.#loaded.get(made.key) : undefined;
    const statement = shared ?? made;
    const replacement = endsTransaction.test(sql) ? nothing : nothingInFailed;
    // Both replace the unnamed statement.
    if (shared || !name) this.#loaded.delete("");
    this.#record(client, name, null);
    const error = this.#backend.run(shared ? replacement : statement.parse);
    if (error) return error;
    this.#record(client, name, statement);
    this.#noteUse(statement);
    for (const oldest of this.#loaded.values()) {
      if (this.#loaded.size <= this.#most) break;
      this.#loaded.delete(oldest.key);
      this.#backend.runQuietly([close(oldest.name)]);
    }
    return null;
  }

  /** Runs a message that names one of the client's statements. */
  #use(client: Client, name: string, messageFor: (name: string) => Buffer): Uint8Array | null {
    let statement = client.statements.get(name);
    if (!statement || statement.isOutdated) return this.#backend.run(messageFor(unknown(name)));
    const other = statement.key ? this.#loaded.get(statement.key) : undefined;
    // Another client has prepared it again.
    if (other && other !== statement) {
      statement = other;
      client.statements.set(name, other);
    }
    this.#hasLeftTraces ||= statement.leavesTraces;
    const error = this.#load(statement) ?? this.#backend.run(messageFor(statement.name));
    const routine = error && errorFields(error).R;
    if (routine === "RevalidateCachedQuery") {
      // Postgres closes nothing before the next Sync. So this one is only marked, and closed later as the least recently used.
      this.#loaded.delete(statement.key);
      statement.isOutdated = true;
      statement.key = `outdated ${statement.name}`;
      this.#loaded.set(statement.key, statement);
    }
    if (routine === "FetchPreparedStatement") this.#loaded.delete(statement.key);
    return error;
  }

  /** Prepares a statement that the backend has lost. The client gets the error, if there is one. */
  #load(statement: Statement): Uint8Array | null {
    if (this.#loaded.get(statement.key) !== statement) {
      const error = this.#backend.runQuietly([close(statement.name), statement.parse]);
      if (error) {
        this.#backend.peer.write(error);
        return error;
      }
    }
    this.#noteUse(statement);
    return null;
  }

  #noteUse(statement: Statement): void {
    this.#loaded.delete(statement.key);
    this.#loaded.set(statement.key, statement);
  }

  /** Marks its client when the statement leaves traces. */
  #newStatement(client: Client, clientsName: string, body: Buffer): Statement {
    const leaves = leavesTraces(cString(body, 0).text);
    client.leavesTraces ||= leaves;
    this.#names += clientsName ? 1 : 0;
    const name = clientsName && `p${this.#names}`;
    const key = clientsName && keyOf(client, body);
    return { name, parse: message("P", name, body), key, leavesTraces: leaves, isOutdated: false };
  }

  /** Notes that a client has a statement, or with null that it has it no longer. */
  #record(client: Client, name: string, statement: Statement | null): void {
    if (statement) client.statements.set(name, statement);
    else if (!client.statements.delete(name)) return;
    if (name)
      this.#changes.push([
        name,
        statement && exactly([statement.parse.subarray(5 + statement.name.length + 1)]),
      ]);
  }

  #nextCopyMessage(more: () => Uint8Array): Uint8Array {
    for (;;) {
      const frame = this.#input.next();
      if (!frame) this.#input.push(Buffer.from(more()));
      else if (copyTypes.has(frame.type)) return frame.bytes;
      // Flush and Sync are ignored here. After any other message Postgres ends the connection, and PGlite would crash.
      else if (frame.type !== "H" && frame.type !== "S") {
        this.#violation = new ProtocolError("08P01", "unexpected message during COPY from stdin");
        this.#backend.peer = nobody;
        return copyFail(this.#violation.message);
      }
    }
  }
}

/** Clients that leave traces share no statements, because their settings may change the meaning of a text. */
const keyOf = ({ id, leavesTraces, sharing }: Client, body: Buffer): string =>
  `${leavesTraces ? id : sharing} ${body.toString("latin1")}`;

function literal(text: string): string {
  return `e'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
