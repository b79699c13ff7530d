// Owns the addresses of a function's process that are for those who operate it: /health, /health/live, /health/ready and /metrics, hosted
// behind the function's name. They leave no line in the log and are no part of the API.
import { vital } from "./dependencies.ts";
import { metricsAnswer } from "./metrics.ts";
import { liveness, readiness } from "./readiness.ts";

const door =
  /^https?:\/\/[^/]+(?:\/(?:functions\/v1\/)?(?:v1|slack|indexing)(?=\/health\/(?:live|ready)|\/metrics))?(\/health|\/health\/live|\/health\/ready|\/metrics)(?:\?|$)/;
const ready = readiness(vital);

/** The answer to a request that is for one of them; undefined for any other. */
export function operatorDoor(request: Request): Response | Promise<Response> | undefined {
  switch (door.exec(request.url)?.[1]) {
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
