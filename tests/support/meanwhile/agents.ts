// Refusals of the forms about agents, their versions and tests, and about sources and gaps.
import { askedChat } from "../handovers.ts";
import type { Refused, Stand } from "./stand.ts";

const soon = "An answer that took a while to write.";

/** An agent with a test, a published version, and a run of a draft in which the test passed. */
async function testedDraft(stand: Stand, status = "succeeded") {
  const { sql, team } = stand;
  const agent = await stand.create("/agents", { name: "Tested" });
  const test = await stand.create(`/agents/${agent}/tests`, { question: "How many days?", facts: ["27"] });
  const path = `${team.path}/agents/${agent}`;
  const draft = (await team.owner.post(`${path}/versions`, { instructions: "Be brief." })).body;
  const [live] = await sql`
    select id from public.agent_versions where agent_id = ${agent} and published_at is not null`;
  const [task] = await sql<{ id: string }[]>`
    insert into public.tasks (team_id, type, key, run_after)
    values (${team.id}, 'agentTests', ${`agentTests:${draft.id}`}, now() + interval '1 hour') returning id`;
  const [run] = await sql<{ id: string }[]>`
    insert into public.agent_test_runs
           (team_id, agent_id, version_id, live_version_id, task_id, status, total, done, created_by)
    values (${team.id}, ${agent}, ${draft.id}, ${live?.id}, ${task?.id ?? null}, ${status}, 1, 1, ${team.owner.id})
    returning id`;
  await sql`
    insert into public.agent_test_results
           (team_id, run_id, test_id, position, question, facts, must_refuse, answer, verdict, live_answer, live_verdict)
    values (${team.id}, ${run?.id ?? null}, ${test}, 1, 'How many days?', '{27}', false, '27', 'passed', '27', 'passed')`;
  return {
    agent,
    path,
    draft: draft.id as string,
    run: run?.id,
    task: task?.id,
    page: `${stand.at}/agents/${agent}`,
  };
}

/** The page of a run whose draft passed its tests, from where it is published after the change. */
async function openToPublish(
  stand: Stand,
  change: (draft: Awaited<ReturnType<typeof testedDraft>>) => Promise<unknown>,
) {
  const draft = await testedDraft(stand);
  return {
    page: `${draft.page}/tests/${draft.run}`,
    form: "publish",
    meanwhile: () => change(draft),
  };
}

const versionsAndTests: Refused[] = [
  {
    code: "draftPublished",
    says: "errors:refusals.draftPublished",
    status: 409,
    at: "page",
    open: async (stand) => {
      const { page, path, draft } = await testedDraft(stand);
      return {
        page: `${page}/versions`,
        form: "publish",
        fields: { versionId: draft },
        meanwhile: () => stand.team.owner.post(`${path}/publish`, { versionId: draft, anyway: true }),
      };
    },
  },
  {
    code: "liveVersionChanged",
    says: "errors:refusals.liveVersionChanged",
    status: 409,
    at: "above",
    open: async (stand) =>
      await openToPublish(stand, ({ path }) =>
        stand.team.owner.put(path, { instructions: "Published by somebody else." }),
      ),
  },
  {
    code: "testsBroken",
    says: "errors:refusals.testsBroken",
    status: 409,
    at: "page",
    open: async (stand) =>
      await openToPublish(
        stand,
        ({ run }) =>
          stand.sql`update public.agent_test_results set overruled = 'failed' where run_id = ${run ?? null}`,
      ),
  },
  {
    code: "testsUndecided",
    says: "errors:refusals.testsUndecided",
    status: 409,
    at: "page",
    open: async (stand) =>
      await openToPublish(
        stand,
        ({ run }) =>
          stand.sql`update public.agent_test_results set verdict = 'undecided' where run_id = ${run ?? null}`,
      ),
  },
  {
    code: "testRunOpen",
    says: "errors:refusals.testRunOpen",
    status: 409,
    at: "above",
    open: async (stand) => {
      const { page, run } = await testedDraft(stand);
      return {
        page: `${page}/tests/${run}`,
        form: "again",
        meanwhile: () =>
          stand.sql`insert into public.agent_test_runs (team_id, agent_id, version_id, created_by)
                    select team_id, agent_id, version_id, created_by from public.agent_test_runs where id = ${run ?? null}`,
      };
    },
  },
  {
    code: "testRunOver",
    says: "errors:refusals.testRunOver",
    status: 409,
    at: "page",
    open: async (stand) => {
      const { page, run, task } = await testedDraft(stand, "running");
      return {
        page: `${page}/tests/${run}`,
        form: "stop",
        meanwhile: async () => {
          await stand.sql`update public.tasks set status = 'succeeded', finished_at = now() where id = ${task ?? null}`;
          await stand.sql`
            update public.agent_test_runs set status = 'succeeded', finished_at = now() where id = ${run ?? null}`;
        },
      };
    },
  },
  {
    code: "testsFull",
    says: "errors:refusals.testsFull",
    status: 400,
    at: "above",
    open: async (stand) => {
      const agent = await stand.create("/agents", { name: "Much tested" });
      return {
        page: `${stand.at}/agents/${agent}/tests`,
        form: "add",
        typed: { question: "One too many?", facts: "27" },
        meanwhile: () => stand.sql`
          insert into public.agent_tests (team_id, agent_id, question, facts)
          select ${stand.team.id}, ${agent}, 'Question ' || n, '{fact}' from generate_series(1, 500) n`,
      };
    },
  },
];

