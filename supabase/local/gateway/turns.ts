// Owns the order of calls that must not overlap. lite is an installation's only auth and storage server, so a queue in its
// process is enough; hosted Supabase takes row locks instead.

const last = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier calls with the same key. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}

/** Waits for all earlier calls with the same key. @returns what ends the turn */
export function takeTurn(key: string): Promise<() => void> {
  return new Promise((begin) => void inTurn(key, () => new Promise<void>((end) => begin(end))));
}
