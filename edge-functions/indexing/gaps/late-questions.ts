// Owns questions that join a gap after its answer was written: they are asked again. Does not group.
import type { Transaction } from "../../_shared/database/db.ts";

/** As ask_gap_again() limits a gap. */
const mostAskedAgain = 20;

/**
 * Asks again the questions that joined a gap only after its answer was written. A reply rated down counts if it is older than the answer:
 * a later one may be about it. Runs after recount_gaps(), which has locked the gaps.
 */
export async function askLateQuestions(tx: Transaction, messageIds: string[]): Promise<void> {
  await tx`
    with late as (
      update public.gap_questions q set again = 'waiting'
       where q.message_id in (
         select l.message_id
           from public.gap_questions l
           join public.gaps g on g.team_id = l.team_id and g.id = l.gap_id
           join public.qa_entries e on e.team_id = g.team_id and e.id = g.entry_id
           join public.tasks t on t.team_id = g.team_id and t.id = g.task_id
          where l.message_id = any (${messageIds}::uuid[]) and l.answered_at is null
            and t.status not in ('failed', 'stopping', 'stopped')
            and l.asked_at < coalesce(t.finished_at, 'infinity') and (l.cause <> 'down' or l.asked_at < e.reviewed_at)
          order by l.asked_at desc limit ${mostAskedAgain})
      returning q.gap_id)
    update public.gaps g set task_id = private.enqueue_task(g.team_id, 'gaps', 'gaps:gap:' || g.id)
     where g.id in (select l.gap_id from late l)`;
}
