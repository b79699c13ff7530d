// Owns the one log line of every request. It names the route, not the URL: a URL may contain a token, an email address or other private
// text.
import { log } from "./log.ts";
import { countRequest } from "./metrics.ts";
import { traceRequest } from "./tracing.ts";

export type ObservedRequest = {
  process: "v1" | "slack" | "indexing" | "web" | "widget" | "gateway";
  method: string;
  /** As declared: /v1/teams/:teamId. */
  route: string;
  status: number;
  /** Until the answer starts; a stream continues after that. In the gateway, until the whole answer was forwarded. */
  ms: number;
};

/** The fields of the line, in addition to the request id. */
export function requestFields({ process, method, route, status, ms }: ObservedRequest) {
  return { process, method, route, status, ms: Math.round(ms * 10) / 10 };
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A standard HTTP method, or "other": a caller can send any word. */
export const knownMethod = (method: string | undefined): string =>
  method !== undefined && methods.has(method) ? method : "other";

/** Logs, counts and traces an answered request. */
export function noteRequest(request: ObservedRequest): void {
  log("info", "request", requestFields(request));
  countRequest(request);
  traceRequest(request);
}
