// Owns the Idempotency-Key of a posted form. A form that got no answer may have arrived: sent again unchanged, it has the same key.

let unanswered: { text: string; key: string } | undefined;

/** What is sent, in one text. A file is known by its name, size and date. */
const textOf = (address: string, body: FormData) =>
  JSON.stringify([
    address,
    ...[...body].map(([name, value]) =>
      typeof value === "string" ? [name, value] : [name, value.name, value.size, value.lastModified],
    ),
  ]);

/** crypto.randomUUID() needs HTTPS. */
const randomKey = () => [...crypto.getRandomValues(new Uint32Array(4))].join("-");

/** The key for a form that is about to be sent. */
export function keyForForm(address: string, body: FormData): string {
  const text = textOf(address, body);
  if (unanswered?.text !== text) unanswered = { text, key: randomKey() };
  return unanswered.key;
}

/** @param status of the answer; after a failure of the service the form may have arrived all the same */
export function noteAnswer(status: number): void {
  if (status < 500) unanswered = undefined;
}
