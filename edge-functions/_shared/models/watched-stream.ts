// Owns reading a stream that may stall or be aborted. Does not know its items.

/**
 * Yields the source's items. Aborts `stall` when no item arrives for `ms`, and throws its reason as soon as anyone aborts it: the stream
 * and the connection under it may not notice an abort.
 */
export async function* watchStream<T>(
  source: AsyncIterable<T>,
  ms: number,
  stall: AbortController,
): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  /** Null while the reader processes an item. */
  let waitsSince: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Not by the time of day, which may be set meanwhile. One timer for many items: it checks again when the wait for the next item would time out.
  const look = () => {
    const left = (waitsSince ?? performance.now()) + ms - performance.now();
    if (left > 0) timer = setTimeout(look, left);
    else stall.abort();
  };
  const aborted = new Promise<never>((_resolve, reject) => {
    const leave = () => {
      // chatStream()'s reader may leave at the first event, and nothing reaches the end of this generator then.
      clearTimeout(timer);
      reject(stall.signal.reason);
    };
    if (stall.signal.aborted) leave();
    else stall.signal.addEventListener("abort", leave, { once: true });
  });
  aborted.catch(() => {});
  if (!stall.signal.aborted) timer = setTimeout(look, ms);
  try {
    while (true) {
      waitsSince = performance.now();
      const item = await Promise.race([items.next(), aborted]);
      waitsSince = null;
      // An aborted stream of the openai package ends silently, as if it were complete.
      stall.signal.throwIfAborted();
      if (item.done) return;
      yield item.value;
    }
  } finally {
    clearTimeout(timer);
    // Not awaited: a stuck stream never returns.
    items.return?.().catch(() => {});
  }
}

/** Awaits the work, but rejects once the signal is aborted. @throws its reason */
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
