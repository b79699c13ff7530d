// Owns the prepared statements of many clients on one backend. Gives each text its own name there, which clients of the
// same session share; keeps its Parse message; and prepares it again after the backend has dropped it or another client
// has replaced it. Sends nothing itself.

import { cString, type Frame, flush, message, sync } from "./protocol.ts";

/** In Describe and Close: a statement, not a portal. */
const letterS = 0x53;

interface Statement {
  /** Its name in the backend. */
  name: string;
  /** The Parse message under that name. */
  parse: Buffer;
  /** Equal for clients that may share it. */
  key: string;
  /** Its table has changed, so its result columns may have: every client that uses it must prepare it again. */
  isOutdated: boolean;
}

/** The statements in the backend, whichever client prepared them. */
export class LoadedStatements {
  /** Least recently used first. */
  readonly inBackend = new Set<Statement>();
  unnamedOwner: ClientStatements | null = null;
  readonly #shared = new Map<string, Statement>();
  #outdated: Statement[] = [];
  #counter = 0;
  readonly #most: number;

  /** @param most limit; beyond it the least recently used are closed */
  constructor(most: number) {
    this.#most = most;
  }

  /** An unused name. */
  newName(): string {
    this.#counter += 1;
    return `p${this.#counter}`;
  }

  shared(key: string): Statement | undefined {
    return this.#shared.get(key);
  }

  used(statement: Statement): void {
    this.inBackend.delete(statement);
    this.inBackend.add(statement);
    this.#shared.set(statement.key, statement);
  }

