// Owns the one line that every request leaves in the log. It names the route and not the address: in an address may stand a
// token, an e-mail address, or whatever else somebody put there.
import { log } from "./log.ts";
import { countRequest } from "./metrics.ts";
import { traceRequest } from "./tracing.ts";

export type ObservedRequest = {
  process: "v1" | "slack" | "indexing" | "web" | "widget" | "gateway";
  method: string;
  /** As it is declared: /v1/teams/:teamId. */
  route: string;
  status: number;
  /** Until the answer began, and a stream goes on after that; in the gateway, until it was passed on whole. */
  ms: number;
};

/** What the line holds beside its id. */
export function requestFields({ process, method, route, status, ms }: ObservedRequest) {
  return { process, method, route, status, ms: Math.round(ms * 10) / 10 };
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A method that HTTP knows: the word is the caller's, and may be any. */
export const knownMethod = (method: string | undefined): string =>
  method !== undefined && methods.has(method) ? method : "other";

/** Logs, counts and names in the trace a request that was answered. */
export function noteRequest(request: ObservedRequest): void {
  log("info", "request", requestFields(request));
  countRequest(request);
  traceRequest(request);
}
