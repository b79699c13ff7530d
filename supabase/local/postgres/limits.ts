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
  const asked = settings.find(([name]) => name === "statement_timeout");
  const ms = Number(asked?.[1]);
  // At a login, it may not be a number yet.
  if (!(ms > 0)) return limits.statementMs;
  return user === "postgres" ? ms : Math.min(ms, limits.statementMs);
}
