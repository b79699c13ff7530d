// Owns liveness and readiness of a process. Dependencies are checked at most once a second, however many requests arrive. The answers are
// public, and name only the part that failed.
import { log } from "./log.ts";

/** Checks one dependency. Throws when it does not answer. */
export type Check = () => Promise<unknown>;
export type State = { status: "ok" | "failed"; durationMs: number };

const timeoutMs = 5_000;
const keptMs = 1_000;

/** GET /health/live: the process answers. */
export const liveness = (): Response => answer(200, { status: "live" });

/** GET /health/ready: 200 when every dependency answers, else 503. */
export function readiness(checks: Record<string, Check>): () => Promise<Response> {
  let asked: Promise<Record<string, State["status"]>> | undefined;
  let before = "";

  async function ask(): Promise<Record<string, State["status"]>> {
    const states = Object.fromEntries(
      Object.entries(await statesOf(checks)).map(([name, { status }]) => [name, status]),
    );
    const failed = Object.keys(states).filter((name) => states[name] !== "ok");
    if (failed.join() !== before)
      log("warn", "the set of failed readiness checks has changed", { failed: failed.join() });
    before = failed.join();
    return states;
  }

  return async () => {
    if (!asked) {
      asked = ask();
      const forget = () => {
        asked = undefined;
      };
      asked.then(() => setTimeout(forget, keptMs), forget);
    }
    const states = await asked;
    const isReady = Object.values(states).every((status) => status === "ok");
    return answer(isReady ? 200 : 503, { status: isReady ? "ready" : "unready", checks: states });
  };
}

/** Runs all checks in parallel, each with a timeout of five seconds. */
export async function statesOf(checks: Record<string, Check>): Promise<Record<string, State>> {
  const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
  return Object.fromEntries(await Promise.all(states));
}

async function stateOf(check: Check): Promise<State> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("No answer in time")), timeoutMs);
  });
  try {
    await Promise.race([check(), tooLong]);
    return { status: "ok", durationMs: took() };
  } catch {
    return { status: "failed", durationMs: took() };
  } finally {
    clearTimeout(timer);
  }
}

/** Checks a service over HTTP. */
export async function requireAnswer(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

function answer(status: number, body: unknown): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store" } });
}
