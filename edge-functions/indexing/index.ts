// The edge function "indexing": serves ticks. The only file of it that knows Deno.
import { poolUse } from "../_shared/database/connections.ts";
import { env } from "../_shared/env.ts";
import { readTeamModels } from "../_shared/models/team-models.ts";
import { endInTime } from "../_shared/operation/ending.ts";
import { startMetrics } from "../_shared/operation/metrics.ts";
import { operatorDoor } from "../_shared/operation/operator-doors.ts";
import { startTracing } from "../_shared/operation/tracing.ts";
import { platformHeaders } from "../_shared/requests/platform-keys.ts";
import { dueDeliveries } from "../handovers/deliveries.ts";
import { hostedLimits, localLimits } from "./budget.ts";
import { embedderOf } from "./embedding.ts";
import { parseInPlace } from "./parse-guarded.ts";
import { dueTasks } from "./queue.ts";
import { handler } from "./server.ts";
import { Ticker } from "./tick.ts";

/** What hosted Supabase offers besides Deno. */
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
  const call = fetch(`${settings.SUPABASE_URL}/functions/v1/indexing`, {
    method: "POST",
    headers: platformHeaders(),
    // The next call works on for as long as it likes; this one only has to have been taken in.
    signal: AbortSignal.timeout(10_000),
  });
  // Whether it arrived matters little: the schedule calls as well.
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
  (request) => operatorDoor(request) ?? serve(request),
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
