// Owns the SQL of documents. Row-level security decides which rows are visible; the indexing function writes the other columns.

import type { Transaction } from "../../_shared/database/db.ts";
import { cursorPage, placeInKey } from "../cursors.ts";
import { requireRow } from "../router.ts";
import { after, orderBy, sortExpression } from "../sorting.ts";
import { contains, onePage } from "../sql.ts";
import type {
  Document,
  DocumentIndex,
  DocumentsQuery,
  DocumentUpdate,
  DocumentWithContent,
  NewDocument,
} from "./schema.ts";

/** A source of a team. Every query below is limited to one. */
export type Place = { teamId: string; sourceId: string };

const columns = (tx: Transaction) => tx`
  d.id, d.source_id, d.external_id, d.type, d.title, d.url, d.language, d.detected_language, d.status, d.chunks_count, d.content_hash, d.error,
  d.note, d.changed_at, d.created_at, d.updated_at`;

/** Warnings are translated for each reader, so they are selected apart from the structure. What only indexing needs of it stays there. */
const readColumns = (tx: Transaction) => tx`
  ${columns(tx)}, d.content, d.structure - array['warnings', 'isParsed', 'title'] as structure, coalesce(d.structure -> 'warnings', '[]') as warnings`;

const inSource = (tx: Transaction, { teamId, sourceId }: Place) =>
  tx`d.team_id = ${teamId} and d.source_id = ${sourceId}`;

const order = (tx: Transaction) => ({
  id: tx`d.id`,
  createdAt: tx`d.id`,
  title: tx`d.title collate private.natural_order`,
  updatedAt: tx`d.updated_at`,
});

/** In creation order, unless sorted otherwise. */
export async function listDocuments(tx: Transaction, place: Place, query: DocumentsQuery) {
  const { externalId, type, status, search, sort = "createdAt", lastKey, perPage } = query;
  const columnsOf = order(tx);
  const rows = await tx<(Document & { place: string })[]>`
    select ${columns(tx)}, (${sortExpression(columnsOf, sort)})::text as place from public.documents d
     where ${inSource(tx, place)}
       ${externalId ? tx`and d.external_id = ${externalId}` : tx``}
       ${type ? tx`and d.type = ${type}` : tx``}
       ${status ? tx`and d.status = ${status}` : tx``}
       ${search ? tx`and d.title ilike ${contains(search)}` : tx``}
       ${lastKey ? tx`and ${after(tx, sort, columnsOf, placeInKey(lastKey))}` : tx``}
     order by ${orderBy(tx, sort, columnsOf)} limit ${onePage(tx, perPage)}`;
  return cursorPage(rows, perPage);
}

export async function readDocument(tx: Transaction, place: Place, id: string) {
  const [row] = await tx<DocumentWithContent[]>`
    select ${readColumns(tx)} from public.documents d
     where ${inSource(tx, place)} and d.id = ${id}`;
  return row;
}

export async function readByExternalId(tx: Transaction, place: Place, externalId: string) {
  const [row] = await tx<DocumentWithContent[]>`
    select ${readColumns(tx)} from public.documents d
     where ${inSource(tx, place)} and d.external_id = ${externalId}`;
  return row;
}

export async function createDocument(tx: Transaction, place: Place, values: NewDocument) {
  const [row] = await tx<{ id: string }[]>`
    insert into public.documents (team_id, source_id, external_id, type, title, url, language, content)
    values (${place.teamId}, ${place.sourceId}, ${values.externalId}, ${values.type}, ${values.title},
            ${values.url ?? null}, ${values.language ?? null}, ${values.content})
    returning id`;
  return row?.id;
}

/** Updates the given fields. Undefined when no row could be changed. */
export async function updateDocument(tx: Transaction, place: Place, id: string, values: DocumentUpdate) {
  const { externalId, content, ...plain } = values;
  const all = { ...plain, external_id: externalId, content };
  const changes = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const [row] = await tx<{ id: string }[]>`
    update public.documents d set ${Object.keys(changes).length > 0 ? tx(changes) : tx`title = title`}
     where ${inSource(tx, place)} and d.id = ${id} returning d.id`;
  return row;
}

export async function deleteDocument(tx: Transaction, place: Place, id: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.documents d where ${inSource(tx, place)} and d.id = ${id} returning d.id`;
  return row;
}

/** @returns the number of deleted documents */
export async function deleteDocuments(
  tx: Transaction,
  place: Place,
  { externalId, type }: Pick<DocumentsQuery, "externalId" | "type">,
): Promise<number> {
  const rows = await tx`
    delete from public.documents d where ${inSource(tx, place)}
      ${externalId ? tx`and d.external_id = ${externalId}` : tx``}
      ${type ? tx`and d.type = ${type}` : tx``}
    returning d.id`;
  return rows.length;
}

/** Queues the indexing of one document. @returns the task's id */
export async function indexDocument(tx: Transaction, id: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select public.index_document(${id}) as id`;
  return requireRow(row).id;
}

export async function readIndex(
  tx: Transaction,
  place: Place,
  id: string,
): Promise<DocumentIndex | undefined> {
  const [row] = await tx<Omit<DocumentIndex, "indexes">[]>`
    select d.status, d.chunks_count, d.error from public.documents d where ${inSource(tx, place)} and d.id = ${id}`;
  if (!row) return undefined;
  const indexes = await tx<DocumentIndex["indexes"]>`
    select knowledge_id, status, chunks_count, error, indexed_at
      from public.document_indexes where team_id = ${place.teamId} and document_id = ${id} order by knowledge_id`;
  return { ...row, indexes };
}
