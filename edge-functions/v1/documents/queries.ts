// Owns the SQL of documents. Row-level security decides which rows are visible; the indexing function writes the other columns.

import type { Transaction } from "../../_shared/database/db.ts";
import { cursorPage, placeInKey } from "../cursors.ts";
import { requireRow } from "../router.ts";
import { after, orderBy, sortExpression } from "../sorting.ts";
import { assignments, contains, onePage } from "../sql.ts";
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

/**
 * Where documents are read, and their state. Those of a source that is being cleared keep their old state until their slice comes, and show what
 * it will be. That is asked beside the first query of a read, so that it costs the others nothing for each row.
 */
const readings = (tx: Transaction) => ({
  usual: { rows: tx`public.documents d`, state: tx`d.status, d.chunks_count, d.error`, status: tx`d.status` },
  cleared: {
    rows: tx`public.documents d cross join lateral private.state_when_cleared(d.id) s`,
    state: tx`s.status, s.chunks_count, s.error`,
    status: tx`s.status`,
  },
});
type Reading = ReturnType<typeof readings>["usual" | "cleared"];

async function readState<T>(
  tx: Transaction,
  { teamId, sourceId }: Place,
  read: (reading: Reading) => Promise<T>,
): Promise<T> {
  const { usual, cleared } = readings(tx);
  const [[row], found] = await Promise.all([
    tx<{ yes: boolean }[]>`select private.is_being_cleared(${teamId}, ${sourceId}) as yes`,
    read(usual),
  ]);
  return row?.yes ? await read(cleared) : found;
}

const columns = (tx: Transaction, { state }: Reading) => tx`
  d.id, d.source_id, d.external_id, d.type, d.title, d.url, d.language, d.detected_language, ${state}, d.content_hash,
  d.note, d.changed_at, d.created_at, d.updated_at`;

/** Warnings are translated for each reader, so they are selected apart from the structure. What only indexing needs of it stays there. */
const readColumns = (tx: Transaction, reading: Reading) => tx`
  ${columns(tx, reading)}, d.content, d.structure - array['warnings', 'isParsed', 'reader', 'title'] as structure, coalesce(d.structure -> 'warnings', '[]') as warnings`;

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
  const rows = await readState(
    tx,
    place,
    (reading) => tx<(Document & { place: string })[]>`
    select ${columns(tx, reading)}, (${sortExpression(columnsOf, sort)})::text as place from ${reading.rows}
     where ${inSource(tx, place)}
       ${externalId ? tx`and d.external_id = ${externalId}` : tx``}
       ${type ? tx`and d.type = ${type}` : tx``}
       ${status ? tx`and ${reading.status} = ${status}` : tx``}
       ${search ? tx`and d.title ilike ${contains(search)}` : tx``}
       ${lastKey ? tx`and ${after(tx, sort, columnsOf, placeInKey(lastKey, sort))}` : tx``}
     order by ${orderBy(tx, sort, columnsOf)} limit ${onePage(tx, perPage)}`,
  );
  return cursorPage(rows, perPage, sort);
}

export async function readDocument(tx: Transaction, place: Place, id: string) {
  const [row] = await readState(
    tx,
    place,
    (reading) => tx<DocumentWithContent[]>`
    select ${readColumns(tx, reading)} from ${reading.rows}
     where ${inSource(tx, place)} and d.id = ${id}`,
  );
  return row;
}

export async function readByExternalId(tx: Transaction, place: Place, externalId: string) {
  const [row] = await readState(
    tx,
    place,
    (reading) => tx<DocumentWithContent[]>`
    select ${readColumns(tx, reading)} from ${reading.rows}
     where ${inSource(tx, place)} and d.external_id = ${externalId}`,
  );
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
  const { externalId, ...plain } = values;
  const [row] = await tx<{ id: string }[]>`
    update public.documents d set ${assignments(tx, { ...plain, external_id: externalId }, "title")}
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
  const [row] = await readState(
    tx,
    place,
    (reading) => tx<Omit<DocumentIndex, "indexes">[]>`
    select ${reading.state} from ${reading.rows} where ${inSource(tx, place)} and d.id = ${id}`,
  );
  if (!row) return undefined;
  const indexes = await tx<DocumentIndex["indexes"]>`
    select knowledge_id, status, chunks_count, error, indexed_at
      from public.document_indexes where team_id = ${place.teamId} and document_id = ${id} order by knowledge_id`;
  return { ...row, indexes };
}