/** Rows that are left out of an import are named beside those that were added. */
const refusedImport = (code: "testDiffers" | "testYesOrNo" | "testsUnreadable", csv: string): Refused => ({
  code,
  says: `errors:refusals.${code}`,
  status: 200,
  at: "page",
  open: async (stand) => {
    const agent = await stand.create("/agents", { name: "Imported" });
    return { page: `${stand.at}/agents/${agent}/tests`, form: "import", typed: { csv } };
  },
});

const imports: Refused[] = [
  refusedImport("testDiffers", "question,facts\nWho?,Ann\nWho?,Eve"),
  refusedImport("testYesOrNo", "question,mustRefuse\nWho?,perhaps"),
  refusedImport("testsUnreadable", "something else\nWho?"),
];

const pictures: Refused[] = [
  {
    code: "avatar",
    says: "errors:refusals.avatar",
    status: 422,
    at: "avatar",
    kept: soon,
    open: async (stand) => ({
      page: `${stand.at}/agents/${await stand.create("/agents", { name: "Pictured" })}/appearance`,
      typed: { greeting: soon },
      body: (form) => {
        const sent = new FormData();
        for (const [name, value] of form) sent.set(name, value);
        sent.set("avatar", new File(["No picture."], "picture.png"));
        return sent;
      },
    }),
  },
];

const savedMeanwhile: Refused[] = [
  {
    code: "changedMeanwhile",
    says: "errors:refusals.changedMeanwhile",
    status: 409,
    at: "above",
    open: async (stand) => {
      const agent = await stand.create("/agents", { name: "Of two" });
      return {
        page: `${stand.at}/agents/${agent}`,
        typed: { instructions: "Mine." },
        meanwhile: () => stand.team.owner.put(`${stand.team.path}/agents/${agent}`, { name: "Theirs" }),
      };
    },
  },
  {
    code: "CHANGED_MEANWHILE",
    says: "errors:refusals.changedMeanwhile",
    status: 409,
    at: "above",
    open: async (stand) => {
      const knowledge = await stand.create("/knowledges", { name: "Of two" });
      return {
        page: `${stand.at}/knowledges/${knowledge}`,
        typed: { description: "Mine." },
        meanwhile: () =>
          stand.team.owner.put(`${stand.team.path}/knowledges/${knowledge}`, { description: "Theirs." }),
      };
    },
  },
  {
    code: "NOT_FOUND",
    says: "errors:NOT_FOUND.description",
    status: 404,
    at: "page",
    kept: soon,
    open: async (stand) => {
      const agent = await stand.create("/agents", { name: "Deleted" });
      return {
        page: `${stand.at}/agents/${agent}`,
        typed: { instructions: soon },
        meanwhile: () => stand.team.owner.delete(`${stand.team.path}/agents/${agent}`),
      };
    },
  },
  {
    code: "NOT_FOUND",
    says: "errors:NOT_FOUND.description",
    status: 404,
    at: "page",
    open: async (stand) => {
      const source = await stand.create("/sources", { type: "qa", name: "Deleted" });
      return {
        page: `${stand.at}/sources/${source}`,
        form: "delete",
        meanwhile: () => stand.team.owner.delete(`${stand.team.path}/sources/${source}`),
      };
    },
  },
  {
    code: "notIndexing",
    says: "errors:refusals.notIndexing",
    status: 409,
    at: "page",
    open: async (stand) => {
      const source = await stand.create("/sources", { type: "qa", name: "Synced" });
      await stand.sql`
        insert into public.tasks (team_id, type, key, source_id, run_after)
        values (${stand.team.id}, 'index', ${`index:source:${source}`}, ${source}, now() + interval '1 hour')`;
      return {
        page: `${stand.at}/sources/${source}`,
        form: "stop",
        meanwhile: () => stand.sql`update public.tasks set status = 'succeeded' where source_id = ${source}`,
      };
    },
  },
  {
    code: "entriesFull",
    says: "errors:refusals.entriesFull",
    status: 400,
    at: "above",
    open: async (stand) => {
      const source = await stand.create("/sources", { type: "qa", name: "Full" });
      return {
        page: `${stand.at}/sources/${source}`,
        form: "entry",
        typed: { question: "One too many?", answer: soon },
        // Without the triggers that write a document for each.
        meanwhile: () =>
          stand.sql.begin(async (tx) => {
            await tx`set local session_replication_role = replica`;
            await tx`
              insert into public.qa_entries (team_id, source_id, question, answer)
              select ${stand.team.id}, ${source}, 'Question ' || n, 'Answer' from generate_series(1, 5000) n`;
          }),
      };
    },
  },
];

