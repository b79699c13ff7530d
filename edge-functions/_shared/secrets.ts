// Owns encryption of what must be kept but never shown: connectors' credentials, tokens of apps. AES-256-GCM with a
// key made from SECRETS_KEY. Must not store anything.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { env } from "./env.ts";

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param context what the secret belongs to, such as "source:{id}"; it opens for the same context alone
 * @returns one byte of version, the nonce, the tag, the ciphertext
 */
export function seal(plain: string, context: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key(), nonce).setAAD(new TextEncoder().encode(context));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), body]);
}

/** @throws Error when the bytes were changed, belong to another context or were sealed with another key */
export function unseal(sealed: Uint8Array, context: string): string {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) {
    throw new Error("These bytes are not a sealed secret");
  }
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key(), nonce)
    .setAAD(new TextEncoder().encode(context))
    .setAuthTag(tag);
  const body = sealed.subarray(1 + nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

/** A key of its own, so that no other use of SECRETS_KEY meets this one. */
function key(): Uint8Array {
  return createHmac("sha256", env().SECRETS_KEY).update("sealed-secret").digest();
}
