// Owns the limits of one client's use of the database.

import type { Session } from "./engine-messages.ts";

export interface Limits {
  connections: number;
  /** Prepared statements that the backend keeps: the WASM's memory never shrinks. */
  statements: number;
  /** Longest wait for a turn. */
  turnMs: number;
  /** Longest pause of a client inside a transaction, and of a client that does not read its responses. */
  idleInTransactionMs: number;
  /** Longest run time of one batch. */
  statementMs: number;
  /** Longest time from connecting to the end of the login. */
  loginMs: number;
}

export const defaultLimits: Limits = {
  connections: 100,
  statements: 500,
  turnMs: 15_000,
  idleInTransactionMs: 10_000,
  statementMs: 30_000,
  loginMs: 10_000,
};

/** The server's limit, or the client's own statement_timeout. Only postgres may exceed the server's limit. */
export function statementMs(limits: Limits, { user, settings }: Session): number {
  const asked = settings.find(([name]) => name.toLowerCase() === "statement_timeout");
  const ms = milliseconds(asked?.[1] ?? "0");
  if (ms <= 0) return limits.statementMs;
  return user === "postgres" ? ms : Math.min(ms, limits.statementMs);
}

/** Parses a duration as Postgres does: in ms unless it has a unit. */
function milliseconds(text: string): number {
  const [, amount = "0", unit = "ms"] = /^\s*(\d+)\s*(ms|s|min|h|)\s*$/.exec(text) ?? [];
  return Number(amount) * ({ s: 1000, min: 60_000, h: 3_600_000 }[unit] ?? 1);
}
