// Owns how stored bytes become a file of a team: the row that names them. Written as the service, after the caller's right to
// add files was checked: no client may say where bytes are, how large they are or what their digest is.
import { asCallerThenService, type Claims } from "../../_shared/database/db.ts";
import type { ObjectKey } from "../../_shared/storage/storage.ts";
import { found, teamWith } from "../router.ts";
import { typeOf } from "./content-types.ts";
import { columns } from "./queries.ts";
import type { File } from "./schema.ts";
import type { Arrived } from "./upload.ts";

/** Who brings something in: null for an API key. */
export const authorOf = (claims: Claims): string | null => ("sub" in claims ? claims.sub : null);

export type Place = { id: string; teamId: string; key: ObjectKey };

/**
 * Registers an object that is in storage.
 * @throws ApiError as teamWith, where the caller lost the right while the bytes came; NOT_FOUND for bytes on their way out
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
  return found(row);
}
