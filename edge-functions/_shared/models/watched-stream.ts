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
  /** Null while whoever reads is at work with an item. */
  let waitsSince: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // One timer for many items: it looks again when the wait for the next would be too long.
  const look = () => {
    const left = (waitsSince ?? Date.now()) + ms - Date.now();
    if (left > 0) timer = setTimeout(look, left);
    else stall.abort();
  };
  const aborted = new Promise<never>((_resolve, reject) => {
    const leave = () => reject(stall.signal.reason);
    if (stall.signal.aborted) leave();
    else stall.signal.addEventListener("abort", leave, { once: true });
  });
  aborted.catch(() => {});
  timer = setTimeout(look, ms);
  try {
    while (true) {
      waitsSince = Date.now();
      const item = await Promise.race([items.next(), aborted]);
      waitsSince = null;
      // An aborted stream of the openai package ends quietly, as if it were whole.
      stall.signal.throwIfAborted();
      if (item.done) return;
      yield item.value;
    }
  } finally {
    clearTimeout(timer);
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
