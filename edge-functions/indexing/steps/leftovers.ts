// Settles tasks that ended without a worker: stopped while queued, or given up because their workers kept dying. Each is settled
// alone, so that one failure does not block the others.
import { asService, type Transaction } from "../../_shared/database/db.ts";
import { log } from "../../_shared/operation/log.ts";
import type { TaskScope } from "../queue.ts";
import { settleRemaining } from "./ending.ts";
import { lockDocuments } from "./scope.ts";

/** How far back to look. Ids are time-ordered, so this reads a few rows of the primary key. */
const withinMs = 24 * 3600 * 1000;
const perPage = 20;

type Leftover = TaskScope & { status: "failed" | "stopped" };

export async function settleLeftovers(now = Date.now()): Promise<void> {
  let after = `${(now - withinMs)
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;
  let failed = 0;
  do {
    const tasks = await leftoversAfter(after);
    failed = 0;
    for (const task of tasks) if (!(await settle(task))) failed++;
    after = tasks.at(-1)?.id ?? after;
    // The next call settles the rest, unless failed ones would fill its page as well.
  } while (failed > 0);
}

async function leftoversAfter(id: string): Promise<Leftover[]> {
  return await asService(
    (tx) => tx<Leftover[]>`
      select t.* from public.tasks t
       where t.id > ${id}::uuid and t.status in ('failed', 'stopped')
         and (exists (select 1 from public.knowledges k where k.id = t.knowledge_id and k.status in ('queued', 'indexing', 'stopping'))
           or exists (select 1 from public.sources s where s.id = t.source_id and s.status in ('queued', 'indexing', 'stopping'))
           or exists (select 1 from public.documents d where d.id = t.document_id and d.status in ('queued', 'indexing', 'stopping')))
         and not ${isTakenUp(tx)}
       order by t.id limit ${perPage}`,
  );
}

/** Condition on task t: another task has the same subject and settles it when it ends. */
function isTakenUp(tx: Transaction) {
  return tx`exists (select 1 from public.tasks o
    where o.team_id = t.team_id and o.status in ('queued', 'running', 'waiting', 'stopping')
      and (o.knowledge_id = t.knowledge_id or o.source_id = t.source_id))`;
}

async function settle(task: Leftover): Promise<boolean> {
  try {
    await asService(async (tx) => {
      // A task queued since the query above may have marked its documents; it holds the same locks for that.
      await lockDocuments(tx, task);
      const [now] = await tx<{ isOpen: boolean }[]>`
        select not ${isTakenUp(tx)} as is_open from public.tasks t where t.id = ${task.id}`;
      if (now?.isOpen) await settleRemaining(tx, task, task.status);
    });
    return true;
  } catch (error) {
    log("error", "what a task left behind could not be settled", { task: task.id, error: String(error) });
    return false;
  }
}
