// The entry point of the edge function "indexing": serves ticks. Only this file uses Deno's API.
import { poolUse } from "../_shared/database/connections.ts";
import { env } from "../_shared/env.ts";
import { readTeamModels } from "../_shared/models/team-models.ts";
import { endInTime } from "../_shared/operation/ending.ts";
import { startMetrics } from "../_shared/operation/metrics.ts";
import { answerOperator } from "../_shared/operation/operator-endpoints.ts";
import { startTracing } from "../_shared/operation/tracing.ts";
import { platformHeaders } from "../_shared/requests/platform-keys.ts";
import { dueDeliveries } from "../handovers/deliveries.ts";
import { hostedLimits, localLimits } from "./budget.ts";
import { embedderOf } from "./embedding.ts";
import { parseInPlace } from "./parse-guarded.ts";
import { dueTasks } from "./queue.ts";
import { handler } from "./server.ts";
import { Ticker } from "./tick.ts";

/** Global on hosted Supabase only. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const settings = env();
const isHosted = typeof EdgeRuntime !== "undefined";
if (isHosted) parseInPlace();
const ticker = new Ticker(
  async (teamId) => embedderOf(await readTeamModels({ teamId, agentId: null, channel: "indexing" })),
  isHosted ? hostedLimits : localLimits,
  isHosted ? 1 : 2,
);

function callAgain(): void {
  const call = fetch(`${settings.SUPABASE_INTERNAL_URL}/functions/v1/indexing`, {
    method: "POST",
    headers: platformHeaders(),
    // The called function keeps working after the timeout; this call only has to be accepted.
    signal: AbortSignal.timeout(10_000),
  });
  // A failed call is harmless: the schedule calls too.
  EdgeRuntime?.waitUntil(call.then((response) => response.body?.cancel()).catch(() => {}));
}

await startTracing(settings.OTEL_DENO);
await startMetrics(settings, { queues: { tasks: dueTasks, handovers: dueDeliveries }, pool: poolUse });
const serve = handler({
  tick: () => ticker.tick(),
  ...(isHosted ? { callAgain } : {}),
});
const server = Deno.serve(
  settings.PORT ? { port: settings.PORT, hostname: "127.0.0.1", onListen: () => {} } : {},
  (request) => answerOperator(request) ?? serve(request),
);
if (!isHosted) {
  Deno.addSignalListener("SIGTERM", async () => {
    await endInTime(
      () => ticker.stop(),
      () => server.shutdown(),
    );
    Deno.exit(0);
  });
}
