// Owns the current request's id, for the log, Postgres and calls to other processes, and its claim of an Idempotency-Key. Does not know HTTP
// frameworks, and never stores the caller.
import { AsyncLocalStorage } from "node:async_hooks";

export type RequestContext = {
  requestId: string;
  /** The request's claim of an Idempotency-Key, until a transaction has noted its effect. */
  claim?: string | undefined;
};

/** Shorter than any of our keys or tokens, without the characters of an email address, and it fits into application_name. */
const plainId = /^[\w-]{8,48}$/;

const running = new AsyncLocalStorage<RequestContext>();

/** The id that the caller sent if it is a plain one, else a new one. */
export function requestIdFrom(given: unknown): string {
  return typeof given === "string" && plainId.test(given) ? given : crypto.randomUUID();
}

export function requestIdOf(headers: Headers): string {
  return requestIdFrom(headers.get("X-Request-Id"));
}

/** Runs work, and everything that it starts, in the context of a request. */
export function withinRequest<T>(context: RequestContext, work: () => T): T {
  return running.run(context, work);
}

/** The id of the current request; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return running.getStore()?.requestId;
}

/** The claim whose effect the next transaction notes; undefined where none has to. */
export function claimToNote(): string | undefined {
  return running.getStore()?.claim;
}

/** Sets or, with undefined, clears that claim. */
export function setClaim(claim: string | undefined): void {
  const context = running.getStore();
  if (context) context.claim = claim;
}

/** Header for calls to our other processes, so that they log the same id. */
export function requestIdHeader(): Record<string, string> {
  const requestId = currentRequestId();
  return requestId ? { "X-Request-Id": requestId } : {};
}

/** The transaction's name in pg_stat_activity and in Postgres's log. */
export function applicationName(): string {
  const requestId = currentRequestId();
  return requestId ? `parley ${requestId}` : "parley";
}
