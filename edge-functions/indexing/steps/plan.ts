// Plans a task once: marks in the rows themselves what there is to do, so that any worker can continue.
import type { Transaction } from "../../_shared/database/db.ts";
import type { TaskScope } from "../queue.ts";
import { removeCleared } from "./cleared.ts";
import type { StepContext } from "./context.ts";
import { listSource } from "./listing.ts";
import { readerVersion } from "./read.ts";
import {
  buildsIndexes,
  documentStatus,
  documentsInScope,
  type Fragment,
  fileId,
  isOwn,
  knowledgeInScope,
  knowledgesOf,
  lockDocuments,
  lockOwners,
  ownIndexes,
  sourcesInScope,
  unread,
  wantedSignature,
} from "./scope.ts";
import { failLeftOut, isLeftOut } from "./unfit.ts";

/** Lists the task's sources and queues the documents and indexes that are out of date. */
export async function plan(context: StepContext): Promise<void> {
  const { claim } = context;
  const { task } = claim;
  if (!task.documentId) {
    claim.report({ code: "listing" });
    for (const id of await sourcesOf(context)) await listSource(context, id);
  }
  await removeCleared(context);
  const total = await claim.achieve(async (tx) => {
    await lockDocuments(tx, task);
    if (task.type === "index") await rereadFiles(tx, task);
    const leftOut = isLeftOut(tx, task, await failLeftOut(tx, task));
    if (buildsIndexes(task)) await queueIndexes(tx, task, leftOut);
    await queueDocuments(tx, task, leftOut);
    await markStarted(tx, task);
    const [row] = await tx<{ total: number }[]>`
      select count(*)::int as total from public.documents d where ${documentsInScope(tx, task)}`;
    await tx`update public.tasks set total = ${row?.total ?? 0} where id = ${task.id}`;
    return row?.total ?? 0;
  });
  task.total = total;
}

async function sourcesOf({ claim }: StepContext): Promise<string[]> {
  const { task } = claim;
  const rows = await claim.read(
    (tx) => tx<{ id: string }[]>`
      select s.id from public.sources s
       where s.team_id = ${task.teamId}
         and ${
           task.sourceId
             ? tx`s.id = ${task.sourceId}`
             : tx`s.id in (select ks.source_id from public.knowledge_sources ks where ks.knowledge_id = ${task.knowledgeId})`
         }
       order by s.id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Has uploaded files read again whose texts an earlier reader made, and the file of the one document that a task is for. A text that is not
 * its file's own stays. Not for syncs: they follow each upload, which must not wait for the files of a whole knowledge base.
 */
async function rereadFiles(tx: Transaction, task: TaskScope): Promise<void> {
  await tx`
    update public.documents d set content_hash = null
      from public.files f
     where ${documentsInScope(tx, task)} and d.type = 'file' and f.team_id = d.team_id and f.sha256 = d.content_hash
       and f.id = ${fileId(tx)}
       and (${task.documentId !== null} or d.structure ->> 'reader' is distinct from ${String(readerVersion)})`;
}

async function queueIndexes(tx: Transaction, task: TaskScope, leftOut: Fragment): Promise<void> {
  await tx`
    insert into public.document_indexes (team_id, knowledge_id, document_id, status)
    select d.team_id, ks.knowledge_id, d.id, 'queued'
      from public.documents d join public.knowledge_sources ks on ks.source_id = d.source_id
     where ${documentsInScope(tx, task)} and ${knowledgeInScope(tx, task, tx`ks.knowledge_id`)}
       and not ${leftOut}
    on conflict (knowledge_id, document_id) do nothing`;
  await tx`
    update public.document_indexes i set status = 'queued', error = null
      from public.documents d cross join ${ownIndexes(tx, task)} join public.knowledges k on k.id = own.knowledge_id
     where ${isOwn(tx)} and ${documentsInScope(tx, task)}
       and (i.status <> 'ready' or d.content is null or ${unread(tx)} or i.signature is distinct from ${wantedSignature(tx)})
       and not ${leftOut}`;
}

/** Queues documents with work to do. One that another worker holds stays with it. */
async function queueDocuments(tx: Transaction, task: TaskScope, leftOut: Fragment): Promise<void> {
  const needsWork = buildsIndexes(task)
    ? tx`(${unread(tx)} or exists (
            select 1 from public.document_indexes i
             where i.document_id = d.id and i.status = 'queued' and ${knowledgeInScope(tx, task, tx`i.knowledge_id`)}))`
    : unread(tx);
  const hasWork = tx`(${needsWork} and not ${leftOut})`;
  await tx`
    update public.documents d set status = case when ${hasWork} then 'queued' else ${documentStatus(tx)} end,
           error = case when ${hasWork} then null else d.error end, structure = d.structure - 'reads' - 'fetches'
     where ${documentsInScope(tx, task)} and d.status <> 'indexing'
       and (${hasWork} or d.status in ('queued', 'stopping'))`;
}

async function markStarted(tx: Transaction, task: TaskScope): Promise<void> {
  await lockOwners(tx, task);
  if (!task.documentId)
    await tx`update public.sources s set status = 'indexing' where ${sourcesInScope(tx, task)} and s.status <> 'indexing'`;
  if (buildsIndexes(task))
    await tx`update public.knowledges k set status = 'indexing' where ${knowledgesOf(tx, task)} and k.status <> 'indexing'`;
}
