// Owns the chore that deletes rows past the installation's retention, in batches. Postgres decides which rows (sql/85_retention.sql);
// platform admins set the retention period.
import { asService } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";

/** Rows of each kind that one call deletes at most. Later calls delete the rest. */
const perTurn = 500;

/** Runs once a minute across all processes: the first to come runs it. */
export async function removeOutgrown(): Promise<void> {
  const removed = await asService(async (tx) => {
    const [turn] = await tx<{ wait: number }[]>`select private.take_hit('sweep:retention', 1, 60) as wait`;
    if (turn?.wait !== 0) return [];
    return await tx<{ kind: string; removed: number }[]>`
      select kind, removed from private.remove_outgrown(${perTurn}) where removed > 0`;
  });
  for (const { kind, removed: rows } of removed) log("info", "removed by retention", { kind, rows });
}
