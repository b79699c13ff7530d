// Owns the SQL of files. Row-level security decides which rows there are; the bytes are _shared/storage.ts's.
import type { Transaction } from "../../_shared/db.ts";
import { typeOf } from "./content-types.ts";
import type { File, FilesQuery } from "./schema.ts";
import type { Arrived } from "./upload.ts";

const columns = (tx: Transaction) => tx`
  f.id, f.team_id, f.name, f.type, f.content_type, f.size, f.path, f.sha256, f.created_at, f.updated_at`;

/** Newest first. */
export async function listFiles(
  tx: Transaction,
  teamId: string,
  { type, contentType, page, perPage }: FilesQuery,
) {
  const matches = tx`f.team_id = ${teamId} ${type ? tx`and f.type = ${type}` : tx``}
                     ${contentType ? tx`and f.content_type = ${contentType.toLowerCase()}` : tx``}`;
  const [data, [count]] = await Promise.all([
    tx<File[]>`select ${columns(tx)} from public.files f where ${matches}
               order by f.id desc limit ${perPage} offset ${(page - 1) * perPage}`,
    tx<{ total: number }[]>`select count(*) as total from public.files f where ${matches}`,
  ]);
  return { data, page, perPage, total: count?.total ?? 0 };
}

export async function readFile(tx: Transaction, teamId: string, id: string): Promise<File | undefined> {
  const [row] = await tx<File[]>`
    select ${columns(tx)} from public.files f where f.team_id = ${teamId} and f.id = ${id}`;
  return row;
}

export async function createFile(
  tx: Transaction,
  place: { id: string; teamId: string; path: string },
  arrived: Arrived,
): Promise<File | undefined> {
  const { name, contentType, size, sha256 } = arrived;
  const [row] = await tx<File[]>`
    insert into public.files as f (id, team_id, name, type, content_type, size, path, sha256)
    values (${place.id}, ${place.teamId}, ${name}, ${typeOf(contentType)}, ${contentType}, ${size}, ${place.path}, ${sha256})
    returning ${columns(tx)}`;
  return row;
}

/** Deletes the row; sources' lists and documents follow in Postgres (see sql/43_file_removal.sql). */
export async function deleteFile(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx<{ path: string }[]>`
    delete from public.files where team_id = ${teamId} and id = ${id} returning path`;
  return row;
}
