// Owns the wait for a server that cannot be reached.
const RETRY_MS = 5_000;

/** Resolves when it is worth asking again: after some seconds, or once the browser is online. */
export function waitUntilReachable(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
    addEventListener("online", () => resolve(), { once: true });
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
