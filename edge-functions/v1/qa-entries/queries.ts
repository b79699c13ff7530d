// Owns the SQL of written answers. Row-level security decides which rows are visible; triggers maintain their documents and queue the
// sync.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { person } from "../agent-versions/queries.ts";
import { requireRow } from "../router.ts";
import { holdVersion } from "../row-versions.ts";
import { assignments, contains, numberedPage } from "../sql.ts";
import type { NewQaEntry, QaEntriesQuery, QaEntry, QaEntryUpdate } from "./schema.ts";

export type EntryPlace = { teamId: TeamId; sourceId: string };

const version = (tx: Transaction) => tx`md5(row(e.question, e.answer, e.owner_id, e.expires_at)::text)`;

const columns = (tx: Transaction) => tx`
  e.id, e.team_id, e.source_id, e.question, e.answer, ${person(tx, "e.owner_id")} as owner, e.expires_at,
  coalesce(e.expires_at <= clock_timestamp(), false) as is_expired, e.reviewed_at, ${person(tx, "e.reviewed_by")} as reviewer,
  (select d.id from public.documents d where d.source_id = e.source_id and d.external_id = e.id::text) as document_id,
  ${version(tx)} as version, e.created_at, e.updated_at`;

/** Newest first. */
export async function listEntries(
  tx: Transaction,
  { teamId, sourceId }: EntryPlace,
  { question, ...page }: QaEntriesQuery,
) {
  return await numberedPage<QaEntry>(
    tx,
    {
      columns: columns(tx),
      from: tx`public.qa_entries e where e.team_id = ${teamId} and e.source_id = ${sourceId}
        ${question ? tx`and (e.question ilike ${contains(question)} or e.answer ilike ${contains(question)})` : tx``}`,
      order: tx`e.id desc`,
    },
    page,
  );
}

export async function readEntry(tx: Transaction, { teamId, sourceId }: EntryPlace, id: string) {
  const [row] = await tx<QaEntry[]>`
    select ${columns(tx)} from public.qa_entries e
     where e.team_id = ${teamId} and e.source_id = ${sourceId} and e.id = ${id}`;
  return row;
}

export async function addEntry(
  tx: Transaction,
  place: EntryPlace & { teamId: string },
  { question, answer, ownerId, expiresAt }: NewQaEntry,
): Promise<QaEntry> {
  const [row] = await tx<{ id: string }[]>`
    insert into public.qa_entries (team_id, source_id, question, answer, owner_id, expires_at)
    values (${place.teamId}, ${place.sourceId}, ${question}, ${answer}, ${ownerId ?? null}, ${expiresAt ?? null})
    returning id`;
  return requireRow(await readEntry(tx, place, requireRow(row).id));
}

/** @param asked the version that the change is based on; undefined: any */
export async function updateEntry(
  tx: Transaction,
  place: EntryPlace & { teamId: string },
  id: string,
  { question, answer, ownerId, expiresAt }: QaEntryUpdate,
  asked?: string,
): Promise<QaEntry | undefined> {
  const of = tx`team_id = ${place.teamId} and source_id = ${place.sourceId} and id = ${id}`;
  const held = { from: tx`public.qa_entries e where ${of}`, version: version(tx) };
  await holdVersion(tx, held, () => readEntry(tx, place, id), asked);
  const given = { question, answer, owner_id: ownerId, expires_at: expiresAt };
  const [row] = await tx`
    update public.qa_entries set ${assignments(tx, given, "question")} where ${of} returning id`;
  return row ? await readEntry(tx, place, id) : undefined;
}

export async function deleteEntry(tx: Transaction, { teamId, sourceId }: EntryPlace, id: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.qa_entries where team_id = ${teamId} and source_id = ${sourceId} and id = ${id} returning id`;
  return row;
}
