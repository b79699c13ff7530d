// Settles what tasks left behind that ended without a worker: stopped while they were queued, or given up because their
// workers kept dying.
import { asService } from "../../_shared/db.ts";
import type { TaskScope } from "../queue.ts";
import { leave } from "./ending.ts";

/** How far back to look; ids are time-ordered, so this reads a few rows of the primary key. */
const withinMs = 24 * 3600 * 1000;

export async function settleLeftovers(now = Date.now()): Promise<void> {
  const since = `${(now - withinMs)
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;
  await asService(async (tx) => {
    const tasks = await tx<(TaskScope & { status: "failed" | "stopped" })[]>`
      select t.* from public.tasks t
       where t.id > ${since}::uuid and t.status in ('failed', 'stopped')
         and (exists (select 1 from public.knowledges k where k.id = t.knowledge_id and k.status in ('queued', 'indexing', 'stopping'))
           or exists (select 1 from public.sources s where s.id = t.source_id and s.status in ('queued', 'indexing', 'stopping'))
           or exists (select 1 from public.documents d where d.id = t.document_id and d.status in ('queued', 'indexing', 'stopping')))
         and not exists (select 1 from public.tasks o
                          where o.team_id = t.team_id and o.status in ('queued', 'running', 'waiting', 'stopping')
                            and (o.knowledge_id = t.knowledge_id or o.source_id = t.source_id))
       order by t.id limit 20`;
    for (const task of tasks) await leave(tx, task, task.status);
  });
}
