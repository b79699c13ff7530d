// Versions of agents: what creates one, drafts, publishing with tests, and restoring.
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, until } from "../support/content.ts";

let team: Team;
let knowledge: { id: string };
beforeAll(async () => {
  team = await newTeam();
  knowledge = await newKnowledge(team, {
    "leave.md": "Everyone has 27 days of paid leave per calendar year.",
  });
});
const leave = "How many days of paid leave does everyone have?";
const at = (agent: string, rest = "") => `${team.path}/agents/${agent}${rest}`;
const versions = async (agent: string) => (await team.owner.get(at(agent, "/versions"))).body.data;
const draftOf = async (agent: string, changes: object) =>
  (await team.owner.post(at(agent, "/versions"), changes)).body;
const waitForEnd = (agent: string, runId: string) =>
  until(
    async () => (await team.owner.get(at(agent, `/tests/runs/${runId}`))).body,
    ({ status }) => !["queued", "running"].includes(status),
  );

describe("a version", () => {
  test("is created by every save that changes something, with its author", async () => {
    const agent = await newAgent(team, { instructions: "One.", knowledgeIds: [knowledge.id] });
    expect(await versions(agent)).toMatchObject([
      {
        number: 1,
        status: "live",
        settings: { instructions: "One.", knowledgeIds: [knowledge.id] },
        author: { name: "Test Owner" },
      },
    ]);
    await team.owner.put(at(agent), { instructions: "Two.", knowledgeIds: [] });
    await team.owner.put(at(agent), { instructions: "Two." });
    const [live, past, ...none] = await versions(agent);
    expect(none).toEqual([]);
    expect(live).toMatchObject({
      number: 2,
      status: "live",
      settings: { instructions: "Two.", knowledgeIds: [] },
    });
    expect(past).toMatchObject({
      number: 1,
      status: "past",
      settings: { instructions: "One.", knowledgeIds: [knowledge.id] },
    });
    expect((await team.owner.get(at(agent, `/versions/${past.id}`))).body).toEqual(past);
  });

  test("is read by members only; editors draft, publish and restore", async () => {
    const agent = await newAgent(team);
    const draft = await draftOf(agent, { name: "Other" });
    const viewer = await newMember(team, "viewer");
    expect((await viewer.get(at(agent, "/versions"))).body.total).toBe(2);
    expect((await viewer.post(at(agent, "/versions"), { name: "X" })).status).toBe(403);
    expect((await viewer.post(at(agent, "/publish"), { versionId: draft.id })).status).toBe(403);
    expect((await viewer.post(at(agent, `/versions/${draft.id}/restore`))).status).toBe(403);
    for (const who of [await newPerson(), anyone])
      expect((await who.get(at(agent, "/versions"))).status).toBe(who === anyone ? 401 : 404);
    expect((await team.owner.get(at(agent))).body.name).not.toBe("Other");
  });

  test("becomes a new version at once when restored", async () => {
    const agent = await newAgent(team, {
      instructions: "One.",
      knowledgeIds: [knowledge.id],
      temperature: 0.7,
    });
    await team.owner.put(at(agent), { instructions: "Two.", knowledgeIds: [], temperature: 1.3 });
    const first = (await versions(agent)).at(-1);
    const restored = await team.owner.post(at(agent, `/versions/${first.id}/restore`));
    expect(restored).toMatchObject({
      status: 201,
      body: { number: 3, status: "live", restoredFrom: 1, settings: { instructions: "One." } },
    });
    expect((await team.owner.get(at(agent))).body).toMatchObject({
      instructions: "One.",
      temperature: 0.7,
      knowledgeIds: [knowledge.id],
    });
    expect(await versions(agent)).toHaveLength(3);
  });

  test("is restored without a deleted knowledge base", async () => {
    const gone = (await team.owner.post(`${team.path}/knowledges`, { name: "Gone" })).body;
    const agent = await newAgent(team, { knowledgeIds: [gone.id, knowledge.id] });
    await team.owner.delete(`${team.path}/knowledges/${gone.id}`);
    const [first] = await versions(agent);
    await team.owner.put(at(agent), { knowledgeIds: [] });
    expect((await team.owner.post(at(agent, `/versions/${first.id}/restore`))).status).toBe(201);
    expect((await team.owner.get(at(agent))).body.knowledgeIds).toEqual([knowledge.id]);
    expect(await versions(agent)).toHaveLength(3);
  });
});

