// Runs an agent's tests: each question is answered by the version under test and, for a draft, by the live version, then judged and
// stored before the next one, so that a takeover resumes after the last stored answer. Reads knowledge bases as the person who
// started the run, and stops when that person loses access.
import { asCaller, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { readStoredModels, readTeamModels } from "../../_shared/models/team-models.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { type AnsweringAgent, readSpaces } from "../../answering/agent.ts";
import { answer } from "../../answering/answer.ts";
import { judgeFindings } from "../../testing/judge.ts";
import { type Answered, type Expectation, findingsOf, verdictOf } from "../../testing/verdict.ts";
import type { AgentSettings } from "../../v1/agent-versions/schema.ts";
import { claimsOf, isRevoked, isUnreadable, mayTest, refusesAnswers, takeTurn } from "./answer-turns.ts";
import { endSlice, type StepContext } from "./context.ts";

type Run = {
  id: string;
  teamId: string;
  agentId: string;
  total: number;
  createdBy: string | null;
  apiKeyId: string | null;
  settings: AgentSettings;
  /** Null when the run tests the live version itself. */
  liveSettings: AgentSettings | null;
};

type Open = Expectation & { id: string; testId: string | null; isLive: boolean };

/** The channel that the cost of tests is recorded under. */
const channel = "tests";
const gone = sentenceOf("testsByNobody");

/** @throws PutDown, ModelError, ClaimLost and the signal's reason, as every step */
export async function runAgentTests(context: StepContext): Promise<void> {
  const { claim } = context;
  claim.signal.throwIfAborted();
  const run = await claim.read((tx) => readRun(tx, claim.task.id));
  // The agent was deleted, and the run with it.
  if (!run) return await claim.end("succeeded", { code: "tested", params: { tests: 0 } });
  const claims = claimsOf(run);
  for (let open = await nextOpen(context, run); open; open = await nextOpen(context, run)) {
    if (!claims || !(await mayTest(claims, run.teamId)))
      return await claim.end("failed", { code: "failed", error: gone });
    await takeTurn(context, run);
    try {
      await keep(context, run, open, await ask(context, run, claims, open));
    } catch (error) {
      if (isRevoked(error)) return await claim.end("failed", { code: "failed", error: gone });
      if (!refusesAnswers(error)) throw error;
      return await claim.end("stopped", { code: "stopped", error: error.message });
    }
    endSlice(context);
  }
  await claim.end("succeeded", { code: "tested", params: { tests: run.total } });
}

async function readRun(tx: Transaction, taskId: string): Promise<Run | undefined> {
  const [run] = await tx<Run[]>`
    update public.agent_test_runs r set status = 'running'
      from public.agent_versions v
     where r.task_id = ${taskId} and v.team_id = r.team_id and v.id = r.version_id
    returning r.id, r.team_id, r.agent_id, r.total, r.created_by, r.api_key_id,
              private.usable_settings(r.team_id, v.settings) as settings,
              (select private.usable_settings(r.team_id, l.settings) from public.agent_versions l
                where l.team_id = r.team_id and l.id = r.live_version_id) as live_settings`;
  return run;
}

/** The next question that a version has not answered yet. */
async function nextOpen({ claim }: StepContext, run: Run): Promise<Open | undefined> {
  const [open] = await claim.read(
    (tx) => tx<Open[]>`
      select e.id, e.test_id, e.question, e.facts, e.expected_document_id, e.expected_title, e.must_refuse,
             e.verdict is not null as is_live
        from public.agent_test_results e
       where e.team_id = ${run.teamId} and e.run_id = ${run.id}
         and (e.verdict is null or (${run.liveSettings !== null} and e.live_verdict is null))
       order by e.position limit 1`,
  );
  return open;
}

async function ask(
  { claim }: StepContext,
  run: Run,
  claims: Claims,
  { question, isLive }: Open,
): Promise<Answered> {
  const settings = (isLive ? run.liveSettings : null) ?? run.settings;
  const { knowledgeIds } = settings;
  const spaces = await asCaller(claims, (tx) => readSpaces(tx, knowledgeIds));
  const agent: AnsweringAgent = {
    id: run.agentId,
    name: settings.name,
    instructions: settings.instructions,
    model: settings.model,
    temperature: settings.temperature,
    retrievalTopK: settings.retrieval.topK,
    retrievalMinScore: settings.retrieval.minScore,
    retrievalMode: settings.retrieval.mode,
    knowledgeIds,
    spaces,
    greeting: settings.greeting,
    suggestedPrompts: settings.suggestedPrompts,
    unsupportedClaims: settings.unsupportedClaims,
    teamId: run.teamId,
    models: await readStoredModels(run.teamId),
  };
  const answered: Answered = { text: "", citedDocumentIds: [], unanswered: false };
  const trial = { claims, settings: { knowledgeIds }, spaces };
  try {
    for await (const event of answer({
      agent,
      channel,
      trial,
      history: [],
      question,
      signal: claim.signal,
    })) {
      if (event.type === "delta") answered.text += event.text;
      else if (event.type === "citations")
        answered.citedDocumentIds = event.citations.map(({ documentId }) => documentId);
      else if (event.type === "end") answered.unanswered = event.unanswered;
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return answered;
}

/** Judges an answer and stores it. A person's verdict on the same answer to the same test overrides the judge. */
async function keep({ claim }: StepContext, run: Run, open: Open, answered: Answered): Promise<void> {
  const models = await readTeamModels({ teamId: run.teamId, agentId: run.agentId, channel });
  const findings = await judgeFindings(models, open, answered, {
    literal: findingsOf(open, answered),
    signal: claim.signal,
  });
  const verdict = verdictOf(open, findings);
  await claim.achieve(async (tx) => {
    if (open.isLive) {
      await tx`
        update public.agent_test_results
           set live_answer = ${answered.text}, live_verdict = ${verdict}, live_findings = ${tx.json(findings)}
         where id = ${open.id}`;
    } else {
      await tx`
        update public.agent_test_results e
           set answer = ${answered.text}, verdict = ${verdict}, findings = ${tx.json(findings)},
               overruled = known.overruled, overruled_by = known.overruled_by, overruled_at = known.overruled_at
          from (select) as one
          left join lateral (
            select o.overruled, o.overruled_by, o.overruled_at from public.agent_test_results o
             where o.team_id = ${claim.task.teamId} and o.test_id = ${open.testId} and o.answer = ${answered.text}
               and o.overruled is not null
             order by o.id desc limit 1) known on true
         where e.id = ${open.id}`;
    }
    await tx`
      update public.agent_test_runs r set done = (
        select count(*) from public.agent_test_results e
         where e.run_id = r.id and e.verdict is not null and (r.live_version_id is null or e.live_verdict is not null))
       where r.team_id = ${claim.task.teamId} and r.task_id = ${claim.task.id}`;
    const [count] = await tx<{ done: number; total: number }[]>`
      select done, total from public.agent_test_runs where team_id = ${claim.task.teamId} and task_id = ${claim.task.id}`;
    if (count) claim.report({ ...count, code: "testing" });
  });
}
