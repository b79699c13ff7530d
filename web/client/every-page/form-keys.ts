// Owns what counts as the same form, for the Idempotency-Key that it is sent with.
import { keepKey, takeKey } from "../repeat-keys.ts";

/** What is sent, in one text. A file is known by its name, size and date. */
const textOf = (address: string, body: FormData) =>
  JSON.stringify([
    address,
    ...[...body].map(([name, value]) =>
      typeof value === "string" ? [name, value] : [name, value.name, value.size, value.lastModified],
    ),
  ]);

/** The key for a form that is about to be sent. It keeps the key until something is answered. */
export function keyForForm(address: string, body: FormData): string {
  const text = textOf(address, body);
  const key = takeKey(text);
  keepKey(text, key);
  return key;
}
