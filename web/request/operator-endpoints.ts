// Owns the web server's operator endpoints: /health/live, /health/ready and /metrics. /health stays as it was for
// compatibility.
import { Hono } from "hono";
import { metricsAnswer } from "../../edge-functions/_shared/operation/metrics.ts";
import { liveness, readiness, requireAnswer } from "../../edge-functions/_shared/operation/readiness.ts";
import { env } from "./env.ts";
import type { WebEnv } from "./web-env.ts";

/** Checks the API alone. No page renders without it, and the API reports its own dependencies. */
const ready = readiness({
  api: () => requireAnswer(`${env.SUPABASE_INTERNAL_URL}/functions/v1/v1/health/public`),
});

export const operatorEndpoints = new Hono<WebEnv>()
  .get("/health", (c) => c.json({ status: "ok" }))
  .get("/health/live", liveness)
  .get("/health/ready", ready)
  .get("/metrics", (c) => metricsAnswer(c.req.raw));
