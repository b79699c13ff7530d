// Waits for what another process or a timer does. Its limit is far above what a busy machine needs: it ends a hang, it measures nothing.
import { vi } from "vitest";

/** Repeats `work` every 50 ms until it neither throws nor rejects. @throws its last error, after five minutes. */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: 300_000, interval: 50 });
