// Owns the SQL of insights; what is counted, public.chat_insights says.
import type { Transaction } from "../../_shared/db.ts";
import type { Insight, InsightsQuery } from "./schema.ts";

/** Raises what chat_insights raises: not there, or not allowed. */
export async function readInsights(
  tx: Transaction,
  teamId: string,
  agentId: string,
  { dateStart, dateEnd, group }: InsightsQuery,
): Promise<Insight[]> {
  return await tx<Insight[]>`
    select to_char(date, 'YYYY-MM-DD') as date, chats, messages, visitors, up, down, unanswered,
           round(median_reply_ms) as median_reply_ms
      from public.chat_insights(${teamId}, ${agentId}, ${dateStart}, ${dateEnd}, ${group})`;
}
