// Owns the operators' endpoints of a function's process: /health, /health/live, /health/ready and /metrics, hosted behind the function's
// name. They are not logged and not part of the API.
import { vital } from "./dependencies.ts";
import { metricsAnswer } from "./metrics.ts";
import { liveness, readiness } from "./readiness.ts";

const endpoint =
  /^https?:\/\/[^/]+(?:\/(?:functions\/v1\/)?(?:v1|slack|indexing)(?=\/health\/(?:live|ready)|\/metrics))?(\/health|\/health\/live|\/health\/ready|\/metrics)(?:\?|$)/;
const ready = readiness(vital);

/** Answers a request to an operators' endpoint; undefined for any other request. */
export function answerOperator(request: Request): Response | Promise<Response> | undefined {
  switch (endpoint.exec(request.url)?.[1]) {
    case "/health":
    case "/health/live":
      return liveness();
    case "/health/ready":
      return ready();
    case "/metrics":
      return metricsAnswer(request);
    default:
      return undefined;
  }
}