  forget(statement: Statement): void {
    this.inBackend.delete(statement);
    if (this.#shared.get(statement.key) === statement) this.#shared.delete(statement.key);
  }

  forgetAll(): void {
    this.inBackend.clear();
    this.#shared.clear();
    this.#outdated = [];
    this.unnamedOwner = null;
  }

  outdate(statement: Statement): void {
    statement.isOutdated = true;
    this.forget(statement);
    this.#outdated.push(statement);
  }

  /** Close messages for outdated statements, and for those over the limit, except those in use, which are the most recent. */
  excess(inUse: Set<Statement>): Buffer[] {
    const closed = this.#outdated;
    this.#outdated = [];
    for (const statement of this.inBackend) {
      if (this.inBackend.size <= this.#most || inUse.has(statement)) break;
      this.forget(statement);
      closed.push(statement);
    }
    return closed.map(close);
  }
}

export interface Translation {
  batch: Uint8Array;
  /** Runs before the batch; its responses are discarded unless one fails. */
  prelude: Uint8Array | undefined;
  /** The client has a statement that may change its session for longer than a transaction. */
  changesSettings: boolean;
  /** The client has a statement that may leave something else in the session: a lock, a cursor, a temporary table. */
  leavesTraces: boolean;
}

/**
 * Matches statements that leave nothing behind but rows. Any other counts as leaving something, which only costs an
 * extra reset. A statement that evades this, assembled from pieces by another statement, can only affect clients of the
 * same login.
 */
const traceless =
  /^\s*(?:select|insert|update|delete|with|values|begin|commit|rollback|savepoint|release|copy|set\s+local)\b(?!.*\b(?:set_config|pg_\w*advisory\w*|temp|temporary|pg_temp\w*|listen|declare|prepare|execute|nextval|setval|lo_\w+|dblink\w*)\b)/is;

/**
 * SET and RESET without LOCAL, which `update … set` is not, and set_config(…, false). May be wrong either way: it only saves a check
 * after each transaction, which takes longer than most transactions.
 */
const settingChange =
  /^(?!\s*(?:select|insert|update|delete|with|copy)\b).*\b(?:set\s+(?!local\b|constraints\b|transaction\b)|reset\s)|\bset_config\s*\([^)]*\bfalse\b/is;

/** For a longer text the check takes longer than a reset. */
const longestLookedAt = 20_000;
const isTraceless = (statement: string) => traceless.test(statement) || statement.trim() === "";

/** One client's statements. */
export class ClientStatements {
  readonly #loaded: LoadedStatements;
  readonly #known = new Map<string, Statement>();
  /** Login and settings: clients with equal ones share statements. */
  session = "";
  #unnamed: Buffer | null = null;
  /** Statements that the last batch used, and those that were prepared again for it. */
  #inBatch: Statement[] = [];
  #learnt: Statement[] = [];
  #changesSettings = false;
  #leavesTraces = false;
  /** How to undo the effect of each pending Parse message, up to each Sync, should it fail. */
  #underWay: (() => void)[][] = [[]];

  constructor(loaded: LoadedStatements) {
    this.#loaded = loaded;
  }

  /**
   * Translates a batch to the backend's names. `prelude` runs before it; its responses are discarded unless one fails.
   * @param inPipeline the client's last batch ended without Sync: one of ours would commit it and drop its portals.
   */
  translate(frames: Frame[], inPipeline = false): Translation {
    // Marked first, so that no statement of this batch is closed: preparing it again in the prelude would happen
    // outside the batch's transaction.
    const uses = new Set<Statement>();
    for (const { type, bytes } of frames) {
      const known = this.#known.get(readName(type, bytes) ?? "");
      if (!known || !this.#loaded.inBackend.has(known)) continue;
      this.#loaded.used(known);
      uses.add(known);
    }
    const closes = inPipeline ? [] : this.#loaded.excess(uses);
    this.#inBatch = [];
    this.#learnt = [];
    const learn: Buffer[] = [];
    const out = frames.map((frame) => this.#frame(frame, learn));
    const prelude = [
      ...closes,
      ...(closes.length > 0 ? [sync] : []),
      ...learn,
      ...(learn.length > 0 ? [flush] : []),
    ];
    return {
      batch: exactly(out),
      prelude: prelude.length > 0 ? exactly(prelude) : undefined,
      changesSettings: this.#changesSettings,
      leavesTraces: this.#leavesTraces,
    };
  }

  /**
   * True when `next` can be translated before the outcome of the preceding frames is known. False when a statement must
   * be prepared again for it, with the privileges that the client has by then, and when both prepare one, since the
   * first may fail.
   */
  canJoin(frames: Frame[], next: Frame[]): boolean {
    const before = parsedIn(frames);
    const parsed = parsedIn(next);
    if (before.some(Boolean) && parsed.some(Boolean)) return false;
    return next.every(({ type, bytes }) => {
      const name = readName(type, bytes);
      if (name === undefined || (type !== "P" && parsed.includes(name))) return true;
      const known = this.#known.get(name);
      const isThere = !known || this.#loaded.inBackend.has(known);
      return type === "P" ? isThere : name !== "" && !before.includes(name) && isThere;
    });
  }

  /**
   * Records the outcome of a batch: so many of its Parse messages up to each Sync took effect, and the rest did not.
   * @param isLearnt the backend has prepared every missing statement
   */
  settle(parsed: number[], isLearnt: boolean): void {
    if (!isLearnt) {
      for (const statement of this.#learnt) this.#loaded.forget(statement);
      this.#loaded.unnamedOwner = null;
    }
    const failed = this.#underWay.flatMap((parses, index) => parses.slice(parsed[index] ?? 0));
    this.#underWay = [[]];
    for (const takeBack of failed.reverse()) takeBack();
  }

  /** Marks the statements of the last batch as outdated, because their table has changed. */
  outdate(): void {
    for (const statement of this.#inBatch) this.#loaded.outdate(statement);
  }

  /** Forgets the statements of the last batch, because one is missing in the backend. */
  missed(): void {
    for (const statement of this.#inBatch) this.#loaded.forget(statement);
  }

  /** Forgets all statements, because the client has deallocated them. */
  forgetAll(): void {
    this.#known.clear();
    this.#unnamed = null;
  }

  #frame({ type, bytes }: Frame, learn: Buffer[]): Buffer {
    switch (type) {
      case "Q":
        // A simple query drops the unnamed statement.
        this.#unnamed = null;
        this.#loaded.unnamedOwner = null;
        this.#look(cString(bytes, 5).text);
        this.#underWay.push([]);
        return bytes;
      case "S":
        this.#underWay.push([]);
        return bytes;
      case "P":
        this.#look(cString(bytes, cString(bytes, 5).next).text);
        return this.#parse(bytes, learn);
      case "B": {
        const portal = cString(bytes, 5);
        const statement = cString(bytes, portal.next);
        const name = this.#use(statement.text, learn);
        return name === statement.text
          ? bytes
          : message("B", portal.text, name, bytes.subarray(statement.next));
      }
      case "D":
      case "C": {
        const name = cString(bytes, 6);
        if (bytes[5] !== letterS) return bytes;
        if (type === "C") return this.#close(name.text, bytes);
        const used = this.#use(name.text, learn);
        return used === name.text ? bytes : message("D", Buffer.from("S"), used);
      }
      default:
        return bytes;
    }
  }

  #look(sql: string): void {
    const statements = sql.split(";");
    this.#changesSettings ||= statements.some((statement) => settingChange.test(statement));
    this.#leavesTraces ||= sql.length > longestLookedAt || !statements.every(isTraceless);
  }

  #parse(bytes: Buffer, learn: Buffer[]): Buffer {
    const { text, next } = cString(bytes, 5);
    if (text === "") {
      const before = this.#unnamed;
      this.#unnamed = bytes;
      this.#loaded.unnamedOwner = this;
      this.#underWay.at(-1)?.push(() => {
        this.#unnamed = before;
        this.#loaded.unnamedOwner = null;
      });
      return bytes;
    }
    const body = bytes.subarray(next);
    const taken = this.#known.get(text);
    if (taken && !taken.isOutdated) {
      // Postgres rejects a duplicate name.
      this.#underWay.at(-1)?.push(() => {});
      return message("P", this.#use(text, learn), body);
    }
    // Sharing overwrites the unnamed statement (see below), so a client that has one gets a statement of its own.
    const isShared = this.#unnamed === null;
    const key = `${isShared ? this.session : this.#loaded.newName()} ${body.toString("latin1")}`;
    const shared = this.#loaded.shared(key);
    const name = shared?.name ?? this.#loaded.newName();
    const statement = shared ?? { name, parse: message("P", name, body), key, isOutdated: false };
    this.#known.set(text, statement);
    this.#loaded.used(statement);
    this.#underWay.at(-1)?.push(() => {
      this.#known.delete(text);
      if (!shared) this.#loaded.forget(statement);
    });
    if (!shared) return statement.parse;
    this.#loaded.unnamedOwner = null;
    return endsTransaction.test(cString(bytes, next).text) ? nothing : nothingInFailed;
  }

  #use(text: string, learn: Buffer[]): string {
    if (text === "") {
      if (this.#unnamed && this.#loaded.unnamedOwner !== this) learn.push(this.#unnamed);
      this.#loaded.unnamedOwner = this;
      return text;
    }
    const known = this.#known.get(text);
    if (!known || known.isOutdated) return unknown(text);
    if (!this.#loaded.inBackend.has(known)) {
      learn.push(close(known), known.parse);
      this.#learnt.push(known);
    }
    this.#loaded.used(known);
    this.#inBatch.push(known);
    return known.name;
  }

  #close(text: string, bytes: Buffer): Buffer {
    if (text === "") {
      this.#unnamed = null;
      return bytes;
    }
    // Other clients may use it. The client gets a CloseComplete, as for any unknown statement.
    this.#known.delete(text);
    return message("C", Buffer.from("S"), unknown(text));
  }
}

