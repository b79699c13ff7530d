// Owns the chore that ends replies whose process died. Their text so far is kept. Without it, a chat that nobody opens again would stay
// in "being written" in lists, exports and direct reads.

import { asService } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";
import { replyLeaseSeconds } from "../answering/reply-lease.ts";

const perTurn = 100;

export async function endDeadReplies(): Promise<void> {
  const [row] = await asService(
    (tx) => tx<{ ended: number }[]>`
      select private.end_each_row('deadReplies', array(
               select d.id from public.messages d
                where d.status = 'streaming'
                  and d.updated_at < clock_timestamp() - make_interval(secs => ${replyLeaseSeconds})
                order by d.updated_at limit ${perTurn}
                for update skip locked)) as ended`,
  );
  if (row?.ended) log("info", "ended the replies of dead processes", { replies: row.ended });
}
