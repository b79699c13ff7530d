// Owns the middleware around every request: its id, and its observation once it is answered. Does not decide what is logged or counted
// where.
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { requestIdOf, withinRequest } from "../requests/request-context.ts";
import { knownMethod, noteRequest, type ObservedRequest } from "./request-log.ts";

/** The declared route of a request; the middleware's own when no route matches. */
const declaredRoute = (c: Context) => routePath(c, -1);

/**
 * The outermost middleware. Sets the variable requestId.
 * @param routeOf returns undefined for a request that is not logged
 */
export function observe(
  process: ObservedRequest["process"],
  routeOf: (c: Context) => string | undefined = declaredRoute,
  note: (request: ObservedRequest) => void = noteRequest,
): MiddlewareHandler {
  return (c, next) => {
    const start = performance.now();
    const requestId = requestIdOf(c.req.raw.headers);
    c.set("requestId", requestId);
    return withinRequest({ requestId }, async () => {
      await next();
      if (!c.res.headers.has("X-Request-Id")) c.header("X-Request-Id", requestId);
      const route = routeOf(c);
      const method = knownMethod(c.req.method);
      const { status } = c.res;
      if (route !== undefined) note({ process, method, route, status, ms: performance.now() - start });
    });
  };
}
