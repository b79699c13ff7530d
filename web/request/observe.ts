// Owns the web server's record of each request: one line in its log, and the counters of /metrics.
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { countRequest } from "../../edge-functions/_shared/operation/metrics.ts";
import { observe } from "../../edge-functions/_shared/operation/observe.ts";
import { type ObservedRequest, requestFields } from "../../edge-functions/_shared/operation/request-log.ts";
import { log } from "./log.ts";
import { runInSpan } from "./tracing.ts";
import type { WebEnv } from "./web-env.ts";

/** The outermost middleware. */
export function observeRequests(process: "web" | "widget"): MiddlewareHandler<WebEnv> {
  const observed = observe(process, routeOf, noteRequest);
  return (c, next) => observed(c, () => runInSpan(c, next, routeOf));
}

/** The page's name when a page was rendered, else the route that answered. */
function routeOf(c: Context<WebEnv>): string | undefined {
  const route = c.get("route") ?? routePath(c);
  return /^\/(health|metrics)/.test(route) ? undefined : route;
}

function noteRequest(request: ObservedRequest): void {
  countRequest(request);
  log("info", "request", requestFields(request));
}
