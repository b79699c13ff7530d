// Owns a task's progress, counted from the rows at the start of every turn, so that it is right after a takeover.
import type { StepContext } from "./context.ts";
import { buildsIndexes, documentsInScope, knowledgeInScope, unread } from "./scope.ts";

export interface TaskProgress {
  more(documents: number): void;
}

export async function progressOf({ claim }: StepContext): Promise<TaskProgress> {
  const { task } = claim;
  const [row] = await claim.read(
    (tx) => tx<{ left: number }[]>`
      select count(*)::int as left from public.documents d
       where ${documentsInScope(tx, task)} and d.status in ('queued', 'indexing')
         and (${unread(tx)} ${
           buildsIndexes(task)
             ? tx`or exists (select 1 from public.document_indexes i where i.document_id = d.id
                    and i.status in ('queued', 'indexing') and ${knowledgeInScope(tx, task, tx`i.knowledge_id`)})`
             : tx``
         })`,
  );
  let done = Math.max(0, task.total - (row?.left ?? 0));
  claim.report({ done });
  return {
    more(documents) {
      done = Math.min(task.total, done + documents);
      claim.report({ done });
    },
  };
}
