// Owns work that continues after its request was answered. Must not run work that the response depends on.
import { log } from "../_shared/operation/log.ts";

type Runtime = { waitUntil(work: Promise<unknown>): void };

/** Keeps a hosted function alive until the work is done. Logs a failure under the given name. */
export function inBackground(work: Promise<unknown>, name = "background work"): void {
  const running = work.catch((error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log("error", "background work failed", { work: name, error: text });
  });
  const runtime: unknown = Reflect.get(globalThis, "EdgeRuntime");
  if (isRuntime(runtime)) runtime.waitUntil(running);
}

function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "waitUntil" in value;
}
