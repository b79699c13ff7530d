// Owns the start of a connection: SSL and cancel requests, the startup message, the password. Must not run SQL.
// The password travels in clear text, as this server listens on 127.0.0.1 only: docs/decisions/0002.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { LoginUser, Settings } from "./engine-messages.ts";
import type { Patience } from "./patience.ts";
import { cString, int32, message, ProtocolError, readyForQuery } from "./protocol.ts";
import type { Wire } from "./wire.ts";

const protocol3 = 3 << 16;
const cancelRequest = 80_877_102;
/** Requests for SSL and for GSSAPI. */
const noEncryption = new Set([80_877_103, 80_877_104]);

export type Passwords = Record<LoginUser, string>;

export type LoggedIn =
  | { kind: "client"; user: LoginUser; settings: Settings }
  | { kind: "cancel"; processId: number; secret: number };

/**
 * Reads a client's first messages. Null when it disconnects.
 * @param admit called with the user's name before the password is asked for; throws to refuse
 * @throws ProtocolError for whatever ends the login
 */
export async function logIn(
  wire: Wire,
  { passwords, patience, admit }: { passwords: Passwords; patience: Patience; admit(user: string): void },
): Promise<LoggedIn | null> {
  let packet = await wire.next(patience);
  while (packet && noEncryption.has(packet.bytes.readInt32BE(4))) {
    wire.write(Buffer.from("N"));
    packet = await wire.next(patience);
  }
  if (!packet) return null;
  const { bytes } = packet;
  const code = bytes.readInt32BE(4);
  if (code === cancelRequest) {
    if (bytes.length < 16) throw new ProtocolError("08P01", "a cancel request is too short");
    return { kind: "cancel", processId: bytes.readInt32BE(8), secret: bytes.readInt32BE(12) };
  }
  if (code >> 16 !== 3) {
    throw new ProtocolError("0A000", "this server supports only version 3 of the Postgres protocol");
  }
  const startup = startupOptions(bytes);
  wire.startupIsOver();
  const user = startup.get("user") ?? "";
  if (!["false", "off", "no", "0"].includes(startup.get("replication") ?? "off")) {
    throw new ProtocolError("0A000", "this server does not support replication");
  }
  admit(user);
  const unknown = [...startup.keys()].filter((name) => name.startsWith("_pq_."));
  if (code !== protocol3 || unknown.length > 0) {
    wire.write(message("v", int32(protocol3, unknown.length), ...unknown));
  }
  wire.write(message("R", int32(3)));
  const reply = await wire.next(patience);
  if (!reply) return null;
  if (reply.type !== "p") throw new ProtocolError("08P01", "a password message was expected");
  if (!isLoginUser(user) || !isEqual(cString(reply.bytes, 5).text, passwords[user])) {
    throw new ProtocolError("28P01", `password authentication failed for user "${user}"`);
  }
  const database = startup.get("database") ?? user;
  if (database !== "postgres") {
    throw new ProtocolError("3D000", `database "${database}" does not exist: the only one is "postgres"`);
  }
  return { kind: "client", user, settings: sessionSettings(startup) };
}

const isLoginUser = (user: string): user is LoginUser => user === "postgres" || user === "authenticator";

const pepper = randomBytes(32);
const digest = (text: string) => createHash("sha256").update(pepper).update(text).digest();
/** Takes the same time for every wrong password. */
const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));

/** The messages after a login: the settings that drivers read, and the key for cancel requests. */
export function greeting(
  { user, settings }: { user: LoginUser; settings: Settings },
  parameters: Record<string, string>,
  ...key: [processId: number, secret: number]
): Buffer {
  const asked = new Map(settings.map(([name, value]) => [name.toLowerCase(), value]));
  const reported = Object.entries(parameters).map(([name, value]) => [
    name,
    asked.get(name.toLowerCase()) ?? value,
  ]);
  reported.push(["is_superuser", user === "postgres" ? "on" : "off"], ["session_authorization", user]);
  return Buffer.concat([
    message("R", int32(0)),
    ...reported.map((texts) => message("S", ...texts)),
    message("K", int32(...key)),
    readyForQuery,
  ]);
}

/** Parses a StartupMessage's `name\0value\0…\0` list. */
function startupOptions(bytes: Buffer): Map<string, string> {
  const options = new Map<string, string>();
  let at = 8;
  while (at < bytes.length && bytes[at] !== 0) {
    const name = cString(bytes, at);
    const value = cString(bytes, name.next);
    options.set(name.text, value.text);
    at = value.next;
  }
  return options;
}

/** The session settings in a startup message, including `options=-c name=value`. */
function sessionSettings(startup: Map<string, string>): Settings {
  return [...startup].flatMap(([name, value]): Settings => {
    if (["user", "database", "replication"].includes(name) || name.startsWith("_pq_.")) return [];
    if (name !== "options") return [[name, value]];
    return [...value.matchAll(/(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g)].map(([, key = "", text = ""]) => [
      key.replaceAll("-", "_"),
      text.replace(/\\(.)/g, "$1"),
    ]);
  });
}
