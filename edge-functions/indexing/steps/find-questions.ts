// Finds questions that a team's first documents answer: proposes some, asks the agent each, and stores those that it answers.
// Stores each result before the next question, so that a takeover resumes there.

import { teamModels } from "../../_shared/models/team-models.ts";
import type { AnsweringAgent } from "../../answering/agent.ts";
import { answer } from "../../answering/answer.ts";
import type { Citation } from "../../answering/citations.ts";
import { answersCandidate } from "../questions/answers-candidate.ts";
import type { Candidate, Passage, Table } from "../questions/candidate.ts";
import { candidatesIn } from "../questions/candidates.ts";
import { questionsFromModel } from "../questions/from-model.ts";
import { isUnreadable, refusesAnswers, takeTurn } from "./answer-turns.ts";
import { endSlice, PutDown, type StepContext } from "./context.ts";

type Found = { question: string; answer: string; citations: Citation[] };
type Onboarding = {
  teamId: string;
  knowledgeId: string;
  agentId: string;
  createdBy: string | null;
  candidates: Candidate[] | null;
  questions: Found[];
  agent: AnsweringAgent;
  /** True while more of the files are being indexed. */
  isReading: boolean;
  /** The row's version: a file indexed meanwhile writes it, so that what was proposed without that file is not kept. */
  version: string;
};

/** The channel that the cost is recorded under. */
const channel = "questions";
const secondsBetweenLooks = 2;
const wanted = 3;
const mostTried = 12;
/** The limits of what is read to find questions: passages per document, tables and documents in all. */
const mostPassages = 12;
const mostTables = 20;
const mostDocuments = 40;

/** @throws PutDown, ModelError, ClaimLost and the signal's reason, as every step */
export async function findQuestions(context: StepContext): Promise<void> {
  const { claim } = context;
  claim.signal.throwIfAborted();
  const onboarding = await readOnboarding(context);
  // The agent or the knowledge base was deleted, and the row with it.
  if (!onboarding) return await claim.end("succeeded", { code: "foundQuestions", params: { questions: 0 } });
  claim.report({ code: "findingQuestions" });
  if (onboarding.isReading) throw new PutDown(secondsBetweenLooks);
  let { candidates, questions, version } = onboarding;
  try {
    if (!candidates) {
      candidates = await propose(context, onboarding);
      version = await keep(context, { ...onboarding, candidates, version });
      endSlice(context);
    }
    while (questions.length < wanted) {
      const [candidate, ...rest] = candidates;
      if (!candidate) break;
      if (onboarding.createdBy) await takeTurn(context, { ...onboarding, apiKeyId: null });
      const found = await ask(context, onboarding, candidate);
      candidates = rest;
      if (found) questions = [...questions, found];
      version = await keep(context, { ...onboarding, candidates, questions, version });
      endSlice(context);
    }
  } catch (error) {
    if (!refusesAnswers(error)) throw error;
    return await claim.end("stopped", { code: "stopped", error: error.message });
  }
  await claim.end(
    "succeeded",
    { code: "foundQuestions", params: { questions: questions.length } },
    async (tx) => {
      // The suggestions shown in the chat. Prompts that the team has written itself stay.
      await tx`
      update public.agents set suggested_prompts = ${questions.map(({ question }) => question)}
       where team_id = ${onboarding.teamId} and id = ${onboarding.agentId} and suggested_prompts = '{}'
         and ${questions.length > 0}`;
    },
  );
}

async function readOnboarding({ claim }: StepContext): Promise<Onboarding | undefined> {
  const [row] = await claim.read(
    (tx) => tx<(Omit<Onboarding, "agent"> & { agent: AnsweringAgent | null })[]>`
      select o.team_id, o.knowledge_id, o.agent_id, o.created_by, o.candidates, o.questions,
             private.answering_agent(o.agent_id) as agent, k.status in ('queued', 'indexing') as is_reading,
             o.xmin::text as version
        from public.onboardings o join public.knowledges k on k.team_id = o.team_id and k.id = o.knowledge_id
       where o.team_id = ${claim.task.teamId}`,
  );
  return row?.agent ? { ...row, agent: row.agent } : undefined;
}

/** Proposes the model's questions first, if there is a model. Questions that were already tried are left out. */
async function propose(
  { claim }: StepContext,
  { teamId, knowledgeId, agentId, agent, questions }: Onboarding,
): Promise<Candidate[]> {
  const { passages, tables } = await claim.read(async (tx) => ({
    passages: await tx<Passage[]>`
      with read as (
        select d.id, d.title from public.documents d
          join public.document_indexes i on i.team_id = d.team_id and i.document_id = d.id
         where i.team_id = ${teamId} and i.knowledge_id = ${knowledgeId} and i.chunks_count > 0
         order by d.id limit ${mostDocuments})
      select c.document_id, r.title, c.heading, c.content
        from read r join public.chunks c on c.team_id = ${teamId} and c.knowledge_id = ${knowledgeId} and c.document_id = r.id
       where c.position < ${mostPassages} order by c.document_id, c.position`,
    tables: await tx<Table[]>`
      select t.document_id, array(select one ->> 'name' from jsonb_array_elements(t.columns) one) as columns,
             (select jsonb_agg(to_jsonb(r.cells) order by r.position) from public.table_rows r
               where r.team_id = t.team_id and r.table_id = t.id and r.position < 5) as rows
        from public.document_tables t
       where t.team_id = ${teamId} and t.knowledge_id = ${knowledgeId} and t.rows_count > 0
       order by t.document_id, t.position limit ${mostTables}`,
  }));
  const models = teamModels(agent.models, { teamId, agentId, channel });
  try {
    const model = agent.model || models.inUse.chat;
    const written = await questionsFromModel(models, { passages, model, signal: claim.signal });
    const found = candidatesIn(
      passages,
      tables.filter(({ rows }) => rows),
      mostTried,
    );
    const known = new Set(questions.map(({ question }) => question));
    return [...written, ...found].filter(({ question }) => !known.has(question)).slice(0, mostTried);
  } finally {
    await models.settle();
  }
}

/** The agent's answer; undefined when there is none, or when it says anything but what the document states. */
async function ask(
  { claim }: StepContext,
  { agent }: Onboarding,
  candidate: Candidate,
): Promise<Found | undefined> {
  const { question } = candidate;
  const found: Found = { question, answer: "", citations: [] };
  let isAnswered = false;
  try {
    for await (const event of answer({ agent, channel, history: [], question, signal: claim.signal })) {
      if (event.type === "delta") found.answer += event.text;
      else if (event.type === "citations") found.citations = event.citations;
      else if (event.type === "end")
        isAnswered = event.support?.state === "answered" && event.suggestions.length === 0;
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return isAnswered && answersCandidate(candidate, found) ? found : undefined;
}

/** @returns the row's new version @throws PutDown when the row was written meanwhile: the next turn reads it */
async function keep(
  { claim }: StepContext,
  { teamId, candidates, questions, version }: Onboarding,
): Promise<string> {
  return await claim.achieve(async (tx) => {
    const [kept] = await tx<{ version: string }[]>`
      update public.onboardings set candidates = ${tx.json(candidates)}, questions = ${tx.json(questions)}
       where team_id = ${teamId} and xmin::text = ${version} returning xmin::text as version`;
    if (!kept) throw new PutDown();
    return kept.version;
  });
}
