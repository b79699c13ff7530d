// Owns the local process that runs the functions "v1" and "slack" together: separate processes need twice the memory.
// The only file of it that knows Deno.
import { poolUse } from "../_shared/database/connections.ts";
import { env } from "../_shared/env.ts";
import { endInTime } from "../_shared/operation/ending.ts";
import { startMetrics } from "../_shared/operation/metrics.ts";
import { answerOperator } from "../_shared/operation/operator-endpoints.ts";
import { startTracing } from "../_shared/operation/tracing.ts";
import { slack } from "../slack/app.ts";
import { dueEvents } from "../slack/queue.ts";
import { stopWorking } from "../slack/worker.ts";
import { app } from "../v1/app.ts";
import { abandonEarlierKeys } from "../v1/idempotency.ts";
import { endEarlierReplies, endRunning } from "../v1/messages/replies.ts";

const { PORT, OTEL_DENO } = env();
await startTracing(OTEL_DENO);
await startMetrics(env(), { queues: { slack: dueEvents }, pool: poolUse });
const server = Deno.serve({ port: PORT, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
  const answer = answerOperator(request);
  if (answer) return answer;
  const { pathname } = new URL(request.url);
  return /^\/slack(\/|$)/.test(pathname) ? slack.fetch(request) : app.fetch(request);
});
void endEarlierReplies();
void abandonEarlierKeys();
Deno.addSignalListener("SIGTERM", async () => {
  // Open streams keep their connections, and shutdown() would wait for them.
  await endInTime(
    () => Promise.all([stopWorking(), endRunning()]),
    () => server.shutdown(),
  );
  Deno.exit(0);
});
