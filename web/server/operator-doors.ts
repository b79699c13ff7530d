// Owns the web server's addresses for those who operate it: /health/live, /health/ready and /metrics; /health is what it always was.
import { Hono } from "hono";
import { metricsAnswer } from "../../edge-functions/_shared/operation/metrics.ts";
import { answers, liveness, readiness } from "../../edge-functions/_shared/operation/readiness.ts";
import { env } from "./env.ts";
import type { WebEnv } from "./web-env.ts";

/** The API alone: without it no page can be shown, and what it needs itself is its own to tell. */
const ready = readiness({ api: () => answers(`${env.SUPABASE_URL}/functions/v1/v1/health/public`) });

export const operatorDoors = new Hono<WebEnv>()
  .get("/health", (c) => c.json({ status: "ok" }))
  .get("/health/live", liveness)
  .get("/health/ready", ready)
  .get("/metrics", (c) => metricsAnswer(c.req.raw));