/** A gap of an agent with a knowledge base, as the indexing tick makes it. */
async function openGap(stand: Stand) {
  const { sql, team } = stand;
  const knowledge = await stand.create("/knowledges", { name: "Soon taken away" });
  const agent = await stand.create("/agents", { name: "Asked", knowledgeIds: [knowledge] });
  const chat = await team.owner.post(`/v1/agents/${agent}/chats`, {});
  const { body } = await team.owner.post(`/v1/chats/${chat.body.id}/messages`, { content: "Where is it?" });
  const [gap] = await sql<{ id: string }[]>`
    insert into public.gaps (team_id, agent_id, reason, questions, people, open_questions)
    values (${team.id}, ${agent}, 'missing', 1, 1, 1) returning id`;
  await sql`
    update public.gap_questions set gap_id = ${gap?.id ?? null}, is_leader = true where message_id = ${body.reply.id}`;
  return { agent, knowledge, page: `${stand.at}/gaps/${gap?.id}` };
}

const answering: Refused[] = [
  {
    code: "gapNoKnowledge",
    says: "errors:refusals.gapNoKnowledge",
    status: 400,
    at: "page",
    kept: soon,
    open: async (stand) => {
      const { agent, page } = await openGap(stand);
      return {
        page,
        form: "answer",
        typed: { answer: soon },
        meanwhile: () => stand.team.owner.put(`${stand.team.path}/agents/${agent}`, { knowledgeIds: [] }),
      };
    },
  },
  {
    code: "gapKnowledge",
    says: "errors:refusals.gapKnowledge",
    status: 400,
    at: "knowledgeId",
    kept: soon,
    open: async (stand) => {
      const { agent, page, knowledge } = await openGap(stand);
      const other = await stand.create("/knowledges", { name: "Given instead" });
      return {
        page,
        form: "answer",
        typed: { answer: soon, knowledgeId: knowledge },
        meanwhile: () =>
          stand.team.owner.put(`${stand.team.path}/agents/${agent}`, { knowledgeIds: [other] }),
      };
    },
  },
  {
    code: "handoverClosed",
    says: "errors:refusals.handoverClosed",
    status: 409,
    at: "page",
    kept: soon,
    open: async (stand) => {
      const agent = await stand.create("/agents", { name: "Handed over", visibility: "public" });
      const { handover } = await askedChat(agent);
      return {
        page: `${stand.at}/handovers/${handover.id}`,
        form: "answer",
        typed: { content: soon },
        meanwhile: () => stand.team.owner.post(`${stand.team.path}/handovers/${handover.id}/close`),
      };
    },
  },
];

export const agentsMeanwhile: Refused[] = [
  ...versionsAndTests,
  ...imports,
  ...pictures,
  ...savedMeanwhile,
  ...answering,
];
