// Owns encryption of what must be kept but never shown: connectors' credentials, tokens of apps. AES-256-GCM with a
// key made from SECRETS_KEY: the first of several seals, each of them opens. Must not store anything.
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
  const cipher = createCipheriv("aes-256-gcm", keys()[0], nonce).setAAD(new TextEncoder().encode(context));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), body]);
}

/** @throws Error when the bytes were changed, belong to another context or were sealed with another key */
export function unseal(sealed: Uint8Array, context: string): string {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) {
    throw new Error("These bytes are not a sealed secret");
  }
  const failures: unknown[] = [];
  for (const key of keys()) {
    try {
      return open(sealed, context, key);
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

function open(sealed: Uint8Array, context: string, key: Uint8Array): string {
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce)
    .setAAD(new TextEncoder().encode(context))
    .setAuthTag(tag);
  const body = sealed.subarray(1 + nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

/** Keys of their own, so that no other use of SECRETS_KEY meets these. */
function keys(): [Uint8Array, ...Uint8Array[]] {
  const derive = (secret: string) => createHmac("sha256", secret).update("sealed-secret").digest();
  const [current, ...earlier] = env().SECRETS_KEY;
  return [derive(current), ...earlier.map(derive)];
}
