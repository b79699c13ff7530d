// Owns work that continues after its request was answered. Must not run work that the response depends on.
import { log, traceOf } from "../_shared/operation/log.ts";

type Runtime = { waitUntil(work: Promise<unknown>): void };

/** Keeps a hosted function alive until the work is done. Logs a failure under the given name. */
export function inBackground(work: Promise<unknown>, name = "background work"): void {
  const running = work.catch((error: unknown) => {
    log("error", "background work failed", { work: name, error: traceOf(error) });
  });
  const runtime: unknown = Reflect.get(globalThis, "EdgeRuntime");
  if (isRuntime(runtime)) runtime.waitUntil(running);
}

function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "waitUntil" in value;
}
