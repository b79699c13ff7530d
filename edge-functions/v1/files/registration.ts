// Owns registering stored bytes as a team's file. Written as the service, after the caller's permission to add files was checked: no
// client may set the path, the size or the digest of a file.
import { asCallerThenService, type Claims } from "../../_shared/database/db.ts";
import type { ObjectKey } from "../../_shared/storage/storage.ts";
import { requireRow, teamWith } from "../router.ts";
import { typeOf } from "./content-types.ts";
import { columns } from "./queries.ts";
import type { File } from "./schema.ts";
import type { Arrived } from "./upload.ts";

/** The user who uploads: null for an API key. */
export const authorOf = (claims: Claims): string | null => ("sub" in claims ? claims.sub : null);

export type Place = { id: string; teamId: string; key: ObjectKey };

/**
 * Registers an object that is in storage.
 * @throws ApiError as teamWith, if the caller lost the permission during the upload; NOT_FOUND for an object that is being deleted
 */
export async function registerFile(claims: Claims, place: Place, arrived: Arrived): Promise<File> {
  const { id, teamId, key } = place;
  const { name, contentType, size, sha256 } = arrived;
  const [row] = await asCallerThenService(
    claims,
    (tx) => teamWith(tx, teamId, "files.write"),
    (tx) => tx<File[]>`
      insert into public.files as f (id, team_id, name, type, content_type, size, path, sha256, created_by)
      values (${id}, ${teamId}, ${name}, ${typeOf(contentType)}, ${contentType}, ${size}, ${key}, ${sha256},
              ${authorOf(claims)})
      returning ${columns(tx)}`,
  );
  return requireRow(row);
}
