// The entry point of the edge function "slack": serves Slack's routes. Only this file uses Deno's API.
import { poolUse } from "../_shared/database/connections.ts";
import { env } from "../_shared/env.ts";
import { endInTime } from "../_shared/operation/ending.ts";
import { startMetrics } from "../_shared/operation/metrics.ts";
import { answerOperator } from "../_shared/operation/operator-endpoints.ts";
import { startTracing } from "../_shared/operation/tracing.ts";
import { endRunning } from "../v1/messages/replies.ts";
import { slack } from "./app.ts";
import { dueEvents } from "./queue.ts";
import { stopWorking } from "./worker.ts";

const { PORT, OTEL_DENO } = env();
await startTracing(OTEL_DENO);
await startMetrics(env(), { queues: { slack: dueEvents }, pool: poolUse });
const server = Deno.serve(
  PORT ? { port: PORT, hostname: "127.0.0.1", onListen: () => {} } : {},
  (request) => answerOperator(request) ?? slack.fetch(request),
);
Deno.addSignalListener("SIGTERM", async () => {
  await endInTime(
    () => Promise.all([stopWorking(), endRunning()]),
    () => server.shutdown(),
  );
  Deno.exit(0);
});
