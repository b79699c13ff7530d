// Owns the chore that removes, slice by slice: the copies of deletions that can no longer be undone, what was cleared, and what hangs on large
// deletions. All of it is hidden already (sql/19_roots.sql), and Postgres chooses each slice (sql/84_purges.sql, 84_detached.sql).
import { setTimeout as sleep } from "node:timers/promises";
import { asService } from "../_shared/database/db.ts";

/** Messages or passages of a slice: with what hangs on each, some thousand rows and 50 ms of the embedded Postgres. */
export const rowsPerSlice = 300;
/** Copies of a slice. They have no indexes or references to follow. */
const copiesPerSlice = 1000;
/** Later ticks remove the rest. */
const turnMs = 10_000;

/** Removes slices until nothing is left or the turn is over. Pauses as long as each slice took, so that others are served meanwhile. */
export async function removeDetachedRows(now: () => number = Date.now): Promise<void> {
  const end = now() + turnMs;
  for (let start = now(); start < end && (await removeSlice()); start = now()) await sleep(now() - start);
}

async function removeSlice(): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ more: boolean }[]>`
      select private.purge_deletions(${copiesPerSlice}) > 0 or private.remove_detached(${rowsPerSlice}) as more`,
  );
  return row?.more ?? false;
}
