// Owns the Idempotency-Keys of what the reader sends. What got no answer may have arrived: sent again unchanged, it has the same key. Does
// not send.

/** The keys of what got no answer, by all that was sent. */
const unanswered = new Map<string, string>();

/** crypto.randomUUID() needs HTTPS. */
const randomKey = () => [...crypto.getRandomValues(new Uint32Array(4))].join("-");

/** The key for something that is about to be sent. Two of the same at once have two keys. */
export function takeKey(text: string): string {
  const key = unanswered.get(text) ?? randomKey();
  unanswered.delete(text);
  return key;
}

/** Gives the key to the same text when it is sent again. */
export function keepKey(text: string, key: string): void {
  unanswered.set(text, key);
}

/** True for a failure of the service, which may have done its work all the same. */
export const mayHaveArrived = (status: number): boolean => status === 0 || status >= 500;

/** Something was answered: the reader has gone on, and may create again on purpose what they deleted meanwhile. */
export function noteAnswer(status: number): void {
  if (!mayHaveArrived(status)) unanswered.clear();
}
