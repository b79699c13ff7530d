// Owns the wait for a server that cannot be reached, and what the reader is told meanwhile.
import { start } from "./start.ts";
import { toast } from "./toasts.ts";

const RETRY_MS = 5_000;

/** Says that what the reader asked for continues by itself. */
export function sayUnreachable(): void {
  const { offline, unavailable, offlineText: description } = start.labels;
  toast({ title: navigator.onLine ? unavailable : offline, description, variant: "destructive" });
}

/** Resolves when it is worth asking again: after some seconds, or once the browser is online. */
export function waitUntilReachable(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
    addEventListener("online", () => resolve(), { once: true });
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