/** The statement that a message prepares, binds or describes. */
function readName(type: string, bytes: Buffer): string | undefined {
  if (type === "P") return cString(bytes, 5).text;
  if (type === "B") return cString(bytes, cString(bytes, 5).next).text;
  return type === "D" && bytes[5] === letterS ? cString(bytes, 6).text : undefined;
}

/** The names under which messages prepare a statement. */
const parsedIn = (frames: Frame[]): string[] =>
  frames.flatMap(({ type, bytes }) => (type === "P" ? cString(bytes, 5).text : []));

/** What a failed transaction still accepts, besides the empty text. */
const endsTransaction = /^\s*(?:rollback|commit|end|abort|prepare\s+transaction)\b|^\s*$/i;
/** A Parse message for a statement that already exists: the response is the same, and nothing is parsed. */
const nothing = message("P", "", "", Buffer.from([0, 0]));
/** The same for a text that a failed transaction refuses to parse. */
const nothingInFailed = message("P", "", "select", Buffer.from([0, 0]));

/** Closing an unknown statement succeeds too, so a statement can be prepared again in any case. */
const close = ({ name }: Statement): Buffer => message("C", Buffer.from("S"), name);

/** A client's name for a statement that it does not have, changed so that it matches no other client's in the backend. */
const unknown = (name: string): string => `? ${name}`;

/** One array of exactly these bytes: a view of a larger buffer would be copied whole on its way to the engine's thread. */
export function exactly(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
