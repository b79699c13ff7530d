// Owns the one line that every request leaves in the log. It names the route and not the address: in an address may stand a
// token, an e-mail address, or whatever else somebody put there.
import { log } from "./log.ts";

export type ObservedRequest = {
  process: "v1" | "slack" | "indexing" | "web" | "widget" | "gateway";
  method: string;
  /** As it is declared: /v1/teams/:teamId. */
  route: string;
  status: number;
  /** Until the answer began, and a stream goes on after that; in the gateway, until it was passed on whole. */
  ms: number;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What the line holds beside its id. */
export function requestFields({ process, method, route, status, ms }: ObservedRequest) {
  return {
    process,
    // The word is the caller's, any word.
    method: methods.has(method) ? method : "other",
    route,
    status,
    ms: Math.round(ms * 10) / 10,
  };
}

export function logRequest(request: ObservedRequest): void {
  log("info", "request", requestFields(request));
}
