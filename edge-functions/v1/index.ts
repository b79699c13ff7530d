// Owns the edge function "v1": serves the application. The only file of it that knows Deno.
import { poolUse } from "../_shared/database/connections.ts";
import { env } from "../_shared/env.ts";
import { endInTime } from "../_shared/operation/ending.ts";
import { startMetrics } from "../_shared/operation/metrics.ts";
import { answerOperator } from "../_shared/operation/operator-endpoints.ts";
import { startTracing } from "../_shared/operation/tracing.ts";
import { app } from "./app.ts";
import { abandonEarlierKeys } from "./idempotency.ts";
import { endEarlierReplies, endRunning } from "./messages/replies.ts";

const { PORT, OTEL_DENO } = env();
await startTracing(OTEL_DENO);
await startMetrics(env(), { pool: poolUse });
const server = Deno.serve(
  PORT ? { port: PORT, hostname: "127.0.0.1", onListen: () => {} } : {},
  (request) => answerOperator(request) ?? app.fetch(request),
);
void endEarlierReplies();
void abandonEarlierKeys();
Deno.addSignalListener("SIGTERM", async () => {
  // Open streams keep their connections, and shutdown() would wait for them.
  await endInTime(endRunning, () => server.shutdown());
  Deno.exit(0);
});
