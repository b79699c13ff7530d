// Asks a gap's questions again once its written answer is indexed: as the published agent, on behalf of the author of the answer.
// Stores each result before the next question, so that a takeover resumes there.

import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { AnsweringAgent } from "../../answering/agent.ts";
import { answer } from "../../answering/answer.ts";
import { isAnsweredNow, type Outcome } from "../gaps/answered-now.ts";
import { claimsOf, isUnreadable, mayTest, refusesAnswers, takeTurn } from "./answer-turns.ts";
import { endSlice, PutDown, type StepContext } from "./context.ts";

type Gap = {
  id: string;
  teamId: string;
  agentId: string;
  createdBy: string | null;
  apiKeyId: string | null;
  documentId: string | null;
  /** When to check again whether the answer is indexed; null once the sync that indexes it has ended. */
  waitSeconds: number | null;
};

type Open = { messageId: string; cause: string; question: string; wordsHash: string | null };

/** The channel that the cost is recorded under. */
const channel = "gaps";
const gone = sentenceOf("askedByNobody");
const lostAnswer = sentenceOf("askedForNothing");

/** @throws PutDown, ModelError, ClaimLost and the signal's reason, as every step */
export async function askGapAgain(context: StepContext): Promise<void> {
  const { claim } = context;
  claim.signal.throwIfAborted();
  // Read before each question: the answer may be deleted meanwhile, and restored later.
  for (let gap = await readGap(context); gap; gap = await readGap(context)) {
    const open = await nextOpen(context, gap);
    if (!open)
      return await claim.end("succeeded", { code: "askedAgain", params: await counts(context, gap) });
    if (gap.waitSeconds !== null) {
      claim.report({ code: "waitingForAnswer" });
      throw new PutDown(gap.waitSeconds);
    }
    const { documentId } = gap;
    if (!documentId) return await claim.end("failed", { code: "failed", error: lostAnswer });
    const claims = claimsOf(gap);
    if (!claims || !(await mayTest(claims, gap.teamId)))
      return await claim.end("failed", { code: "failed", error: gone });
    await takeTurn(context, gap);
    try {
      await keep(context, gap, { ...open, documentId }, await ask(context, gap, open));
    } catch (error) {
      if (!refusesAnswers(error)) throw error;
      return await claim.end("stopped", { code: "stopped", error: error.message });
    }
    endSlice(context);
  }
  // The gap was deleted with its questions.
  await claim.end("succeeded", { code: "askedAgain", params: { answered: 0, total: 0 } });
}

async function readGap({ claim }: StepContext): Promise<Gap | undefined> {
  const { id: taskId, teamId } = claim.task;
  const [gap] = await claim.read(
    (tx) => tx<Gap[]>`
      select g.id, g.team_id, g.agent_id, g.asked_by as created_by, g.asked_by_key as api_key_id, d.id as document_id,
             (select case when count(*) > 0 then least(30, greatest(1, extract(epoch from max(t.run_after) - clock_timestamp())))::float8 end
                from public.tasks t
               where t.team_id = g.team_id and t.source_id = e.source_id and t.type = 'sync'
                 and t.status in ('queued', 'waiting', 'running', 'stopping')) as wait_seconds
        from public.tasks own
        join public.gaps g on g.team_id = own.team_id and g.id = right(own.key, 36)::uuid
        left join public.qa_entries e on e.team_id = g.team_id and e.id = g.entry_id
        left join public.documents d on d.source_id = e.source_id and d.external_id = e.id::text
       where own.team_id = ${teamId} and own.id = ${taskId}`,
  );
  return gap;
}

/** The oldest question that has not been asked again yet. */
async function nextOpen({ claim }: StepContext, gap: Gap): Promise<Open | undefined> {
  const [open] = await claim.read(
    (tx) => tx<Open[]>`
      select q.message_id, q.cause, q.words_hash, coalesce(r.searched_for, m.content) as question
        from public.gap_questions q
        join public.messages r on r.id = q.message_id
        join public.messages m on m.id = q.question_id
       where q.team_id = ${gap.teamId} and q.gap_id = ${gap.id} and q.again = 'waiting'
       order by q.asked_at limit 1`,
  );
  return open;
}

async function ask({ claim }: StepContext, gap: Gap, { question }: Open): Promise<Outcome> {
  const [row] = await claim.read(
    (tx) => tx<{ agent: AnsweringAgent | null }[]>`select private.answering_agent(${gap.agentId}) as agent`,
  );
  const outcome: Outcome = { unanswered: true, state: null, documentIds: [] };
  if (!row?.agent) return outcome;
  try {
    for await (const event of answer({
      agent: row.agent,
      channel,
      history: [],
      question,
      signal: claim.signal,
    })) {
      if (event.type === "citations")
        outcome.documentIds = event.citations.map(({ documentId }) => documentId);
      else if (event.type === "end") {
        outcome.unanswered = event.unanswered;
        outcome.state = event.support?.state ?? null;
      }
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return outcome;
}

/**
 * Applies the result to all questions with the same words, so that nobody pays for the same answer twice. Leaves them waiting when the
 * written answer was deleted meanwhile: the reply says nothing about it.
 */
async function keep(
  { claim }: StepContext,
  gap: Gap,
  open: Open & { documentId: string },
  outcome: Outcome,
): Promise<void> {
  const isAnswered = isAnsweredNow(outcome, open);
  await claim.achieve(async (tx) => {
    await tx`
      update public.gap_questions q
         set again = ${isAnswered ? "answered" : "open"}, answered_at = case when ${isAnswered} then clock_timestamp() end
       where q.team_id = ${gap.teamId} and q.gap_id = ${gap.id} and q.again = 'waiting'
         and (q.message_id = ${open.messageId} or q.words_hash = ${open.wordsHash} and q.cause = ${open.cause})
         and exists (select from public.documents d where d.team_id = q.team_id and d.id = ${open.documentId})`;
    await tx`select private.recount_gaps(array[${gap.id}]::uuid[])`;
  });
  const { total, done } = await counts({ claim }, gap);
  claim.report({ done, total, code: "askingAgain" });
}

async function counts({ claim }: Pick<StepContext, "claim">, gap: Gap) {
  const [row] = await claim.read(
    (tx) => tx<{ total: number; done: number; answered: number }[]>`
      select count(*)::int as total, count(*) filter (where q.again <> 'waiting')::int as done,
             count(*) filter (where q.again = 'answered')::int as answered
        from public.gap_questions q
       where q.team_id = ${gap.teamId} and q.gap_id = ${gap.id} and q.again is not null`,
  );
  return row ?? { total: 0, done: 0, answered: 0 };
}
