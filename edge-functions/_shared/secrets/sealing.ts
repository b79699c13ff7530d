// Owns the format of a sealed secret: AES-256-GCM with keys derived from given secrets. The first key seals, any of them unseals. Pure:
// reads no settings and stores nothing.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export class Sealing {
  readonly #keys: [Uint8Array, ...Uint8Array[]];

  /** @param secrets as in SECRETS_KEY. The keys are derived, so that no other use of SECRETS_KEY shares them. */
  constructor([current, ...earlier]: readonly [string, ...string[]]) {
    const derive = (secret: string) => createHmac("sha256", secret).update("sealed-secret").digest();
    this.#keys = [derive(current), ...earlier.map(derive)];
  }

  /**
   * @param context what the secret belongs to, such as "source:{id}"; it unseals only for the same context
   * @returns one byte of version, the nonce, the tag, the ciphertext
   */
  seal(plain: string, context: string): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#keys[0], nonce).setAAD(
      new TextEncoder().encode(context),
    );
    const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), body]);
  }

  /** @throws Error when the bytes were changed, belong to another context or were sealed with another key */
  unseal(sealed: Uint8Array, context: string): string {
    return this.unsealWith(sealed, context).plain;
  }

  /** As unseal(), and the index of the key that it was sealed with: 0 is the one that seals. */
  unsealWith(sealed: Uint8Array, context: string): { plain: string; key: number } {
    if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) {
      throw new Error("These bytes are not a sealed secret");
    }
    const failures: unknown[] = [];
    for (const [index, key] of this.#keys.entries()) {
      try {
        return { plain: open(sealed, context, key), key: index };
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  }
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
