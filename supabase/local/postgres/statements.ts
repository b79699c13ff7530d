// Owns prepared statements of many clients on one backend: gives each a name of its own there, remembers how it was
// made, and teaches the backend again what it has forgotten or what another client overwrote. Sends nothing itself.

import { cString, type Frame, flush, message, sync } from "./protocol.ts";

/** More are closed, the longest unused first: the WASM's memory never shrinks. */
const maxLoaded = 500;

interface Statement {
  /** Its name in the backend. */
  name: string;
  /** The Parse message under that name. */
  parse: Buffer;
}

/** What the backend knows now, whoever taught it. */
export class LoadedStatements {
  /** In order of use. */
  readonly names = new Set<string>();
  unnamedOwner: ClientStatements | null = null;
  /** Close messages for statements of clients that are gone, to be sent with the next batch of anyone. */
  orphans: Buffer[] = [];
  #counter = 0;

  newName(): string {
    this.#counter += 1;
    return `p${this.#counter}`;
  }

  used(name: string): void {
    this.names.delete(name);
    this.names.add(name);
  }

  forgetAll(): void {
    this.names.clear();
    this.orphans = [];
    this.unnamedOwner = null;
  }

  /** Close messages for what nobody needs and what is over the limit. */
  excess(): Buffer[] {
    const closes = this.orphans;
    this.orphans = [];
    for (const name of this.names) {
      if (this.names.size <= maxLoaded) break;
      this.names.delete(name);
      closes.push(message("C", Buffer.from("S"), name));
    }
    return closes;
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
  #unnamed: Buffer | null = null;
  #changesSettings = false;
  #leavesTraces = false;
  /** What the Parse messages under way changed here, to be taken back where they fail. */
  #underWay: (() => void)[] = [];

  constructor(loaded: LoadedStatements) {
    this.#loaded = loaded;
  }

  /**
   * Translates a batch to the backend's names. `prelude` runs before it, unheard unless it fails.
   * @param inPipeline the client's last batch ended without Sync: one of ours would commit it and drop its portals.
   */
  translate(frames: Frame[], inPipeline = false): Translation {
    // First, so that nothing that this batch uses is closed.
    const closes = inPipeline ? [] : this.#loaded.excess();
    const learn: Buffer[] = [];
    const out = frames.map((frame) => this.#frame(frame, learn));
    const prelude = [...closes, ...learn];
    return {
      batch: exactly(out),
      prelude: prelude.length > 0 ? exactly([...prelude, inPipeline ? flush : sync]) : undefined,
      changesSettings: this.#changesSettings,
      leavesTraces: this.#leavesTraces,
    };
  }

  /** The batch has run: of its Parse messages the first `parsed` count, the rest never were. */
  settle(parsed: number): void {
    for (const takeBack of this.#underWay.splice(0).slice(parsed).reverse()) takeBack();
  }

  /** The client itself asked for all its statements to go. */
  forgetAll(): void {
    this.#known.clear();
    this.#unnamed = null;
  }

  /** Close messages for all that the backend still holds of this client. */
  closeAll(): Buffer[] {
    const held = [...this.#known.values()].filter(({ name }) => this.#loaded.names.delete(name));
    this.forgetAll();
    if (this.#loaded.unnamedOwner === this) this.#loaded.unnamedOwner = null;
    return held.map(({ name }) => message("C", Buffer.from("S"), name));
  }

  #frame({ type, bytes }: Frame, learn: Buffer[]): Buffer {
    switch (type) {
      case "Q":
        // A simple query drops the unnamed statement.
        this.#unnamed = null;
        this.#loaded.unnamedOwner = null;
        this.#look(cString(bytes, 5).text);
        return bytes;
      case "P":
        this.#look(cString(bytes, cString(bytes, 5).next).text);
        return this.#parse(bytes);
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
        if (bytes[5] !== 0x53) return bytes;
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

  #parse(bytes: Buffer): Buffer {
    const { text, next } = cString(bytes, 5);
    if (text === "") {
      const before = this.#unnamed;
      this.#unnamed = bytes;
      this.#loaded.unnamedOwner = this;
      this.#underWay.push(() => {
        this.#unnamed = before;
        this.#loaded.unnamedOwner = null;
      });
      return bytes;
    }
    const before = this.#known.get(text);
    const name = before?.name ?? this.#loaded.newName();
    const parse = message("P", name, bytes.subarray(next));
    this.#known.set(text, { name, parse });
    this.#loaded.used(name);
    this.#underWay.push(() => {
      if (before) this.#known.set(text, before);
      else this.#known.delete(text);
      if (!before) this.#loaded.names.delete(name);
    });
    return parse;
  }

  #use(text: string, learn: Buffer[]): string {
    if (text === "") {
      if (this.#unnamed && this.#loaded.unnamedOwner !== this) learn.push(this.#unnamed);
      this.#loaded.unnamedOwner = this;
      return text;
    }
    const known = this.#known.get(text);
    if (!known) return text;
    if (!this.#loaded.names.has(known.name)) learn.push(known.parse);
    this.#loaded.used(known.name);
    return known.name;
  }

  #close(text: string, bytes: Buffer): Buffer {
    if (text === "") {
      this.#unnamed = null;
      return bytes;
    }
    const known = this.#known.get(text);
    if (!known) return bytes;
    this.#known.delete(text);
    this.#loaded.names.delete(known.name);
    return message("C", Buffer.from("S"), known.name);
  }
}

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
