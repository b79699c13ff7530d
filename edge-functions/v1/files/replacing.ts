// Owns replacing a file's current version: by bytes that were just stored, or by an earlier version. Written as the service, after the
// caller's permission to add files was checked, as in registration.ts. The previous version answers questions until the new one is
// indexed (sql/31_file_versions.sql).
import { asCallerThenService, type Claims, type Transaction } from "../../_shared/database/db.ts";
import type { ObjectKey } from "../../_shared/storage/storage.ts";
import { requireRow, teamWith } from "../router.ts";
import { typeOf } from "./content-types.ts";
import { readFile } from "./queries.ts";
import { authorOf } from "./registration.ts";
import type { File } from "./schema.ts";
import type { Arrived } from "./upload.ts";

type Place = { teamId: string; id: string };
type Changed = { number: number | null }[];

/**
 * Makes a stored object the current version of a file.
 * @throws ApiError as teamWith; NOT_FOUND for a file that the caller cannot see or that was deleted meanwhile
 */
export function replaceFile(claims: Claims, place: Place, key: ObjectKey, arrived: Arrived): Promise<File> {
  const { name, contentType, size, sha256 } = arrived;
  return change(
    claims,
    place,
    (tx, author) => tx<Changed>`
      select private.replace_file(${place.teamId}, ${place.id}, ${author}, ${name}, ${typeOf(contentType)}, ${contentType},
                                  ${size}, ${key}, ${sha256}) as number`,
  );
}

/** Makes an earlier version current again, as a new version. @throws ApiError as replaceFile */
export function restoreVersion(claims: Claims, place: Place, number: number): Promise<File> {
  return change(
    claims,
    place,
    (tx, author) => tx<Changed>`
      select private.restore_file_version(${place.teamId}, ${place.id}, ${number}, ${author}) as number`,
  );
}

function change(
  claims: Claims,
  { teamId, id }: Place,
  write: (tx: Transaction, author: string | null) => Promise<Changed>,
): Promise<File> {
  return asCallerThenService(
    claims,
    async (tx) => {
      const team = await teamWith(tx, teamId, "files.write");
      requireRow(await readFile(tx, team, id));
      return team;
    },
    async (tx, team) => {
      const [row] = await write(tx, authorOf(claims));
      requireRow(row?.number ?? undefined);
      return requireRow(await readFile(tx, team, id));
    },
  );
}