describe("a draft", () => {
  test("changes nothing until it is published, and is published once", async () => {
    const agent = await newAgent(team, { instructions: "One.", retrieval: { topK: 4 } });
    const draft = await draftOf(agent, { instructions: "Draft.", retrieval: { mode: "text" } });
    expect(draft).toMatchObject({
      number: 2,
      status: "draft",
      publishedAt: null,
      settings: { retrieval: { topK: 4, mode: "text" } },
    });
    expect((await team.owner.get(at(agent))).body.instructions).toBe("One.");
    // No tests: it is published at once.
    const done = await team.owner.post(at(agent, "/publish"), { versionId: draft.id });
    expect(done).toMatchObject({
      status: 200,
      body: { id: draft.id, status: "live", publishedDespite: null, publisher: { name: "Test Owner" } },
    });
    expect((await team.owner.get(at(agent))).body).toMatchObject({
      instructions: "Draft.",
      retrieval: { topK: 4, mode: "text" },
    });
    expect(await versions(agent)).toHaveLength(2);
    const again = await team.owner.post(at(agent, "/publish"), { versionId: draft.id });
    expect(again).toMatchObject({ status: 409, body: { details: [{ code: "draftPublished" }] } });
    expect((await team.owner.post(at(agent, "/versions"), { knowledgeIds: [draft.id] })).status).toBe(400);
  });

  test("runs its tests against the live version before publishing; failures block it unless overridden", async () => {
    const agent = await newAgent(team, { knowledgeIds: [knowledge.id] });
    await team.owner.post(at(agent, "/tests"), { question: leave, facts: ["27 days"] });
    await team.owner.post(at(agent, "/tests"), { question: leave, mustRefuse: true });
    const draft = await draftOf(agent, { knowledgeIds: [], instructions: "Empty." });
    const [, live] = await versions(agent);
    const begun = await team.owner.post(at(agent, "/publish"), { versionId: draft.id });
    expect(begun).toMatchObject({
      status: 202,
      body: { runId: expect.any(String), taskId: expect.any(String) },
    });
    const run = await waitForEnd(agent, begun.body.runId);
    expect(run).toMatchObject({
      status: "succeeded",
      versionNumber: 2,
      liveVersionNumber: 1,
      total: 2,
      done: 2,
      broken: 1,
    });
    expect(run.results[0]).toMatchObject({ change: "broken", verdict: "failed", liveVerdict: "passed" });
    expect(run.results[0].liveAnswer).toContain("27 days");
    expect(run.results[0].answer).not.toContain("27 days");
    const refused = await team.owner.post(at(agent, "/publish"), { versionId: draft.id });
    expect(refused).toMatchObject({ status: 409, body: { details: [{ code: "testsBroken" }] } });
    expect((await team.owner.get(at(agent))).body.knowledgeIds).toEqual([knowledge.id]);
    const other = { versionId: draft.id, liveVersionId: draft.id, anyway: true };
    expect((await team.owner.post(at(agent, "/publish"), other)).body.details).toMatchObject([
      { code: "liveVersionChanged" },
    ]);
    const meant = { versionId: draft.id, liveVersionId: live.id, anyway: true };
    expect(await team.owner.post(at(agent, "/publish"), meant)).toMatchObject({
      status: 200,
      body: { status: "live", publishedDespite: 1 },
    });
    expect((await team.owner.get(at(agent))).body.knowledgeIds).toEqual([]);
  });

  test("is refused while a test is undecided, until a person decides it or publishes it on purpose", async () => {
    const agent = await newAgent(team, { knowledgeIds: [knowledge.id] });
    await team.owner.post(at(agent, "/tests"), { question: "Is there a pool?", mustRefuse: true });
    await team.owner.post(at(agent, "/tests"), { question: leave, facts: ["27 days"] });
    const publish = async (draft: { id: string }, more: object = {}) =>
      await team.owner.post(at(agent, "/publish"), { versionId: draft.id, ...more });
    const sql = await owner();
    /** A draft whose last test has these verdicts, as after a run with a judge that did not vote. */
    const judgeRun = async (verdicts: { verdict: string; live_verdict: string }) => {
      const draft = await draftOf(agent, { instructions: crypto.randomUUID() });
      const { runId } = (await publish(draft)).body;
      const { id } = (await waitForEnd(agent, runId)).results.at(-1);
      await sql`update public.agent_test_results set ${sql(verdicts)} where id = ${id}`;
      const { body: run } = await team.owner.get(at(agent, `/tests/runs/${runId}`));
      expect(run.results[0].id, "what blocks it comes first").toBe(id);
      return { draft, result: at(agent, `/tests/runs/${runId}/results/${id}`) };
    };
    const refusal = { status: 409, body: { details: [{ code: "testsUndecided" }] } };
    const meant = await judgeRun({ verdict: "undecided", live_verdict: "failed" });
    expect(await publish(meant.draft)).toMatchObject(refusal);
    expect(await publish(meant.draft, { anyway: true })).toMatchObject({
      status: 200,
      body: { publishedDespite: 0 },
    });

    // It fails, and nobody knows whether the live version passes.
    const failing = await judgeRun({ verdict: "failed", live_verdict: "undecided" });
    expect(await publish(failing.draft)).toMatchObject({ body: { details: [{ code: "testsBroken" }] } });

    // A verdict of a person holds in later runs, so this comes last.
    const unclear = await judgeRun({ verdict: "undecided", live_verdict: "passed" });
    expect(await publish(unclear.draft)).toMatchObject(refusal);
    await team.owner.put(unclear.result, { overruled: "passed" });
    expect(await publish(unclear.draft)).toMatchObject({ status: 200, body: { publishedDespite: null } });
  });

  test("is tested again after a stopped run, or published on purpose", async () => {
    const agent = await newAgent(team);
    const questions = Array.from({ length: 120 }, (_, n) => `Question ${n}?,fact`).join("\n");
    await team.owner.post(at(agent, "/tests/import"), { csv: `question,facts\n${questions}\n` });
    const draft = await draftOf(agent, { instructions: "Other words." });
    const publish = (more: object = {}) =>
      team.owner.post(at(agent, "/publish"), { versionId: draft.id, ...more });
    const stop = async (runId: string) => {
      expect((await team.owner.post(at(agent, `/tests/runs/${runId}/stop`), {})).status).toBe(202);
      expect(await waitForEnd(agent, runId)).toMatchObject({ status: "stopped", total: 120, broken: 0 });
    };
    const first = (await publish()).body.runId;
    await stop(first);
    const again = await publish();
    expect(again).toMatchObject({ status: 202, body: { runId: expect.any(String) } });
    expect(again.body.runId).not.toBe(first);
    expect(await versions(agent)).toMatchObject([{ status: "draft" }, { status: "live" }]);
    await stop(again.body.runId);
    expect(await publish({ anyway: true })).toMatchObject({
      status: 200,
      body: { status: "live", publishedDespite: 0 },
    });
  });

  test("is published after a run without failures; a test changed meanwhile requires another run", async () => {
    const agent = await newAgent(team, { knowledgeIds: [knowledge.id] });
    const made = (await team.owner.post(at(agent, "/tests"), { question: leave, facts: ["27 days"] })).body;
    const draft = await draftOf(agent, { instructions: "Other words." });
    const publish = () => team.owner.post(at(agent, "/publish"), { versionId: draft.id });
    await waitForEnd(agent, (await publish()).body.runId);
    await team.owner.put(at(agent, `/tests/${made.id}`), { facts: ["27"] });
    const again = await publish();
    expect(again.status).toBe(202);
    await waitForEnd(agent, again.body.runId);
    expect((await publish()).status).toBe(200);
  });

  test("is tested again with a restored test that was not in its run", async () => {
    const canteen = await newKnowledge(team, { "canteen.md": "The canteen opens at nine o'clock." });
    const agent = await newAgent(team, { knowledgeIds: [knowledge.id, canteen.id] });
    const addTest = async (question: string, fact: string) =>
      (await team.owner.post(at(agent, "/tests"), { question, facts: [fact] })).body.id as string;
    const broken = await addTest(leave, "27 days");
    await addTest("When does the canteen open?", "nine");
    const passed = await addTest("When is the canteen open?", "nine");
    const draft = await draftOf(agent, { knowledgeIds: [canteen.id] });
    const publish = () => team.owner.post(at(agent, "/publish"), { versionId: draft.id });
    await team.owner.delete(at(agent, `/tests/${broken}`));
    expect(await waitForEnd(agent, (await publish()).body.runId)).toMatchObject({ total: 2, broken: 0 });
    expect((await team.owner.post(at(agent, `/tests/${broken}/restore`), {})).status).toBe(200);
    await team.owner.delete(at(agent, `/tests/${passed}`));
    const again = await publish();
    expect(again).toMatchObject({ status: 202, body: { runId: expect.any(String) } });
    expect(await waitForEnd(agent, again.body.runId)).toMatchObject({ total: 2, broken: 1 });
  });
});
