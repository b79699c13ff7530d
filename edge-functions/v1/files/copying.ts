// Owns the copies of a file's bytes that make its deletion undoable: stored at paths that are never disclosed, before the file is
// deleted. Postgres records each copy before it is stored (sql/84_kept_objects.sql). Without them the deletion still works, but cannot be
// undone.
import type { Context } from "hono";
import { asCallerThenService, asService } from "../../_shared/database/db.ts";
import { log } from "../../_shared/operation/log.ts";
import { copyObject, type ObjectKey, parseObjectKey } from "../../_shared/storage/storage.ts";
import { removeUnwantedObjects } from "../../_shared/storage/unwanted-objects.ts";
import { askedTeam } from "../in-team.ts";
import { type AppEnv, claimsOf } from "../router.ts";

interface Copy {
  original: ObjectKey;
  copy: ObjectKey;
}

const atOnce = 4;

/**
 * Deletes a file, after copying its bytes if the caller may delete it and the deletion can be undone. Afterwards the unneeded objects are
 * deleted from storage: the bytes of the deleted file, or the copies.
 * @param deletion returns the path of the file's bytes
 * @throws any error of `deletion`
 */
export async function withCopies(
  c: Context<AppEnv>,
  id: string,
  deletion: () => Promise<ObjectKey>,
): Promise<void> {
  const noted = await recordCopies(c, id);
  await copyObjects(noted);
  const unneeded = noted.flatMap(({ original, copy }) => [original, copy]);
  try {
    unneeded.push(await deletion());
  } finally {
    await clear(noted, unneeded);
  }
}

/** Deletes those objects that Postgres lists as unwanted. The indexing tick retries a failure later. */
async function clear(noted: Copy[], objects: ObjectKey[]): Promise<void> {
  try {
    if (noted.length > 0)
      await asService((tx) => tx`select private.drop_copies(${noted.map(({ copy }) => copy)})`);
    if (objects.length > 0) await removeUnwantedObjects(objects);
  } catch (error) {
    log("warn", "stored objects could not be deleted yet", {
      objects: objects.length,
      error: String(error),
    });
  }
}

async function recordCopies(c: Context<AppEnv>, id: string): Promise<Copy[]> {
  const noted = await asCallerThenService(
    claimsOf(c),
    async (tx, team) => {
      const [row] = await tx<{ teamId: string }[]>`
        select f.team_id from public.files f
         where f.team_id = ${team} and f.id = ${id} and f.team_id = any (private.teams_with('files.write'))
           and not private.is_admin()`;
      return row?.teamId ?? null;
    },
    (tx, team) => tx<{ original: string; copy: string }[]>`
      select n.original, n.copy from private.note_copies(${team}, ${id}) n`,
    askedTeam(c),
  );
  return noted.map(({ original, copy }) => ({
    original: parseObjectKey(original),
    copy: parseObjectKey(copy),
  }));
}

async function copyObjects(noted: Copy[]): Promise<void> {
  if (noted.length === 0) return;
  const waiting = [...noted];
  const lane = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await copyObject(next.original, next.copy);
  };
  try {
    // All copies must end before any is deleted: one that ends later would stay in storage for a day.
    const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
    for (const one of lanes) if (one.status === "rejected") throw one.reason;
    await asService((tx) => tx`select private.copies_made(${noted.map(({ copy }) => copy)})`);
  } catch (error) {
    log("warn", "a file's deletion cannot be undone: its bytes could not be copied", {
      objects: noted.length,
      error: String(error),
    });
  }
}
