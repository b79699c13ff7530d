// Owns the SQL of what a team stores and may store (sql/45_storage.sql), and the places of files that are about to be stored.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { type StorageUse, storageReached } from "../../_shared/requests/errors.ts";
import { maxFileBytes, maxUploadBytes, newObjectKey, type ObjectKey } from "../../_shared/storage/storage.ts";
import { requireRow } from "../router.ts";
import type { Place } from "./registration.ts";
import type { Storage } from "./schema.ts";

/** For callers who read or add files. */
export async function readStorage(tx: Transaction, teamId: TeamId): Promise<Storage> {
  const [row] = await tx<Storage[]>`select s.used, s.most as limit from private.storage_of(${teamId}) s`;
  return requireRow(row);
}

/**
 * Reserves the id and key of a new file, for a caller who may add files.
 * @throws ApiError STORAGE_REACHED when the request's body cannot fit; what has arrived is checked again when it is registered
 */
export async function newPlace(tx: Transaction, teamId: string, request: Request): Promise<Place> {
  const [row] = await tx<(Storage & { id: string })[]>`
    select private.uuid_v7() as id, s.used, s.most as limit from private.storage_of(${teamId}) s`;
  const { id, used, limit } = requireRow(row);
  const declared = Number(request.headers.get("Content-Length")) || 0;
  const least = Math.max(1, declared - (maxUploadBytes - maxFileBytes));
  if (limit !== null && used + least > limit) throw storageReached({ used, limit });
  return { id, teamId, key: newObjectKey(teamId, id) };
}

/** The key of a file that will be uploaded to a signed URL. @throws ApiError STORAGE_REACHED when nothing more fits */
export async function signPlace(tx: Transaction, teamId: string): Promise<ObjectKey> {
  const [row] = await tx<(Storage & { id: string })[]>`
    select private.sign_upload(${teamId}) as id, s.used, s.most as limit from private.storage_of(${teamId}) s`;
  const { id, used, limit } = requireRow(row);
  if (limit !== null && used >= limit) throw storageReached({ used, limit });
  return newObjectKey(teamId, id);
}

/** What the team stores and may store, if that is why the bytes that arrived at a signed URL were not kept. */
export async function readRefusing(
  tx: Transaction,
  teamId: TeamId,
  key: ObjectKey,
): Promise<StorageUse | undefined> {
  const [row] = await tx<StorageUse[]>`
    select s.used, coalesce(s.most, 0) as limit from private.storage_of(${teamId}) s
     where private.is_refused_upload(${key})`;
  return row;
}
