// Owns what connectors note per address: the validators for the next listing, and why an address was left out.
import type { Transaction } from "../../_shared/database/db.ts";
import { problemIn } from "../../_shared/text/problems.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { ListPage, PageNote, Source, SourceItem } from "../connectors/connector.ts";
import type { Claim } from "../queue.ts";
import type { StepContext } from "./context.ts";

/**
 * Addresses of a source that are stored per reason; beyond that only their number is, so that a huge or hostile service cannot fill
 * the table.
 */
export const mostOfReason = 1000;

/** @param isWhole true for a full listing, which restarts the counts of the previous one */
export async function noteAddresses(
  tx: Transaction,
  { claim }: StepContext,
  source: Source,
  notes: PageNote[],
  isWhole: boolean,
): Promise<void> {
  const rows = [...new Map(notes.map((note) => [note.address, note])).values()].map((note) => ({
    // Cut to a length, it may end with half a character.
    address: note.address.toWellFormed(),
    title: note.title ?? null,
    revision: note.revision ?? null,
    etag: note.etag?.slice(0, 500) ?? null,
    last_modified: note.lastModified?.slice(0, 100) ?? null,
    links: note.links ?? null,
    problem: note.problem ?? null,
    reason: note.problem ? (problemIn(note.problem)?.code ?? "other") : null,
  }));
  // In a full listing, rows of the previous listing count only beyond another `mostOfReason`: they are deleted when this one ends.
  const further = await tx<{ reason: string; count: number; problem: string }[]>`
    with taken as (
      select reason, case when ${isWhole} then greatest(count(*) filter (where task_id = ${claim.task.id}), count(*) - ${mostOfReason})
                          else count(*) end as count
        from private.source_pages
       where source_id = ${source.id} and problem is not null and further is null
       group by reason
    ), noted as (
      select n.*,
             n.reason is null or n.revision is not null or n.links is not null
             or exists (select 1 from private.source_pages p
                         where p.source_id = ${source.id} and p.address = n.address and p.reason = n.reason
                           and (p.task_id = ${claim.task.id} or not ${isWhole})) as is_kept
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
          as n (address text, title text, revision text, etag text, last_modified text, links text[], problem text, reason text)
    ), placed as (
      select noted.*,
             is_kept or coalesce(taken.count, 0) + row_number() over (partition by noted.reason, is_kept order by address)
                        <= ${mostOfReason} as fits
        from noted left join taken on taken.reason = noted.reason
    ), stored as (
      insert into private.source_pages (team_id, source_id, address, title, revision, etag, last_modified, links, problem, reason, task_id)
      select ${source.teamId}, ${source.id}, address, title, revision, etag, last_modified, links, problem, reason, ${claim.task.id}
        from placed where fits
      on conflict (source_id, address) do update
         set title = excluded.title, revision = excluded.revision, etag = excluded.etag, last_modified = excluded.last_modified,
             links = excluded.links, problem = excluded.problem, reason = excluded.reason, task_id = excluded.task_id
    )
    select reason, count(*)::int as count, min(problem) as problem from placed where not fits group by reason`;
  for (const one of further) await countFurther(tx, claim, source, one, isWhole);
}

/** Stores one row that counts all further addresses of a reason. Between two full listings an address may count twice. */
async function countFurther(
  tx: Transaction,
  { task }: Claim,
  source: Source,
  { reason, count, problem }: { reason: string; count: number; problem: string },
  isWhole: boolean,
): Promise<void> {
  const address = `… ${reason}`;
  const [row] = await tx<{ further: number }[]>`
    insert into private.source_pages as p (team_id, source_id, address, title, problem, reason, further, task_id)
    values (${source.teamId}, ${source.id}, ${address}, '…', ${problem}, ${reason}, ${count}, ${task.id})
    on conflict (source_id, address) do update
       set task_id = excluded.task_id,
           further = case when ${isWhole} and p.task_id <> excluded.task_id then excluded.further
                          else least(p.further::bigint + excluded.further, 2147483647)::int end
    returning further`;
  const said = sentenceOf("skippedFurther", { count: String(row?.further ?? count), problem });
  await tx`update private.source_pages set problem = ${said} where source_id = ${source.id} and address = ${address}`;
}

/** A page's notes, and one on each item whose id a document has that the team wrote itself: that document stays, the item is left out. */
export async function notesWithTakenIds(
  tx: Transaction,
  source: Source,
  page: ListPage,
): Promise<PageNote[]> {
  const { items, notes = [] } = page;
  const taken = await tx<{ externalId: string }[]>`
    select external_id from public.documents
     where source_id = ${source.id} and external_id = any(${items.map(({ externalId }) => externalId)}::text[])
       and type <> ${source.type}`;
  if (taken.length === 0) return notes;
  const byAddress = new Map(notes.map((note) => [note.address, note]));
  for (const { externalId: address } of taken)
    byAddress.set(address, { ...byAddress.get(address), address, problem: sentenceOf("idTaken") });
  return [...byAddress.values()];
}

/** An address that was read now is no longer left out: clears its problem. */
export async function clearProblems(tx: Transaction, source: Source, items: SourceItem[]): Promise<void> {
  const read = items.flatMap(({ url }) => url ?? []);
  if (read.length === 0) return;
  await tx`
    update private.source_pages set problem = null
     where source_id = ${source.id} and address = any(${read}::text[]) and problem is not null`;
}

/** After a full listing: deletes notes on addresses that it did not meet. */
export async function sweepNotes(tx: Transaction, { task }: Claim, source: Source): Promise<void> {
  await tx`delete from private.source_pages where source_id = ${source.id} and task_id <> ${task.id}`;
}
