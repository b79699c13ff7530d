// Owns the end of stored bytes that no row names any more: reads the notes that Postgres keeps of them and has storage let go.
// Must not decide what is unwanted: deleted rows and the hourly look through storage do.
import { asService } from "../database/db.ts";
import { log } from "../operation/log.ts";
import { type ObjectKey, parseObjectKey, removeObjects } from "./storage.ts";

/**
 * Removes what is noted, a hundred at a time; what fails stays noted and is tried again later.
 * @param keys only these, at once; otherwise all that are due
 * @returns how many were removed
 */
export async function removeUnwantedObjects(keys?: ObjectKey[]): Promise<number> {
  // Two transactions with storage in between: it keeps its own books in the same database.
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

const lookEveryMs = 60_000;
let lookedAt = 0;

/** Once an hour, whoever asks how often: notes bytes that were sent to a signed address and never registered. */
export async function disownUnregisteredObjects(): Promise<void> {
  if (Date.now() - lookedAt < lookEveryMs) return;
  lookedAt = Date.now();
  await asService(async (tx) => {
    const [turn] = await tx<{ wait: number }[]>`select private.take_hit('sweep:objects', 1, 3600) as wait`;
    if (turn?.wait === 0) await tx`select private.disown_unregistered_objects()`;
  });
}
