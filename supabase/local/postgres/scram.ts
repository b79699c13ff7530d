// Owns the server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677) as Postgres implements it, without channel binding. Must
// not know connections: it takes the client's messages and returns the server's.

import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";
import { ProtocolError } from "./protocol.ts";

const iterations = 4096;
const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** What a server stores instead of a password. */
export interface Verifier {
  salt: Buffer;
  storedKey: Buffer;
  serverKey: Buffer;
}

export function verifierOf(password: string): Verifier {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize("NFKC"), salt, iterations, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest();
  return { salt, storedKey, serverKey: hmac(salted, "Server Key") };
}

function attributes(text: string): Map<string, string> {
  return new Map(text.split(",").map((part) => [part.slice(0, 1), part.slice(2)]));
}

/** One exchange with one client. */
export class ScramExchange {
  readonly #verifier: Verifier;
  #clientFirstBare = "";
  #serverFirst = "";
  #nonce = "";

  constructor(verifier: Verifier) {
    this.#verifier = verifier;
  }

  /** Takes the client-first-message, returns the server-first-message. */
  challenge(clientFirst: string): string {
    const gs2 = /^[ny],[^,]*,/.exec(clientFirst);
    if (!gs2)
      throw new ProtocolError("08P01", "this server has no channel binding: log in with SCRAM-SHA-256");
    this.#clientFirstBare = clientFirst.slice(gs2[0].length);
    const clientNonce = attributes(this.#clientFirstBare).get("r");
    if (!clientNonce) throw new ProtocolError("08P01", "the login message has no nonce");
    this.#nonce = clientNonce + randomBytes(18).toString("base64");
    this.#serverFirst = `r=${this.#nonce},s=${this.#verifier.salt.toString("base64")},i=${iterations}`;
    return this.#serverFirst;
  }

  /** Takes the client-final-message; returns the server-final-message, or null when the password is wrong. */
  verdict(clientFinal: string): string | null {
    const proofAt = clientFinal.lastIndexOf(",p=");
    const fields = attributes(clientFinal);
    const proof = Buffer.from(fields.get("p") ?? "", "base64");
    if (proofAt < 0 || fields.get("r") !== this.#nonce || proof.length !== 32) return null;
    const authMessage = `${this.#clientFirstBare},${this.#serverFirst},${clientFinal.slice(0, proofAt)}`;
    const signature = hmac(this.#verifier.storedKey, authMessage);
    const clientKey = Buffer.from(proof.map((byte, index) => byte ^ (signature[index] ?? 0)));
    const storedKey = createHash("sha256").update(clientKey).digest();
    if (!timingSafeEqual(storedKey, this.#verifier.storedKey)) return null;
    return `v=${hmac(this.#verifier.serverKey, authMessage).toString("base64")}`;
  }
}
