// Owns the limits of one request, and of one caller, on the database through /rest/v1. Does not decide which rows they see.
import { decodeJwt } from "jose";
import type { RestCall } from "./rest-calls.ts";
import type { Caller, Refusal } from "./tokens.ts";

/** Maximum run time of a request's statement; hosted Supabase allows logged-in users the same. */
export const STATEMENT_MS = 8_000;
/** Each level of embedding multiplies the rows: a thousand, then a million. */
const EMBED_LEVELS = 1;
const EMBEDS = 5;
/** Requests of one caller that run at once, and that wait. */
const RUNNING = 2;
const WAITING = 50;

/** Key of a caller whose requests count together: a user, an API key, a visitor, an agent, or everyone without an identity. */
export function callerOf({ role, token }: Caller): string {
  const { sub, api_key_id: key, visitor_id: visitor, agent_id: agent } = decodeJwt(token);
  return [role, sub, key, visitor, agent].join(" ");
}

/** The refusal for what a request embeds; undefined when it is within the limits. */
export function refuseEmbeds(query: URLSearchParams): Refusal | undefined {
  let embeds = 0;
  let levels = 0;
  for (const select of query.getAll("select")) {
    let level = 0;
    for (const sign of select.replace(/"(?:[^"\\]|\\.)*"/g, "")) {
      if (sign === ")") level -= 1;
      if (sign !== "(") continue;
      embeds += 1;
      level += 1;
      levels = Math.max(levels, level);
    }
  }
  if (levels <= EMBED_LEVELS && embeds <= EMBEDS) return undefined;
  return {
    status: 400,
    code: "54001",
    message: `A request embeds at most ${EMBEDS} tables, each directly in the table that it reads.`,
  };
}

/**
 * The refusal for an estimated count, which comes from statistics of all teams' rows. On hosted Supabase, sql/91_estimates.sql refuses.
 */
export function refuseEstimates(headers: Headers): Refusal | undefined {
  if (!/count\s*=\s*"?(planned|estimated)/i.test(headers.get("prefer") ?? "")) return undefined;
  return {
    status: 400,
    code: "PT400",
    message: "ask for count=exact: an estimate counts rows of other teams",
  };
}

/** The refusal for a NUL in the query. In a name it would end the statement's text early, which the database calls a broken message. */
export function refuseNul(query: URLSearchParams): Refusal | undefined {
  if (!query.toString().includes("%00")) return undefined;
  return { status: 400, code: "22021", message: "a query cannot contain NUL" };
}

/**
 * The refusal for a change of every row that the caller may change, which is a forgotten filter: PostgREST ignores a limit here. Hosted
 * Supabase refuses the same with its extension safeupdate.
 */
export function refuseUnfiltered(method: string, { where }: RestCall): Refusal | undefined {
  if (!/^(PATCH|DELETE)$/.test(method) || Object.keys(where).length > 0) return undefined;
  return { status: 400, code: "21000", message: `${method} needs a filter that names its rows` };
}

export const TOO_MANY: Refusal = {
  status: 429,
  code: "53300",
  message: "Too many requests of yours are waiting; try again in a moment.",
};

/** How long a caller pauses whose statement was ended at the limit; each further time twice as long. */
const PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** The refusal of a caller whose statements were ended at the limit, while it pauses. */
export function pausing(seconds: number): Refusal {
  const message = `A statement of yours was ended after ${STATEMENT_MS / 1000} seconds; try again in ${seconds} seconds.`;
  return { status: 429, code: "57014", message, retryAfter: seconds };
}

/**
 * Pauses callers whose statements are ended at the limit. Ending one can mean restarting the embedded engine, for which everybody waits: one
 * caller could keep it restarting.
 */
export class CallersPauses {
  readonly #callers = new Map<string, { until: number; pauseMs: number }>();

  /** Seconds until the caller may send statements again; 0 when it may now. */
  secondsLeft(caller: string, now = performance.now()): number {
    return Math.max(0, Math.ceil(((this.#callers.get(caller)?.until ?? 0) - now) / 1000));
  }

  /** Notes that a statement of the caller was ended. */
  pause(caller: string, now = performance.now()): void {
    for (const [one, { until }] of this.#callers)
      if (until + LONGEST_PAUSE_MS < now) this.#callers.delete(one);
    const before = this.#callers.get(caller);
    // Two that ran at once count as one.
    if (before && before.until > now) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, before ? before.pauseMs * 2 : PAUSE_MS);
    this.#callers.set(caller, { until: now + pauseMs, pauseMs });
  }
}

/** True for the answer to a statement that was ended at the limit. A caller that only waited for the database has another code. */
export async function wasEnded(answer: Response, ms: number): Promise<boolean> {
  if (answer.status !== 503 || ms < STATEMENT_MS) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return code === "57014" || code === "CONNECTION_CLOSED" || code === "unavailable";
}

/** Limits each caller's concurrent requests: the embedded engine runs the statements of all callers one after another. */
export class CallersTurns {
  readonly #callers = new Map<string, { running: number; waiting: (() => void)[] }>();

  /** Runs `work` once fewer than the allowed number of the caller's requests run; undefined when too many wait. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T | undefined> {
    const own = this.#callers.get(caller) ?? { running: 0, waiting: [] };
    this.#callers.set(caller, own);
    if (own.running >= RUNNING) {
      if (own.waiting.length >= WAITING) return undefined;
      // A finished request passes its slot on, so the number of running requests stays the same.
      await new Promise<void>((go) => own.waiting.push(go));
    } else own.running += 1;
    try {
      return await work();
    } finally {
      const next = own.waiting.shift();
      if (next) next();
      else if (--own.running === 0) this.#callers.delete(caller);
    }
  }
}
