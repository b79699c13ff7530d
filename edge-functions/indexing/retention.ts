// Owns the chore that removes what is older than the installation's retention, and deletions that can no longer be taken back, a bounded
// number of rows at a time. What that is, Postgres knows (sql/84_deletions.sql, sql/85_retention.sql); platform admins say after how long.
import { asService } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";

/** Rows of each kind that one call removes at most: what waits longer goes with the calls after it. */
const perTurn = 500;
const lookEveryMs = 60_000;
let lookedAt = Number.NEGATIVE_INFINITY;

/** Once a minute in all processes together, whoever comes first. */
export async function removeOutgrown(now = performance.now()): Promise<void> {
  if (now - lookedAt < lookEveryMs) return;
  lookedAt = now;
  const removed = await asService(async (tx) => {
    const [turn] = await tx<{ wait: number }[]>`select private.take_hit('sweep:retention', 1, 60) as wait`;
    if (turn?.wait !== 0) return [];
    return await tx<{ kind: string; removed: number }[]>`
      select kind, removed from private.remove_outgrown(${perTurn}) where removed > 0
      union all
      select 'deletions', purged from private.purge_deletions(${perTurn}) purged where purged > 0`;
  });
  for (const { kind, removed: rows } of removed) log("info", "removed by retention", { kind, rows });
}
