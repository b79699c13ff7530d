// Owns the end of a task: the final statuses of its documents, sources and knowledge bases, the counts, and the closing message.
import type { Transaction } from "../../_shared/database/db.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { Claim, TaskScope } from "../queue.ts";
import { isAbandoned } from "./documents.ts";
import {
  buildsIndexes,
  documentStatus,
  documentsInScope,
  isOwn,
  knowledgesOf,
  lockDocuments,
  lockOwners,
  ownIndexes,
  sourcesInScope,
} from "./scope.ts";

/** Releases the document that the worker holds. */
type PutBack = (tx: Transaction) => Promise<void>;
type Outcome = "succeeded" | "failed" | "stopped";

interface Tally {
  documents: number;
  failed: number;
  chunks: number;
  firstError: string | null;
}

/** Ends a task that has run to completion: failed when every document failed, succeeded otherwise. */
export async function endFinished(claim: Claim): Promise<void> {
  const { task } = claim;
  const tally = await claim.write(async (tx) => {
    await failUnreadable(tx, task);
    return await count(tx, task);
  });
  const { documents, failed, chunks } = tally;
  const params = { documents, failed, chunks };
  if (documents > 0 && failed === documents) {
    const error = tally.firstError ?? sentenceOf("noneRead");
    await claim.end("failed", { code: "allFailed", params, error }, (tx) => settle(tx, task, "failed"));
    return;
  }
  const done = buildsIndexes(task) ? "indexed" : "loaded";
  const code = failed > 0 ? `${done}WithFailures` : done;
  claim.report({ done: documents, total: documents });
  await claim.end("succeeded", { code, params }, (tx) => settle(tx, task, "succeeded"));
}

/** Ends a task that was asked to stop. Finished documents stay; queued ones are left for a later task. */
export async function endStopped(claim: Claim, putBack: PutBack): Promise<void> {
  await claim.end("stopped", { code: "stopped" }, async (tx) => {
    // Locks all documents in order before those in hand: clearing the index takes the locks in the same order.
    await lockDocuments(tx, claim.task);
    await putBack(tx);
    await settleRemaining(tx, claim.task, "stopped");
  });
}

/** Ends a task that cannot continue. `error` is a sentence for users. */
export async function endFailed(claim: Claim, code: string, error: string, putBack: PutBack): Promise<void> {
  await claim.end("failed", { code, error }, async (tx) => {
    await lockDocuments(tx, claim.task);
    await putBack(tx);
    await settleRemaining(tx, claim.task, "failed");
  });
}

/** Shows on the sources whose documents wait why they are not read or indexed. Requires the documents' locks. */
export async function noteOnSources(tx: Transaction, task: TaskScope, sentence: string): Promise<void> {
  await lockOwners(tx, task);
  await tx`
    update public.sources s set error = ${sentence}
     where ${sourcesInScope(tx, task)}
       and exists (select 1 from public.documents d
                    where d.team_id = s.team_id and d.source_id = s.id and d.status in ('queued', 'indexing'))`;
}

/** Settles everything that the task queued and did not reach. Documents claimed by another worker stay claimed. */
export async function settleRemaining(tx: Transaction, task: TaskScope, outcome: Outcome): Promise<void> {
  await lockDocuments(tx, task);
  if (buildsIndexes(task)) {
    await tx`
      update public.document_indexes i set status = case when i.signature is null then 'stopped' else 'stale' end
        from public.documents d cross join ${ownIndexes(tx, task)}
       where ${isOwn(tx)} and ${documentsInScope(tx, task)}
         and i.status in ('queued', 'indexing')`;
  }
  await tx`
    update public.documents d set status = ${documentStatus(tx)}
     where ${documentsInScope(tx, task)} and (d.status in ('queued', 'stopping') or ${isAbandoned(tx)})`;
  await settle(tx, task, outcome);
}

/** Fails indexes that wait for a document which another task could not read. */
async function failUnreadable(tx: Transaction, task: TaskScope): Promise<void> {
  if (!buildsIndexes(task)) return;
  await tx`
    update public.document_indexes i set status = 'failed', error = d.error
      from public.documents d cross join ${ownIndexes(tx, task)}
     where ${isOwn(tx)} and ${documentsInScope(tx, task)}
       and i.status = 'queued' and d.status = 'failed'`;
}

async function count(tx: Transaction, task: TaskScope): Promise<Tally> {
  const [row] = await tx<Tally[]>`
    select count(*)::int as documents, count(*) filter (where d.status = 'failed')::int as failed,
           coalesce(sum(d.chunks_count), 0)::int as chunks,
           (array_agg(d.error order by d.id) filter (where d.status = 'failed'))[1] as first_error
      from public.documents d where ${documentsInScope(tx, task)}`;
  return row ?? { documents: 0, failed: 0, chunks: 0, firstError: null };
}

async function settle(tx: Transaction, task: TaskScope, outcome: Outcome): Promise<void> {
  const status = outcome === "succeeded" ? "ready" : outcome;
  await lockOwners(tx, task);
  await tx`
    update public.knowledges k
       set status = case when ${buildsIndexes(task)} and not ${otherTaskOn(tx, task, tx`t.knowledge_id = k.id`)} then ${status} else k.status end,
           (documents_count, chunks_count) = (
             select count(*) filter (where i.status = 'ready'), coalesce(sum(i.chunks_count), 0) from public.document_indexes i
              where i.knowledge_id = k.id and i.document_id not in (select private.documents_hidden_in(k.team_id, k.id))),
           indexed_at = case when ${buildsIndexes(task)} and ${outcome} = 'succeeded' then clock_timestamp() else k.indexed_at end
     where ${knowledgesOf(tx, task)}`;
  if (task.documentId) return;
  await tx`
    update public.sources s
       set status = ${status},
           documents_count = (select count(*) from public.documents d where d.source_id = s.id)
     where ${sourcesInScope(tx, task)} and not ${otherTaskOn(tx, task, tx`t.source_id = s.id`)}`;
}

/** Condition: another task works on the same knowledge base or source and will settle its status. */
function otherTaskOn(tx: Transaction, task: TaskScope, same: ReturnType<Transaction>) {
  return tx`exists (select 1 from public.tasks t
    where t.team_id = ${task.teamId} and t.id <> ${task.id} and ${same}
      and t.status in ('queued', 'running', 'waiting', 'stopping'))`;
}
