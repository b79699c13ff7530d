// Owns documents that do not fit into their team's storage: remembers what they need, and leaves them out of a task that could only fetch
// and embed them in vain.
import type { Transaction } from "../../_shared/database/db.ts";
import { inMebibytes } from "../../_shared/requests/errors.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { SourceItem } from "../connectors/connector.ts";
import { quoteName } from "../parsers/document.ts";
import type { TaskScope } from "../queue.ts";
import type { Prepared } from "./batches.ts";
import {
  buildsIndexes,
  documentsInScope,
  type Fragment,
  knowledgeInScope,
  sourcesInScope,
  unread,
} from "./scope.ts";
import { bytesOf, leastRoom } from "./storage.ts";

/** Remembers documents that were refused. @param added what a document's own transaction added; undefined when it shared one or had none */
export async function rememberUnfit(
  tx: Transaction,
  task: TaskScope,
  refused: Prepared[],
  dimensions: number,
  added?: number,
): Promise<void> {
  await tx`
    insert into private.unfit_documents (team_id, document_id, revision, builds, bytes)
    select d.team_id, d.id, coalesce(t.revision, ${textRevision(tx)}), ${buildsOf(tx, task)},
           coalesce(${added ?? null}::bigint, t.bytes
             - case when t.revision is not null then coalesce(octet_length(d.content), 0) else 0 end
             - (select coalesce(sum(i.bytes), 0) from public.document_indexes i
                 where i.document_id = d.id and ${knowledgeInScope(tx, task, tx`i.knowledge_id`)}))
      from unnest(${refused.map(({ document }) => document.id)}::uuid[],
                  ${refused.map(({ read }) => read?.revision ?? null)}::text[],
                  ${refused.map((one) => bytesOf(one, dimensions))}::bigint[]) as t (id, revision, bytes)
      join public.documents d on d.id = t.id
     where t.revision is not null or d.content is not null
    on conflict (team_id, document_id) do update
       set revision = excluded.revision, builds = excluded.builds, bytes = excluded.bytes`;
}

/** Forgets those of a page's items that have changed. @returns the external ids of those that are unchanged and do not fit now */
export async function findUnfitItems(
  tx: Transaction,
  source: { id: string; teamId: string },
  items: SourceItem[],
): Promise<Set<string>> {
  const rows = await tx<{ externalId: string }[]>`
    with known as materialized (
      select u.document_id, d.external_id, u.bytes, u.revision = item.revision as is_same
        from private.unfit_documents u
        join public.documents d on d.id = u.document_id
        join unnest(${items.map(({ externalId }) => externalId)}::text[], ${items.map(({ revision }) => revision)}::text[])
             as item (external_id, revision) on item.external_id = d.external_id
       where u.team_id = ${source.teamId} and d.source_id = ${source.id}
    ), changed as (
      delete from private.unfit_documents u using known k
       where u.team_id = ${source.teamId} and u.document_id = k.document_id and not k.is_same
    )
    select k.external_id from known k where k.is_same and k.bytes > private.storage_left(${source.teamId})`;
  return new Set(rows.map(({ externalId }) => externalId));
}

/**
 * Condition on document d: it did not fit, is as it was then, and does not fit now. Never for a document's own task, which a person asks for.
 * @param room what the team may still store; undefined when none of its documents is left out
 */
export function isLeftOut(tx: Transaction, task: TaskScope, room: number | undefined): Fragment {
  if (room === undefined || task.documentId) return tx`false`;
  return tx`exists (
    select 1 from private.unfit_documents u
     where u.team_id = d.team_id and u.document_id = d.id and u.bytes > ${room}::bigint and u.builds = ${buildsOf(tx, task)}
       and (${unread(tx)} or u.revision = ${textRevision(tx)}))`;
}

/**
 * Says on the documents that a task leaves out how full the team is now, and on their sources if it has room for none. Requires the locks of
 * the task's documents.
 * @returns what the team may still store; undefined when nothing is left out
 */
export async function failLeftOut(tx: Transaction, task: TaskScope): Promise<number | undefined> {
  const [team] = await tx<{ used: number; limit: number }[]>`
    select private.storage_used(${task.teamId})::float8 as used, l.team_storage::float8 as limit from private.operator_limits l
     where l.team_storage is not null
       and exists (select 1 from private.unfit_documents u where u.team_id = ${task.teamId})`;
  if (!team) return undefined;
  const room = team.limit - team.used;
  const rows = await tx<{ id: string; title: string }[]>`
    select d.id, d.title from public.documents d
     where ${documentsInScope(tx, task)} and d.status <> 'indexing' and ${isLeftOut(tx, task, room)}`;
  if (rows.length === 0) return room;
  const numbers = inMebibytes(team);
  const sentences = rows.map(({ title }) =>
    sentenceOf("documentUnfit", { document: quoteName(title), ...numbers }),
  );
  await tx`
    update public.documents d set status = 'failed', error = t.error
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${sentences}::text[]) as t (id, error)
     where d.id = t.id and (d.status, d.error) is distinct from ('failed', t.error)`;
  if (room < leastRoom)
    await tx`
      update public.sources s set error = ${sentenceOf("storageReached", numbers)}
       where ${sourcesInScope(tx, task)}
         and exists (select 1 from public.documents d where d.source_id = s.id and d.id = any(${rows.map(({ id }) => id)}::uuid[]))`;
  return room;
}

/** The knowledge bases that the task indexes document d in, with what decides the size of its passages there. */
function buildsOf(tx: Transaction, task: TaskScope): Fragment {
  if (!buildsIndexes(task)) return tx`''`;
  return tx`coalesce((
    select string_agg(concat_ws(':', k.id, k.vector_id, k.chunk_max_tokens, k.chunk_overlap_tokens), ' ' order by k.id)
      from public.knowledge_sources ks join public.knowledges k on k.id = ks.knowledge_id
     where ks.source_id = d.source_id and ${knowledgeInScope(tx, task, tx`k.id`)}), '')`;
}

/** The revision of the text that is stored of document d. */
const textRevision = (tx: Transaction): Fragment =>
  tx`coalesce(d.content_hash, encode(sha256(convert_to(d.content, 'UTF8')), 'hex'))`;
