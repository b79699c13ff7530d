// Owns what a function adds to the traces that Deno makes (OTEL_DENO): the declared route and the request's id. It cannot take out
// the address, which Deno has put there: a second value would stand beside the first.
import type { trace as Trace } from "@opentelemetry/api";
import { currentRequestId } from "../requests/request-context.ts";
import type { ObservedRequest } from "./request-log.ts";

let trace: typeof Trace | undefined;

/** Without it, Deno traces nothing, and nothing is loaded. */
export async function startTracing(isOn: boolean): Promise<void> {
  if (isOn) ({ trace } = await import("@opentelemetry/api"));
}

/** Names the span of the request that is being answered. */
export function traceRequest({ method, route }: ObservedRequest): void {
  const span = trace?.getActiveSpan();
  if (!span) return;
  span.updateName(`${method} ${route}`);
  span.setAttributes(spanAttributes(route));
}

/** Of a request's span, in OpenTelemetry's words for HTTP. */
export function spanAttributes(route: string): Record<string, string> {
  const requestId = currentRequestId();
  return {
    "http.route": route,
    ...(requestId && { "parley.request_id": requestId }),
  };
}
