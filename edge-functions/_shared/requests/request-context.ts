// Owns which request the running code works for: its id stands in the log, in Postgres and in the calls onwards. Does not know
// HTTP frameworks, and never holds who asks.
import { AsyncLocalStorage } from "node:async_hooks";

export type RequestContext = { requestId: string };

/** Shorter than any key or token of ours, without the characters of an e-mail address, and it fits into application_name. */
const plainId = /^[\w-]{8,48}$/;

const running = new AsyncLocalStorage<RequestContext>();

/** The id that a caller gave the request where it is a plain one, else a new one. */
export function requestIdFrom(given: unknown): string {
  return typeof given === "string" && plainId.test(given) ? given : crypto.randomUUID();
}

export function requestIdOf(headers: Headers): string {
  return requestIdFrom(headers.get("X-Request-Id"));
}

/** Runs work for a request, and everything that it starts. */
export function withinRequest<T>(context: RequestContext, work: () => T): T {
  return running.run(context, work);
}

/** The id of the request that the running code works for; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return running.getStore()?.requestId;
}

/** For calls to other processes of ours, so that their log has the same id. */
export function requestIdHeader(): Record<string, string> {
  const requestId = currentRequestId();
  return requestId ? { "X-Request-Id": requestId } : {};
}

/** What a transaction is called in pg_stat_activity and in Postgres's log. */
export function applicationName(): string {
  const requestId = currentRequestId();
  return requestId ? `parley ${requestId}` : "parley";
}
