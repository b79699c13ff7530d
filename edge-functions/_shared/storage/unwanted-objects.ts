// Owns deleting stored objects that no row references: claims the paths that Postgres lists, and deletes them in storage. Must not decide
// what is unwanted: deleted rows and the hourly scan of storage do.
import { asService } from "../database/db.ts";
import { log } from "../operation/log.ts";
import { type ObjectKey, parseObjectKey, removeObjects } from "./storage.ts";

/**
 * Deletes the listed objects, a hundred at a time. A failed deletion stays listed and is retried later.
 * @param keys only these, immediately; otherwise all that are due
 * @returns the number of deleted objects
 */
export async function removeUnwantedObjects(keys?: ObjectKey[]): Promise<number> {
  // Two transactions with the storage call between them: storage writes its own records in the same database.
  const claimed = await asService(
    (tx) => tx<{ path: string }[]>`select private.claim_unwanted_objects(${keys ?? null}) as path`,
  );
  if (claimed.length === 0) return 0;
  const due = claimed.map(({ path }) => parseObjectKey(path));
  try {
    await removeObjects(due);
  } catch (error) {
    log("warn", "stored bytes could not be removed yet", { objects: due.length, error: String(error) });
    return 0;
  }
  await asService((tx) => tx`select private.unwanted_objects_removed(${due})`);
  return due.length;
}

/** Once an hour across all processes: lists objects that were uploaded to a signed URL but never registered. */
export async function disownUnregisteredObjects(): Promise<void> {
  await asService(async (tx) => {
    const [turn] = await tx<{ wait: number }[]>`select private.take_hit('sweep:objects', 1, 3600) as wait`;
    if (turn?.wait === 0) await tx`select private.disown_unregistered_objects()`;
  });
}
