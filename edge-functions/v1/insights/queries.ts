// Owns the SQL of insights. public.chat_insights defines what is counted.

import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { zoneForPostgres } from "../../_shared/database/new-zones.ts";
import { cursorPage, idInKey } from "../cursors.ts";
import { onePage } from "../sql.ts";
import { duringDays } from "../time-zones.ts";
import {
  type Insight,
  type InsightPeriod,
  type InsightsQuery,
  type QuestionsQuery,
  rangeBefore,
  type SupportCounts,
  type UnansweredQuestion,
} from "./schema.ts";

type About = { teamId: TeamId; agentId: string | null };

const countInsights = (
  tx: Transaction,
  { teamId, agentId }: About,
  { dateStart, dateEnd, timeZone }: Pick<InsightsQuery, "dateStart" | "dateEnd" | "timeZone">,
  grain: InsightsQuery["group"] | "range",
) => tx<Insight[]>`
  select to_char(date, 'YYYY-MM-DD') as date, chats, messages, visitors, up, down, unanswered,
         round(median_reply_ms) as median_reply_ms, handovers, helped, silent
    from public.chat_insights(${teamId}, ${agentId}, ${dateStart}, ${dateEnd}, ${grain}, ${zoneForPostgres(timeZone)})`;

/** Rows per day, week or month. Raises the errors of chat_insights: not found, or not allowed. */
export async function readInsights(tx: Transaction, about: About, query: InsightsQuery): Promise<Insight[]> {
  return await countInsights(tx, about, query, query.group);
}

/** Totals of the range, and of the same number of days before it. */
export async function readTotals(tx: Transaction, about: About, query: InsightsQuery) {
  const before = { ...rangeBefore(query), timeZone: query.timeZone };
  const [total, previous, support] = await Promise.all([
    countInsights(tx, about, query, "range"),
    countInsights(tx, about, before, "range"),
    readSupport(tx, about, query),
  ]);
  return { total: period(total, query), previous: period(previous, before), support };
}

async function readSupport(
  tx: Transaction,
  { teamId, agentId }: About,
  { dateStart, dateEnd, timeZone }: InsightsQuery,
): Promise<SupportCounts> {
  const rows = await tx<{ state: keyof SupportCounts; replies: number }[]>`
    select state, replies from private.count_support(${teamId}, ${agentId}, ${dateStart}, ${dateEnd}, ${zoneForPostgres(timeZone)})`;
  const counts = { answered: 0, partly: 0, notFound: 0, disagree: 0, unchecked: 0 };
  for (const { state, replies } of rows) counts[state] = replies;
  return counts;
}

function period(
  [row]: Insight[],
  { dateStart, dateEnd }: { dateStart: string; dateEnd: string },
): InsightPeriod {
  if (!row) throw new Error("chat_insights returned no row for the range");
  const { date: _, ...figures } = row;
  return { dateStart, dateEnd, ...figures };
}

/** Newest first. Questions are read as the caller: without chats.read they see only those of their own chats. */
export async function listQuestions(
  tx: Transaction,
  teamId: TeamId,
  { agentId, lastKey, perPage, ...days }: QuestionsQuery,
) {
  const rows = await tx<UnansweredQuestion[]>`
    select m.id, m.chat_id, c.agent_id, c.channel, coalesce(q.content, '') as question, m.created_at as asked_at
      from public.messages m
      join public.chats c on c.id = m.chat_id
      left join lateral (
        select asked.content from public.messages asked
         where asked.chat_id = m.chat_id and asked.role = 'user' and asked.id < m.id
         order by asked.id desc limit 1) q on true
     where m.team_id = ${teamId} and m.unanswered
       ${agentId ? tx`and c.agent_id = ${agentId}` : tx``}
       ${duringDays(tx, tx`m.created_at`, days)}
       ${lastKey ? tx`and m.id < ${idInKey(lastKey, "questions")}` : tx``}
     order by m.id desc limit ${onePage(tx, perPage)}`;
  return cursorPage(rows, perPage, "questions");
}
