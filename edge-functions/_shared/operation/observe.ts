// Owns what happens around every request of an application: its id, what is noted when it was answered. Does not decide what is
// noted where.
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { requestIdOf, withinRequest } from "../requests/request-context.ts";
import { knownMethod, noteRequest, type ObservedRequest } from "./request-log.ts";

/** The declared route that a request was for; middleware's own where there was none. */
const declaredRoute = (c: Context) => routePath(c, -1);

/**
 * The outermost middleware; leaves the id as the variable requestId.
 * @param routeOf undefined for a request that nobody wants to read about
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
