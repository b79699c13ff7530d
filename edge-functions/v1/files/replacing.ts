// Owns how a file gets a new current version: bytes that were just stored, or those of an earlier version. Written as the service,
// after the caller's right to add files was checked, as in registration.ts. What was read before answers until the new
// version is indexed (sql/31_file_versions.sql).
import { asCallerThenService, type Claims, type Transaction } from "../../_shared/database/db.ts";
import type { ObjectKey } from "../../_shared/storage/storage.ts";
import { found, teamWith } from "../router.ts";
import { typeOf } from "./content-types.ts";
import { readFile } from "./queries.ts";
import { authorOf } from "./registration.ts";
import type { File } from "./schema.ts";
import type { Arrived } from "./upload.ts";

type Place = { teamId: string; id: string };
type Changed = { number: number | null }[];

/**
 * Makes an object that is in storage the current version of a file.
 * @throws ApiError as teamWith; NOT_FOUND for a file that the caller cannot see, and for one that is gone by now
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

/** Makes an earlier version the current one again, as a new version. @throws ApiError as replaceFile */
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
      found(await readFile(tx, team, id));
      return team;
    },
    async (tx, team) => {
      const [row] = await write(tx, authorOf(claims));
      found(row?.number ?? undefined);
      return found(await readFile(tx, team, id));
    },
  );
}
