// Owns the general request limit, which stops a program in a loop before it is expensive. Counted in memory, per process: a count in
// Postgres would double the cost of a cheap request. Expensive calls are also counted in Postgres (_shared/requests/limits.ts,
// _shared/requests/usage-limits.ts).
import type { Context, MiddlewareHandler } from "hono";
import { env } from "../_shared/env.ts";
import { addressHits, clientAddresses, type Hit, tooMany } from "../_shared/requests/limits.ts";
import type { AppEnv } from "./router.ts";

const windowSeconds = 60;
/** Callers and addresses counted within a minute. Further ones are not, so that many addresses cannot use up the memory. */
const mostCounted = 50_000;
const words = "limitRequests";

let windowStart = 0;
const counts = new Map<string, number>();

/** By address, before the token is checked. */
export const limitAddresses: MiddlewareHandler<AppEnv> = async (c, next) => {
  const addresses = clientAddresses(c.req.header("X-Forwarded-For"));
  count(addressHits("from", env().LIMIT_REQUESTS_PER_ADDRESS, windowSeconds, addresses, words));
  await next();
};

/** By user and API key, from any address. */
export const limitCallers: MiddlewareHandler<AppEnv> = async (c, next) => {
  count(callerHits(c));
  await next();
};

function callerHits(c: Context<AppEnv>): Hit[] {
  const { caller } = c.var;
  // A visitor can change their id, so only their address is counted.
  if (caller.kind !== "user" && caller.kind !== "apiKey") return [];
  const max = env().LIMIT_REQUESTS_PER_CALLER;
  return [{ key: `${caller.kind}:${caller.id}`, max, windowSeconds, words }];
}

function count(hits: Hit[]): void {
  const now = Date.now() / 1000;
  // Earlier: the machine's clock was set back.
  if (now < windowStart || now - windowStart >= windowSeconds) {
    counts.clear();
    windowStart = Math.floor(now / windowSeconds) * windowSeconds;
  }
  for (const hit of hits) {
    const counted = (counts.get(hit.key) ?? 0) + 1;
    if (counted > 1 || counts.size < mostCounted) counts.set(hit.key, counted);
    if (counted > hit.max) throw tooMany(hit, Math.max(1, Math.ceil(windowStart + windowSeconds - now)));
  }
}
