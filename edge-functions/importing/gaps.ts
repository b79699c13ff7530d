// Owns importing what a team has decided about unanswered questions: what it dismissed or answered is not open again. Open gaps are grouped
// anew. Written as the service: no client may write gaps.
import { z } from "zod";
import type { Transaction } from "../_shared/database/db.ts";
import { hashWords } from "../indexing/gaps/hash-words.ts";
import { newIdOf } from "./ids.ts";
import { id, row, time } from "./shapes.ts";

export const gapRow = row(
  z.object({
    id,
    agentId: id,
    reason: z.enum(["missing", "notFound"]),
    foundDocumentId: id.nullable(),
    isDismissed: z.boolean(),
    state: z.enum(["open", "answered", "dismissed"]),
    entryId: id.nullable(),
    createdAt: time,
  }),
  (gap) =>
    gap.state === "open" && gap.entryId === null
      ? undefined
      : {
          agent_id: gap.agentId,
          reason: gap.reason,
          found_document_id: gap.foundDocumentId,
          is_dismissed: gap.isDismissed,
          entry_id: gap.entryId,
          created_at: gap.createdAt,
        },
);

/** The question is found by its reply, from which Postgres has made it anew. */
export const gapQuestionRow = row(
  z.object({ messageId: id, gapId: id.nullable(), answeredAt: time.nullable() }),
  ({ messageId, gapId, answeredAt }) =>
    gapId === null ? undefined : { message_id: messageId, gap_id: gapId, answered_at: answeredAt },
);

/** The latest of each. The others are grouped anew: this is written in the last transaction, for which everybody waits. */
const mostGaps = 2000;
const mostQuestions = 10_000;
/** Questions of a statement. */
const atOnce = 500;

type StagedQuestion = { messageId: string; answeredAt: string | null; gapId: string };
type ImportedQuestion = StagedQuestion & { agentId: string };

/** Runs after agents, documents, messages and written answers. A gap without a question that was imported goes again. */
export async function insertGaps(tx: Transaction, teamId: string): Promise<void> {
  const gaps = await tx<{ id: string; agentId: string }[]>`
    insert into public.gaps (id, team_id, agent_id, reason, found_document_id, is_dismissed, entry_id, created_at)
    select r.new_id, r.team_id, a.new_id, g.reason, d.id, g.is_dismissed, e.id, g.created_at
      from (select o.* from private.import_rows o
             where o.team_id = ${teamId} and o.kind = 'gaps' order by o.position desc limit ${mostGaps}) r
     cross join lateral jsonb_populate_record(null::public.gaps, r.content) g
      join private.import_rows a on a.team_id = r.team_id and a.kind = 'agents' and a.old_id = g.agent_id and a.new_id is not null
      left join private.import_rows found on found.team_id = r.team_id and found.kind = 'documents' and found.old_id = g.found_document_id
      left join public.documents d on d.team_id = r.team_id and d.id = found.new_id
      left join private.import_rows answer on answer.team_id = r.team_id and answer.kind = 'qa_entries' and answer.old_id = g.entry_id
      left join public.qa_entries e on e.team_id = r.team_id and e.id = answer.new_id
     order by r.position
    returning id, agent_id`;
  if (gaps.length === 0) return;
  const agents = new Map(gaps.map(({ id: gap, agentId }) => [gap, agentId]));
  const staged = await tx<StagedQuestion[]>`
    select q.content ->> 'message_id' as message_id, q.content ->> 'answered_at' as answered_at, q.content ->> 'gap_id' as gap_id
      from private.import_rows q
     where q.team_id = ${teamId} and q.kind = 'gap_questions' order by q.position desc limit ${mostQuestions}`;
  const questions = staged.flatMap(({ messageId, answeredAt, gapId: archived }) => {
    const gapId = newIdOf(teamId, archived);
    const agentId = agents.get(gapId);
    return agentId ? [{ messageId: newIdOf(teamId, messageId), answeredAt, gapId, agentId }] : [];
  });
  for (let start = 0; start < questions.length; start += atOnce)
    await groupQuestions(tx, teamId, questions.slice(start, start + atOnce));
  await tx`select private.recount_gaps(${gaps.map(({ id: gap }) => gap)}::uuid[])`;
}

async function groupQuestions(tx: Transaction, teamId: string, questions: ImportedQuestion[]): Promise<void> {
  const texts = await tx<{ messageId: string; question: string }[]>`
    select q.message_id, coalesce(r.searched_for, m.content) as question
      from public.gap_questions q
      join public.messages m on m.id = q.question_id
      join public.messages r on r.id = q.message_id
     where q.team_id = ${teamId} and q.message_id = any (${questions.map((one) => one.messageId)}::uuid[])`;
  const hashes = new Map(texts.map(({ messageId, question }) => [messageId, hashWords(question)]));
  const known = questions.flatMap((one) => {
    const hash = hashes.get(one.messageId);
    return hash === undefined ? [] : [{ ...one, hash }];
  });
  await tx`
    update public.gap_questions q
       set gap_id = g.gap_id, words_hash = g.hash, answered_at = g.answered_at,
           again = case when g.answered_at is not null then 'answered' end
      from unnest(${known.map((one) => one.messageId)}::uuid[], ${known.map((one) => one.gapId)}::uuid[],
                  ${known.map((one) => one.agentId)}::uuid[], ${known.map((one) => one.hash)}::text[],
                  ${known.map((one) => one.answeredAt)}::timestamptz[]) as g (message_id, gap_id, agent_id, hash, answered_at)
     where q.team_id = ${teamId} and q.message_id = g.message_id and q.agent_id = g.agent_id and q.gap_id is null`;
}
