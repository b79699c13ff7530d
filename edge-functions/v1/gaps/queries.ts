// Owns the SQL of gaps. Row-level security decides which gaps are visible, and which of their messages and documents.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { numberedPage } from "../sql.ts";
import type { Gap, GapsQuery } from "./schema.ts";

const examples = 5;

const columns = (tx: Transaction) => tx`
  g.id, g.team_id, g.agent_id, (select a.name from public.agents a where a.id = g.agent_id) as agent_name,
  coalesce(f.content, '') as question, f.searched_for, g.questions, g.people, g.reason, g.state, g.last_asked_at, g.created_at, g.updated_at,
  (select jsonb_build_object('id', d.id, 'sourceId', d.source_id, 'title', d.title)
     from public.documents d where d.team_id = g.team_id and d.id = g.found_document_id) as found,
  (select jsonb_build_object('id', e.id, 'sourceId', e.source_id, 'question', e.question, 'answer', e.answer, 'documentId', (
            select d.id from public.documents d where d.source_id = e.source_id and d.external_id = e.id::text))
     from public.qa_entries e where e.team_id = g.team_id and e.id = g.entry_id) as entry,
  x.data as examples,
  case when r.total > 0 then jsonb_build_object(
         'taskId', t.id, 'status', coalesce(t.status, 'succeeded'), 'error', t.error,
         'total', r.total, 'done', r.done, 'answered', r.answered) end as again`;

/** Joined to each gap: its first question, the latest ones, and the result of asking them again. */
const beside = (tx: Transaction) => tx`
  left join lateral (
    select m.content, reply.searched_for from public.gap_questions q
      join public.messages m on m.id = q.question_id
      join public.messages reply on reply.id = q.message_id
     where q.team_id = g.team_id and q.gap_id = g.id order by q.asked_at, q.message_id limit 1) f on true
  left join public.tasks t on t.team_id = g.team_id and t.id = g.task_id
  left join lateral (
    select coalesce(jsonb_agg(jsonb_build_object(
             'messageId', l.message_id, 'chatId', l.chat_id, 'question', l.content, 'searchedFor', l.searched_for, 'cause', l.cause, 'comment', l.comment,
             'askedAt', to_char(l.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'again', l.again, 'disagreement', l.disagreement) order by l.asked_at desc), '[]') as data
      from (select q.message_id, q.cause, q.asked_at,
                   case when q.again <> 'waiting' or t.status in ('queued', 'waiting', 'running', 'stopping') then q.again end as again,
                   m.chat_id, m.content, reply.searched_for, reply.comment, told.disagreement
              from (select one.message_id, one.question_id, one.cause, one.again, one.asked_at from public.gap_questions one
                     where one.team_id = g.team_id and one.gap_id = g.id order by one.asked_at desc limit ${examples}) q
              join public.messages m on m.id = q.question_id
              join public.messages reply on reply.id = q.message_id
             cross join lateral (
               select coalesce(jsonb_agg(jsonb_build_object(
                        'documentId', c -> 'documentId', 'title', c -> 'title', 'quote', d -> 'quote')), '[]') as disagreement
                 from jsonb_array_elements(coalesce(reply.support -> 'disagreement', '[]')) d
                 join jsonb_array_elements(reply.citations) c on c -> 'index' = d -> 'citation') told) l) x on true
  left join lateral (
    select count(*)::int as total, count(*) filter (where q.again <> 'waiting')::int as done,
           count(*) filter (where q.again = 'answered')::int as answered
      from public.gap_questions q
     where q.team_id = g.team_id and q.gap_id = g.id and q.again is not null) r on true`;

/** Gaps that affect the most people first. */
export async function listGaps(
  tx: Transaction,
  teamId: TeamId,
  { state, reason, cause, agentId, ...page }: GapsQuery,
) {
  const matches = tx`g.team_id = ${teamId} ${state ? tx`and g.state = ${state}` : tx``}
    ${reason ? tx`and g.reason = ${reason}` : tx``}
    ${cause ? tx`and exists (select 1 from public.gap_questions q where q.team_id = g.team_id and q.gap_id = g.id and q.cause = ${cause})` : tx``}
    ${agentId ? tx`and g.agent_id = ${agentId}` : tx``}`;
  const order = tx`g.people desc, g.last_asked_at desc, g.id`;
  // The joined columns are read only for the gaps of the page.
  const listed = await numberedPage<{ id: string }>(
    tx,
    { columns: tx`g.id`, from: tx`public.gaps g where ${matches}`, order },
    page,
  );
  const ids = listed.data.map(({ id }) => id);
  const data = await tx<Gap[]>`
    select ${columns(tx)} from public.gaps g ${beside(tx)} where g.team_id = ${teamId} and g.id = any (${ids}::uuid[]) order by ${order}`;
  return { ...listed, data: [...data] };
}

export async function readGap(tx: Transaction, teamId: TeamId, id: string): Promise<Gap | undefined> {
  const [row] = await tx<Gap[]>`
    select ${columns(tx)} from public.gaps g ${beside(tx)} where g.team_id = ${teamId} and g.id = ${id}`;
  return row;
}

export async function dismissGap(tx: Transaction, teamId: TeamId, id: string, isDismissed: boolean) {
  const [row] = await tx<{ id: string }[]>`
    update public.gaps set is_dismissed = ${isDismissed} where team_id = ${teamId} and id = ${id} returning id`;
  return row ? await readGap(tx, teamId, id) : undefined;
}

/** True when questions of the team are waiting to be grouped. */
export async function hasWaitingQuestions(tx: Transaction, teamId: TeamId): Promise<boolean> {
  const [row] = await tx<{ wait: boolean }[]>`
    select exists (select 1 from public.gap_questions q where q.team_id = ${teamId} and q.gap_id is null) as wait`;
  return row?.wait ?? false;
}

/** The agent's knowledge bases that the caller may read, by name. */
export async function knowledgesOf(tx: Transaction, teamId: TeamId, agentId: string) {
  return await tx<{ id: string; name: string }[]>`
    select k.id, k.name from public.agent_knowledges ak
      join public.knowledges k on k.team_id = ak.team_id and k.id = ak.knowledge_id
     where ak.team_id = ${teamId} and ak.agent_id = ${agentId} order by k.name collate private.natural_order, k.id`;
}

/** A source of written answers in a knowledge base that has fewer than 5,000 entries; undefined if there is none. */
export async function qaSourceOf(tx: Transaction, teamId: TeamId, knowledgeId: string) {
  const [row] = await tx<{ id: string }[]>`
    select s.id from public.knowledge_sources ks
      join public.sources s on s.team_id = ks.team_id and s.id = ks.source_id and s.type = 'qa'
     where ks.team_id = ${teamId} and ks.knowledge_id = ${knowledgeId}
       and (select count(*) from public.qa_entries e where e.team_id = s.team_id and e.source_id = s.id) < 5000
     order by s.id limit 1`;
  return row?.id;
}
