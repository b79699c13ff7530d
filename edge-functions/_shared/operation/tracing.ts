// Owns what a function adds to Deno's traces (OTEL_DENO): the declared route and the request id. It cannot remove the URL that Deno
// records: a second value would be added to the first.
import type { trace as Trace } from "@opentelemetry/api";
import { currentRequestId } from "../requests/request-context.ts";
import type { ObservedRequest } from "./request-log.ts";

let trace: typeof Trace | undefined;

/** Loads the package only when tracing is on; otherwise Deno traces nothing. */
export async function startTracing(isOn: boolean): Promise<void> {
  if (isOn) ({ trace } = await import("@opentelemetry/api"));
}

/** Names the span of the current request. */
export function traceRequest({ method, route }: ObservedRequest): void {
  const span = trace?.getActiveSpan();
  if (!span) return;
  span.updateName(`${method} ${route}`);
  span.setAttributes(spanAttributes(route));
}

/** Attributes of a request's span, by OpenTelemetry's conventions for HTTP. */
export function spanAttributes(route: string): Record<string, string> {
  const requestId = currentRequestId();
  return {
    "http.route": route,
    ...(requestId && { "parley.request_id": requestId }),
  };
}
