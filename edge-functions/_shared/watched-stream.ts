// Owns reading a stream that may fall silent, or be given up. Does not know what comes in it.

/**
 * The same items. Aborts `stall` when none comes for `ms`, and fails with its reason as soon as it is aborted by whomever: a
 * stream, and the connection under it, need not notice.
 */
export async function* watched<T>(
  source: AsyncIterable<T>,
  ms: number,
  stall: AbortController,
): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  try {
    while (true) {
      const timer = setTimeout(() => stall.abort(), ms);
      const item = await unlessAborted(items.next(), stall.signal).finally(() => clearTimeout(timer));
      // An aborted stream of the openai package ends quietly, as if it were whole.
      stall.signal.throwIfAborted();
      if (item.done) return;
      yield item.value;
    }
  } finally {
    // Not waited for: a stream that is stuck does not even end.
    items.return?.().catch(() => {});
  }
}

/** Waits for the work, but not once the signal is aborted. @throws its reason */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
