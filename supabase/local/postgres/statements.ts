// Owns prepared statements of many clients on one backend: gives each text a name of its own there, which clients of the same
// session share, remembers how it was made, and teaches the backend again what it has forgotten or what another client
// overwrote. Sends nothing itself.

import { cString, type Frame, flush, message, sync } from "./protocol.ts";

/** Of Describe and Close: a statement, not a portal. */
const letterS = 0x53;

interface Statement {
  /** Its name in the backend. */
  name: string;
  /** The Parse message under that name. */
  parse: Buffer;
  /** The same for clients who may share it. */
  key: string;
  /** Its table has changed, and so may have what it answers with: whoever knows it has to make it anew. */
  isOutdated: boolean;
}

/** What the backend knows now, whoever taught it. */
export class LoadedStatements {
  /** In order of use. */
  readonly inBackend = new Set<Statement>();
  unnamedOwner: ClientStatements | null = null;
  readonly #shared = new Map<string, Statement>();
  #outdated: Statement[] = [];
  #counter = 0;
  readonly #most: number;

  /** @param most more are closed, the longest unused first */
  constructor(most: number) {
    this.#most = most;
  }

  /** A name that no statement has. */
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

  /** Close messages for what is outdated, and for what is over the limit but for those in use, which were used last. */
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
  /** Runs before the batch, unheard unless it fails. */
  prelude: Uint8Array | undefined;
  /** The client knows a statement that may change its session for longer than a transaction. */
  changesSettings: boolean;
  /** The client knows a statement that may leave something else in the session: a lock, a cursor, a temporary table. */
  leavesTraces: boolean;
}

/**
 * Texts of which nothing stays behind but rows. Any other counts as one that leaves something: it costs a cleaning more. A text
 * that hides from this, run from pieces by another statement, reaches clients of the same login alone.
 */
const traceless =
  /^\s*(?:select|insert|update|delete|with|values|begin|commit|rollback|savepoint|release|copy|set\s+local)\b(?!.*\b(?:set_config|pg_\w*advisory\w*|temp|temporary|pg_temp\w*|listen|declare|prepare|execute|nextval|setval|lo_\w+|dblink\w*)\b)/is;

/** SET and RESET without LOCAL, and set_config(…, false). May be wrong either way: it only saves a look afterwards. */
const settingChange =
  /\b(?:set\s+(?!local\b|constraints\b|transaction\b)|reset\s|set_config\s*\([^)]*\bfalse\b)/i;

/** Looking takes longer than cleaning where a text is long. */
const longestLookedAt = 20_000;
const isTraceless = (statement: string) => traceless.test(statement) || statement.trim() === "";

/** One client's statements. */
export class ClientStatements {
  readonly #loaded: LoadedStatements;
  readonly #known = new Map<string, Statement>();
  /** Clients with the same share statements: the login and its settings. */
  session = "";
  #unnamed: Buffer | null = null;
  /** What the last batch has used, and what the backend had to learn again for it. */
  #inBatch: Statement[] = [];
  #learnt: Statement[] = [];
  #changesSettings = false;
  #leavesTraces = false;
  /** What the Parse messages under way changed here, up to each Sync, to be taken back where they fail. */
  #underWay: (() => void)[][] = [[]];

  constructor(loaded: LoadedStatements) {
    this.#loaded = loaded;
  }

  /**
   * Translates a batch to the backend's names. `prelude` runs before it, unheard unless it fails.
   * @param inPipeline the client's last batch ended without Sync: one of ours would commit it and drop its portals.
   */
  translate(frames: Frame[], inPipeline = false): Translation {
    // First, so that nothing is closed that this batch uses: learnt before it, it would be prepared outside its transaction.
    const uses = new Set<Statement>();
    for (const { type, bytes } of frames) {
      const known = this.#known.get(named(type, bytes) ?? "");
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
   * Whether `next` can be translated before it is known what the frames before it did. Not where the backend has to learn a statement
   * for it, with the rights that the client has by then, nor where both prepare one: the first may fail.
   */
  canJoin(frames: Frame[], next: Frame[]): boolean {
    const before = parsedIn(frames);
    const parsed = parsedIn(next);
    if (before.some(Boolean) && parsed.some(Boolean)) return false;
    return next.every(({ type, bytes }) => {
      const name = named(type, bytes);
      if (name === undefined || (type !== "P" && parsed.includes(name))) return true;
      const known = this.#known.get(name);
      const isThere = !known || this.#loaded.inBackend.has(known);
      return type === "P" ? isThere : name !== "" && !before.includes(name) && isThere;
    });
  }

  /**
   * The batch has run: up to each Sync so many of its Parse messages count, the rest never were.
   * @param isLearnt the backend has learnt all that it had to
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

  /** What the last batch has used is of a table that has changed. */
  outdate(): void {
    for (const statement of this.#inBatch) this.#loaded.outdate(statement);
  }

  /** What the last batch has used, or some of it, is not in the backend. */
  missed(): void {
    for (const statement of this.#inBatch) this.#loaded.forget(statement);
  }

  /** The client itself asked for all its statements to go. */
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
    this.#changesSettings ||= settingChange.test(sql);
    this.#leavesTraces ||= sql.length > longestLookedAt || !sql.split(";").every(isTraceless);
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
      // Postgres refuses it.
      this.#underWay.at(-1)?.push(() => {});
      return message("P", this.#use(text, learn), body);
    }
    // One that is shared takes the unnamed one's place for a moment, see below.
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
    // Others may use it: the client hears that it is closed, which of one that is not there is always true.
    this.#known.delete(text);
    return message("C", Buffer.from("S"), unknown(text));
  }
}

/** The statement that a message prepares, binds or describes. */
function named(type: string, bytes: Buffer): string | undefined {
  if (type === "P") return cString(bytes, 5).text;
  if (type === "B") return cString(bytes, cString(bytes, 5).next).text;
  return type === "D" && bytes[5] === letterS ? cString(bytes, 6).text : undefined;
}

/** The names under which messages prepare a statement. */
const parsedIn = (frames: Frame[]): string[] =>
  frames.flatMap(({ type, bytes }) => (type === "P" ? cString(bytes, 5).text : []));

/** What a transaction that has failed still takes, besides the empty text. */
const endsTransaction = /^\s*(?:rollback|commit|end|abort|prepare\s+transaction)\b|^\s*$/i;
/** A Parse message for a statement that is there: the answer is the same, and nothing is parsed. */
const nothing = message("P", "", "", Buffer.from([0, 0]));
/** The same for what a transaction that has failed refuses to parse. */
const nothingInFailed = message("P", "", "select", Buffer.from([0, 0]));

/** Of one that is not there, too, is said that it is closed: so what is learnt can be learnt twice. */
const close = ({ name }: Statement): Buffer => message("C", Buffer.from("S"), name);

/** A client's name for a statement that it does not have: not one that another client's has in the backend. */
const unknown = (name: string): string => `? ${name}`;

/** One array of just these bytes: a view on a larger buffer would be copied whole on its way to the engine's thread. */
export function exactly(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
