// Owns the start of a connection: SSL and cancel requests, the startup message, the password. Must not run SQL.

import { randomBytes } from "node:crypto";
import type { LoginUser } from "./engine-messages.ts";
import {
  cString,
  type Frame,
  int32,
  message,
  ProtocolError,
  readyForQuery,
  startupSettings,
} from "./protocol.ts";
import { ScramExchange, type Verifier, verifierOf } from "./scram.ts";

const protocol3 = 3 << 16;
const requests = { ssl: 80_877_103, gss: 80_877_104, cancel: 80_877_102 } as const;
const scram = "SCRAM-SHA-256";

export type Passwords = Record<LoginUser, string>;

/** The login users. Built once: deriving a verifier takes milliseconds. */
export class Accounts {
  readonly #verifiers: Record<LoginUser, Verifier>;
  /** Verifier for unknown users, so they look like a wrong password. */
  readonly #nobody = verifierOf(randomBytes(16).toString("hex"));

  constructor(passwords: Passwords) {
    this.#verifiers = {
      postgres: verifierOf(passwords.postgres),
      authenticator: verifierOf(passwords.authenticator),
    };
  }

  find(user: string): { verifier: Verifier; user: LoginUser | null } {
    if (user === "postgres" || user === "authenticator") return { verifier: this.#verifiers[user], user };
    return { verifier: this.#nobody, user: null };
  }
}

/** A client after its login. */
export interface LoggedIn {
  user: LoginUser;
  /** Settings from the startup message, applied to its session. */
  settings: [name: string, value: string][];
}

export type LoginStep =
  | { kind: "reply"; bytes: Buffer }
  | { kind: "cancel"; processId: number; secret: number }
  | { kind: "in"; bytes: Buffer; login: LoggedIn };

/** One client's login. Throws a ProtocolError for whatever ends it. */
export class Login {
  readonly #accounts: Accounts;
  #state: "start" | "first" | "final" = "start";
  user = "";
  #account: LoginUser | null = null;
  #settings: [string, string][] = [];
  #database = "";
  #exchange: ScramExchange | null = null;
  /** True after the StartupMessage; messages have a type from then on. */
  started = false;

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
  }

  take(frame: Frame): LoginStep {
    if (this.#state === "start") return this.#startup(frame.bytes);
    if (frame.type !== "p") throw new ProtocolError("08P01", "a password message was expected");
    return this.#state === "first" ? this.#first(frame.bytes) : this.#final(frame.bytes);
  }

  #startup(bytes: Buffer): LoginStep {
    const code = bytes.readInt32BE(4);
    if (code === requests.ssl || code === requests.gss) return { kind: "reply", bytes: Buffer.from("N") };
    if (code === requests.cancel) {
      if (bytes.length < 16) throw new ProtocolError("08P01", "a cancel request is too short");
      return { kind: "cancel", processId: bytes.readInt32BE(8), secret: bytes.readInt32BE(12) };
    }
    if (code >> 16 !== 3)
      throw new ProtocolError("0A000", "only protocol version 3 of Postgres is spoken here");
    const settings = startupSettings(bytes);
    this.started = true;
    this.user = settings.get("user") ?? "";
    if (!this.user) throw new ProtocolError("28000", "no user name was given");
    const database = settings.get("database") ?? this.user;
    const replication = settings.get("replication") ?? "false";
    if (!["false", "off", "no", "0"].includes(replication)) {
      throw new ProtocolError("0A000", "this server has no replication");
    }
    this.#settings = sessionSettings(settings);
    const { verifier, user } = this.#accounts.find(this.user);
    this.#account = user;
    this.#database = database;
    this.#exchange = new ScramExchange(verifier);
    this.#state = "first";
    const unknown = [...settings.keys()].filter((name) => name.startsWith("_pq_."));
    const negotiate =
      code !== protocol3 || unknown.length > 0
        ? [message("v", int32(protocol3, unknown.length), ...unknown)]
        : [];
    return {
      kind: "reply",
      bytes: Buffer.concat([...negotiate, message("R", int32(10), scram, Buffer.from([0]))]),
    };
  }

  #first(bytes: Buffer): LoginStep {
    const mechanism = cString(bytes, 5);
    if (mechanism.text !== scram) throw new ProtocolError("28000", `only ${scram} is taken as a login`);
    const reply = this.#exchange?.challenge(bytes.toString("utf8", mechanism.next + 4)) ?? "";
    this.#state = "final";
    return { kind: "reply", bytes: message("R", int32(11), Buffer.from(reply)) };
  }

  #final(bytes: Buffer): LoginStep {
    const verdict = this.#exchange?.verdict(bytes.toString("utf8", 5)) ?? null;
    if (verdict === null || this.#account === null) {
      throw new ProtocolError("28P01", `password authentication failed for user "${this.user}"`);
    }
    if (this.#database !== "postgres") {
      throw new ProtocolError(
        "3D000",
        `database "${this.#database}" does not exist: the only one is "postgres"`,
      );
    }
    return {
      kind: "in",
      bytes: Buffer.concat([message("R", int32(12), Buffer.from(verdict)), message("R", int32(0))]),
      login: { user: this.#account, settings: this.#settings },
    };
  }
}

/** The messages after a login: the settings that drivers read, and the key for cancel requests. */
export function greeting(
  login: LoggedIn,
  parameters: Record<string, string>,
  processId: number,
  secret: number,
): Buffer {
  const known = new Map(Object.entries(parameters));
  for (const [name, value] of login.settings) {
    for (const reported of known.keys()) {
      if (reported.toLowerCase() === name.toLowerCase()) known.set(reported, value);
    }
  }
  known.set("is_superuser", login.user === "postgres" ? "on" : "off");
  known.set("session_authorization", login.user);
  return Buffer.concat([
    ...[...known].map(([name, value]) => message("S", name, value)),
    message("K", int32(processId, secret)),
    readyForQuery,
  ]);
}

/** The session settings in a startup message, including `options=-c name=value`. */
function sessionSettings(startup: Map<string, string>): [string, string][] {
  const settings: [string, string][] = [];
  for (const [name, value] of startup) {
    if (name === "options") {
      for (const [, key, text] of value.matchAll(/(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g)) {
        settings.push([(key ?? "").replaceAll("-", "_"), (text ?? "").replace(/\\(.)/g, "$1")]);
      }
    } else if (!["user", "database", "replication"].includes(name) && !name.startsWith("_pq_.")) {
      settings.push([name, value]);
    }
  }
  return settings;
}
