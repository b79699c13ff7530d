// Keeps what connectors note of single addresses: what the next listing asks by, and why an address was left out.
import type { Transaction } from "../../_shared/database/db.ts";
import type { PageNote, Source, SourceItem } from "../connectors/connector.ts";
import type { Claim } from "../queue.ts";
import type { StepContext } from "./context.ts";

export async function noteAddresses(
  tx: Transaction,
  { claim }: StepContext,
  source: Source,
  notes: PageNote[],
): Promise<void> {
  const rows = [...new Map(notes.map((note) => [note.address, note])).values()].map((note) => ({
    address: note.address,
    title: note.title ?? null,
    revision: note.revision ?? null,
    etag: note.etag?.slice(0, 500) ?? null,
    last_modified: note.lastModified?.slice(0, 100) ?? null,
    links: note.links ?? null,
    problem: note.problem ?? null,
  }));
  await tx`
    insert into private.source_pages (team_id, source_id, address, title, revision, etag, last_modified, links, problem, task_id)
    select ${source.teamId}, ${source.id}, n.address, n.title, n.revision, n.etag, n.last_modified, n.links, n.problem, ${claim.task.id}
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as n (address text, title text, revision text, etag text, last_modified text, links text[], problem text)
    on conflict (source_id, address) do update
       set title = excluded.title, revision = excluded.revision, etag = excluded.etag, last_modified = excluded.last_modified,
           links = excluded.links, problem = excluded.problem, task_id = excluded.task_id`;
}

/** What is read now was not left out, whatever was said of its address before. */
export async function clearProblems(tx: Transaction, source: Source, items: SourceItem[]): Promise<void> {
  const read = items.flatMap(({ url }) => url ?? []);
  if (read.length === 0) return;
  await tx`
    update private.source_pages set problem = null
     where source_id = ${source.id} and address = any(${read}::text[]) and problem is not null`;
}

/** After a listing of everything: what it did not meet is not there any more. */
export async function sweepNotes(tx: Transaction, { task }: Claim, source: Source): Promise<void> {
  await tx`delete from private.source_pages where source_id = ${source.id} and task_id <> ${task.id}`;
}
