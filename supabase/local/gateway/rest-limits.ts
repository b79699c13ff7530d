// Owns how much of the database one request, and one caller, may take through /rest/v1. Does not judge which rows they see.
import { decodeJwt } from "jose";
import type { Caller, Refusal } from "./tokens.ts";

/** The longest that a statement of a request may run; hosted Supabase gives people who are logged in as much. */
export const STATEMENT_MS = 8_000;
/** Rows that an embedded table adds multiply level by level: a thousand, a million. */
const EMBED_LEVELS = 1;
const EMBEDS = 5;
/** Requests of one caller that run at once, and that wait for them. */
const RUNNING = 2;
const WAITING = 50;

/** Whose requests count together: a user's, an API key's, a visitor's, an agent's, or everybody's who is nobody. */
export function callerOf({ role, token }: Caller): string {
  const { sub, api_key_id: key, visitor_id: visitor, agent_id: agent } = decodeJwt(token);
  return [role, sub, key, visitor, agent].join(" ");
}

/** What is wrong with the tables that a request embeds; undefined for nothing. */
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

export const TOO_MANY: Refusal = {
  status: 429,
  code: "53300",
  message: "Too many requests of yours are waiting; try again in a moment.",
};

/** A caller's requests, so many at a time: the embedded engine runs one statement after the other, everybody's. */
export class CallersTurns {
  readonly #callers = new Map<string, { running: number; waiting: (() => void)[] }>();

  /** Runs `work` when fewer than the allowed number of the caller's requests run; undefined where too many wait. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T | undefined> {
    const own = this.#callers.get(caller) ?? { running: 0, waiting: [] };
    this.#callers.set(caller, own);
    if (own.running >= RUNNING) {
      if (own.waiting.length >= WAITING) return undefined;
      // Whoever is done hands its place on, so the number that runs stays as it is.
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
