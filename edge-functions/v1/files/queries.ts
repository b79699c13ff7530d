// Owns the SQL of files. Row-level security decides which rows are visible; _shared/storage/storage.ts handles the bytes.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { orderBy } from "../sorting.ts";
import { contains, numberedPage } from "../sql.ts";
import type { File, FilesQuery, FileUse } from "./schema.ts";

export const columns = (tx: Transaction) => tx`
  f.id, f.team_id, f.name, f.type, f.content_type, f.size, f.path, f.sha256, f.version, f.created_at, f.updated_at`;

const order = (tx: Transaction) => ({
  id: tx`f.id`,
  createdAt: tx`f.id`,
  name: tx`f.name collate private.natural_order`,
  size: tx`f.size`,
});

/** Newest first, unless sorted otherwise. */
export async function listFiles(
  tx: Transaction,
  teamId: TeamId,
  { type, contentType, name, sort = "-createdAt", page, perPage }: FilesQuery,
) {
  const matches = tx`f.team_id = ${teamId} ${type ? tx`and f.type = ${type}` : tx``}
                     ${contentType ? tx`and f.content_type = ${contentType.toLowerCase()}` : tx``}
                     ${name ? tx`and f.name ilike ${contains(name)}` : tx``}`;
  return await numberedPage<File>(
    tx,
    { columns: columns(tx), from: tx`public.files f where ${matches}`, order: orderBy(tx, sort, order(tx)) },
    { page, perPage },
  );
}

export async function readFile(tx: Transaction, teamId: TeamId, id: string): Promise<File | undefined> {
  const [row] = await tx<File[]>`
    select ${columns(tx)} from public.files f where f.team_id = ${teamId} and f.id = ${id}`;
  return row;
}

/** Where a file is used, as far as the caller can see it. */
export async function readUses(tx: Transaction, teamId: TeamId, id: string): Promise<FileUse[]> {
  return await tx<FileUse[]>`
    select s.id as source_id, s.name as source_name, d.id as document_id,
           (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by k.name collate private.natural_order), '[]')
              from public.knowledge_sources ks join public.knowledges k on k.id = ks.knowledge_id
             where ks.source_id = s.id) as knowledges
      from public.sources s
      left join public.documents d on d.source_id = s.id and d.external_id = ${id}
     where s.team_id = ${teamId} and s.type = 'file' and s.config -> 'fileIds' ? ${id}
     order by s.id`;
}

/** Deletes the row. Postgres updates sources and documents (sql/51_removals.sql). */
export async function deleteFile(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx<{ path: string }[]>`
    delete from public.files where team_id = ${teamId} and id = ${id} returning path`;
  return row;
}
