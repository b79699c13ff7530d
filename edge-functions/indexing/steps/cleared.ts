// Waits until the passages that left the task's sources or knowledge base are removed (sql/51_removals.sql), and helps: what the task adds
// before would be removed with them.
import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "../../_shared/database/db.ts";
import { rowsPerSlice } from "../detached-rows.ts";
import type { TaskScope } from "../queue.ts";
import { endSlice, type StepContext } from "./context.ts";
import { documentsInScope, isThere } from "./scope.ts";

/** The wait while another worker removes them. */
const waitMs = 100;

/** @throws PutDown when the turn is over before */
export async function removeCleared(context: StepContext): Promise<void> {
  const { claim } = context;
  let sources = await claim.write(async (tx) => {
    await clearUnlinked(tx, claim.task);
    return await findCleared(tx, claim.task);
  });
  while (sources.length > 0) {
    const start = performance.now();
    const removed = await claim.read((tx) => removeSlice(tx, sources));
    endSlice(context);
    // As long as the slice took, so that others are served meanwhile.
    await sleep(removed ? performance.now() - start : waitMs);
    sources = await claim.read((tx) => findCleared(tx, claim.task));
  }
}

async function removeSlice(tx: Transaction, sources: string[]): Promise<boolean> {
  const [row] = await tx<{ removed: boolean }[]>`
    select private.remove_cleared(${rowsPerSlice}, ${sources}::uuid[]) as removed`;
  return row?.removed ?? false;
}

/** The sources whose passages are still to be removed before the task may index. */
async function findCleared(tx: Transaction, task: TaskScope): Promise<string[]> {
  const rows = await tx<{ sourceId: string }[]>`
    select distinct c.source_id from private.clearings c join public.sources s on s.id = c.source_id
     where c.team_id = ${task.teamId} and ${isInScope(tx, task)}`;
  return rows.map(({ sourceId }) => sourceId);
}

/** Condition on clearing c: it concerns what the task indexes. */
function isInScope(tx: Transaction, task: TaskScope) {
  if (task.sourceId) return tx`c.source_id = ${task.sourceId}`;
  if (task.documentId)
    return tx`c.source_id = (select d.source_id from public.documents d where d.id = ${task.documentId})`;
  return tx`(c.knowledge_id = ${task.knowledgeId} or c.knowledge_id is null and c.source_id in (
    select ks.source_id from public.knowledge_sources ks where ks.knowledge_id = ${task.knowledgeId}))`;
}

/** Clears what a task planned in a knowledge base while its source was being unlinked. */
async function clearUnlinked(tx: Transaction, task: TaskScope): Promise<void> {
  await tx`
    insert into private.clearings (team_id, source_id, knowledge_id)
    select distinct d.team_id, d.source_id, i.knowledge_id
      from public.document_indexes i join public.documents d on d.id = i.document_id
     where ${task.knowledgeId ? tx`i.knowledge_id = ${task.knowledgeId}` : documentsInScope(tx, task)}
       and not exists (select 1 from public.knowledge_sources ks
                        where ks.knowledge_id = i.knowledge_id and ks.source_id = d.source_id)
       and ${isThere(tx, tx`i.knowledge_id`)} and exists (select 1 from public.sources s where s.id = d.source_id)
    on conflict do nothing`;
}
