// Tests of agents: adding, running and overruling.
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, newMember, newPerson, newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, until } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { say } from "../support/words.ts";

let team: Team;
let agentId: string;
let document: { id: string; title: string };
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md": "# Leave\n\nEveryone has 27 days of paid leave per calendar year.\n",
    "garage.md": "# Garage\n\nBicycles are parked in the courtyard, and the gate code is 4711.\n",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
  const { body } = await team.owner.get(
    `${team.path}/knowledges/${knowledge.id}/records?query=paid+leave&count=1`,
  );
  document = { id: body.data[0].documentId, title: body.data[0].title };
});
const leave = "How many days of paid leave does everyone have?";
const path = (rest = "", agent = agentId) => `${team.path}/agents/${agent}/tests${rest}`;
const add = async (values: object, agent = agentId) => (await team.owner.post(path("", agent), values)).body;
const another = (values: Record<string, unknown> = {}) => newAgent(team, values);

/** A run from its start to its end. */
async function run(agent = agentId, body: object = {}, as = team.owner) {
  const begun = await as.post(path("/runs", agent), body);
  expect(begun.status).toBe(202);
  return await waitForEnd(begun.body.runId, agent);
}
const waitForEnd = async (runId: string, agent: string) =>
  await until(
    async () => (await team.owner.get(path(`/runs/${runId}`, agent))).body,
    ({ status }) => !["queued", "running"].includes(status),
  );

describe("a stopped run", () => {
  test("keeps its results, allows another run, and is stopped only by the team's editors", async () => {
    const agent = await another();
    const questions = Array.from({ length: 120 }, (_, n) => `Question ${n}?,fact`).join("\n");
    await team.owner.post(path("/import", agent), { csv: `question,facts\n${questions}\n` });
    const { runId, taskId } = (await team.owner.post(path("/runs", agent), {})).body;
    const stop = path(`/runs/${runId}/stop`, agent);
    const viewer = await newMember(team, "viewer");
    expect((await viewer.post(stop, {})).status).toBe(403);
    expect((await (await newPerson()).post(stop, {})).status).toBe(404);
    expect((await team.owner.post(path(`/runs/${crypto.randomUUID()}/stop`, agent), {})).status).toBe(404);
    expect((await team.owner.post(path("/runs", agent), {})).status).toBe(409);
    await until(
      async () => (await team.owner.get(path(`/runs/${runId}`, agent))).body,
      ({ done }) => done > 0,
    );
    expect(await team.owner.post(stop, {})).toMatchObject({ status: 202, body: { taskId } });
    const stopped = await waitForEnd(runId, agent);
    expect(stopped).toMatchObject({ status: "stopped", total: 120, error: null });
    expect(stopped.done).toBeLessThan(120);
    const answered = stopped.results.filter(({ verdict }: { verdict: string | null }) => verdict !== null);
    expect(answered).toHaveLength(stopped.done);
    const again = await team.owner.post(stop, {});
    expect(again).toMatchObject({ status: 409, body: { details: [{ code: "testRunOver" }] } });
    const next = await team.owner.post(path("/runs", agent), {});
    expect(next.status).toBe(202);
    await team.owner.post(path(`/runs/${next.body.runId}/stop`, agent), {});
    expect(await waitForEnd(next.body.runId, agent)).toMatchObject({ status: "stopped" });
  });
});

describe("a test", () => {
  test("holds a question and what a good answer contains, and can be changed and deleted", async () => {
    const agent = await another();
    const made = await team.owner.post(path("", agent), {
      question: leave,
      facts: ["27 days"],
      expectedDocumentId: document.id,
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        question: leave,
        facts: ["27 days"],
        expectedDocumentId: document.id,
        expectedTitle: "leave.md",
        mustRefuse: false,
      },
    });
    expect(made.body.author).toMatchObject({ name: "Test Owner" });
    const one = path(`/${made.body.id}`, agent);
    expect((await team.owner.get(one)).body).toEqual(made.body);
    const put = await team.owner.put(one, { facts: ["27"], expectedDocumentId: null });
    expect(put).toMatchObject({
      status: 200,
      body: { facts: ["27"], expectedDocumentId: null, expectedTitle: null },
    });
    expect((await team.owner.get(path("?question=PAID", agent))).body).toMatchObject({
      total: 1,
      data: [{ id: made.body.id }],
    });
    expect((await team.owner.delete(one)).status).toBe(204);
    expect((await team.owner.delete(one)).status).toBe(404);
  });

  test.each([
    ["no expectation", { question: leave }, "facts", "testExpectsNothing"],
    [
      "a refusal with a fact",
      { question: leave, facts: ["27"], mustRefuse: true },
      "mustRefuse",
      "testRefusesAndExpects",
    ],
    ["no question", { facts: ["27"] }, "question", "required"],
    ["a blank question", { question: " ", facts: ["27"] }, "question", undefined],
    ["a fact of 501 characters", { question: leave, facts: ["x".repeat(501)] }, "facts.0", "tooLong"],
  ])("is refused with %s", async (_, body, field, code) => {
    const answer = await team.owner.post(path(), body);
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path: field, ...(code ? { code } : {}) }] },
    });
  });

  test("rejects another team's document", async () => {
    const other = await newTeam();
    const foreign = await newAgent(other);
    const answer = await other.owner.post(`${other.path}/agents/${foreign}/tests`, {
      question: leave,
      expectedDocumentId: document.id,
    });
    expect(answer.status).toBe(400);
    expect((await other.owner.get(path())).status).toBe(404);
    expect((await anyone.get(path())).status).toBe(401);
  });

  test("is read by members and written by editors", async () => {
    const viewer = await newMember(team, "viewer");
    const { id } = await add({ question: "Seen?", facts: ["yes"] }, await another());
    expect((await viewer.get(path())).status).toBe(200);
    expect((await viewer.post(path(), { question: leave, facts: ["27"] })).status).toBe(403);
    expect((await viewer.post(path("/runs"), {})).status).toBe(403);
    expect((await viewer.post(path("/import"), { csv: "question\n" })).status).toBe(403);
    expect((await (await newPerson()).get(path(`/${id}`))).status).toBe(404);
  });

  test("is created from a reply in one call by those who may read the reply", async () => {
    const agent = await another({
      knowledgeIds: (await team.owner.get(`${team.path}/agents/${agentId}`)).body.knowledgeIds,
    });
    const viewer = await newMember(team, "viewer");
    const chat = (await viewer.post(`/v1/agents/${agent}/chats`, {})).body.id;
    const { reply } = (await viewer.post(`/v1/chats/${chat}/messages`, { content: leave })).body;
    const made = await team.owner.post(path("", agent), { messageId: reply.id });
    expect(made).toMatchObject({
      status: 201,
      body: { question: leave, facts: [], expectedTitle: "leave.md", mustRefuse: false },
    });
    const refused = (
      await viewer.post(`/v1/chats/${chat}/messages`, { content: "Which planet is the largest?" })
    ).body;
    expect((await team.owner.post(path("", agent), { messageId: refused.reply.id })).body).toMatchObject({
      mustRefuse: true,
    });
    // A custom role: an editor who may not read everyone's chats.
    const role = (
      await team.owner.post("/v1/roles", {
        teamId: team.id,
        codename: `builder-${crypto.randomUUID().slice(0, 8)}`,
        name: "Builder",
        permissions: ["team.read", "agents.read", "agents.write", "sources.read", "chats.write"],
      })
    ).body;
    const builder = await newMember(team, role.id);
    expect((await builder.post(path("", agent), { messageId: reply.id })).status).toBe(404);
    expect((await builder.post(path("", agent), { question: "Own?", facts: ["x"] })).status).toBe(201);
    // A reply of another agent is not found here.
    expect((await team.owner.post(path("", await another()), { messageId: reply.id })).status).toBe(404);
  });
});

describe("a CSV file", () => {
  test("adds valid rows and reports every invalid one by line", async () => {
    const agent = await another();
    const csv = [
      "question,facts,document,mustRefuse",
      `${leave},27 days,leave.md,`,
      '"Two facts?","one\ntwo",,no',
      "Nothing expected?,,,",
      ",a fact,,",
      "Which planet?,,,yes",
      "Both?,a fact,,yes",
      "No such document?,,nowhere.md,",
      "Perhaps?,a fact,,perhaps",
    ].join("\r\n");
    const { status, body } = await team.owner.post(path("/import", agent), { csv });
    expect(status).toBe(200);
    expect(body.added).toBe(3);
    expect(body.refused.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
      [5, "testExpectsNothing"],
      [6, "required"],
      [8, "testRefusesAndExpects"],
      [9, "testNoDocument"],
      [10, "testYesOrNo"],
    ]);
    const out = await team.owner.get(path("/export", agent));
    expect(out.headers.get("content-type")).toContain("text/csv");
    // An export can be imported again.
    const copy = await another();
    const again = await team.owner.post(path("/import", copy), { csv: out.text });
    expect(again.body).toEqual({ added: 3, unchanged: 0, refused: [] });
    const plain = (tests: Record<string, unknown>[]) =>
      tests.map(({ question, facts, expectedTitle, mustRefuse }) => ({
        question,
        facts,
        expectedTitle,
        mustRefuse,
      }));
    const [first, second] = [await team.owner.get(path("", agent)), await team.owner.get(path("", copy))];
    expect(plain(second.body.data)).toEqual(plain(first.body.data));
  });

  test("adds one test of each question, however often it is imported", async () => {
    const agent = await another();
    const csv =
      'question,facts,mustRefuse\nHow many?,"27\none",\n"Two\nlines?",,yes\n How many? ,"27\none",\n';
    const send = (text: string) => team.owner.post(path("/import", agent), { csv: text });
    expect((await send(csv)).body).toEqual({ added: 2, unchanged: 1, refused: [] });
    const exported = (await team.owner.get(path("/export", agent))).text;
    // A spreadsheet saves line ends of its own.
    for (const text of [csv, exported, exported.replace("Two\nlines?", "Two\r\nlines?")])
      expect((await send(text)).body).toMatchObject({ added: 0, refused: [] });
    const both = await Promise.all([
      send("question,facts\nAt once?,a\n"),
      send("question,facts\nAt once?,a\n"),
    ]);
    expect(both.map(({ body }) => body.added).sort()).toEqual([0, 1]);
    // Somebody may have changed the test meanwhile, so a file does not overwrite it.
    const other = await send("question,facts\nHow many?,28\n");
    expect(other.body).toMatchObject({ added: 0, unchanged: 0, refused: [{ line: 2, code: "testDiffers" }] });
    const { data } = (await team.owner.get(path("", agent))).body;
    expect(
      data.map(({ question, facts }: { question: string; facts: string[] }) => [question, facts]),
    ).toEqual([
      ["How many?", ["27", "one"]],
      ["Two\nlines?", []],
      ["At once?", ["a"]],
    ]);
  });

  test("is refused as a whole when malformed, and is exported without formulas", async () => {
    const agent = await another();
    for (const csv of ['question,facts\n"open', "a,b\n1,2\n"])
      expect((await team.owner.post(path("/import", agent), { csv })).body).toMatchObject({
        added: 0,
        refused: [{ line: 1, code: "testsUnreadable" }],
      });
    await add({ question: "＝1+1", facts: ["+2"] }, agent);
    const { text } = await team.owner.get(path("/export", agent));
    expect(text).toContain(`"'＝1+1","'+2"`);
    expect((await team.owner.post(path("/import", agent), { csv: text })).body.unchanged).toBe(1);
    const copy = await another();
    expect((await team.owner.post(path("/import", copy), { csv: text })).body.added).toBe(1);
    expect((await team.owner.get(path("", copy))).body.data[0]).toMatchObject({
      question: "＝1+1",
      facts: ["+2"],
    });
  });
});

describe("a run", () => {
  test("reports which tests pass as the live version, and names what breaks", async () => {
    const knowledgeIds = (await team.owner.get(`${team.path}/agents/${agentId}`)).body.knowledgeIds;
    const agent = await another({ knowledgeIds });
    await add({ question: leave, facts: ["27 days"], expectedDocumentId: document.id }, agent);
    await add({ question: leave, facts: ["31 days"] }, agent);
    await add({ question: "Which planet is the largest of all?", mustRefuse: true }, agent);
    const done = await run(agent);
    expect(done).toMatchObject({
      status: "succeeded",
      versionNumber: 1,
      liveVersionId: null,
      total: 3,
      done: 3,
      passed: 2,
      failed: 1,
      broken: 1,
      fixed: 0,
    });
    expect(
      done.results.map(({ verdict, change }: { verdict: string; change: string | null }) => [
        verdict,
        change,
      ]),
    ).toEqual([
      ["failed", "broken"],
      ["passed", null],
      ["passed", null],
    ]);
    expect(done.results[0].answer).toContain("27 days");
    // A person overrules it; who and when is stored, and it holds until the answer changes.
    const result = path(`/runs/${done.id}/results/${done.results[0].id}`, agent);
    const viewer = await newMember(team, "viewer");
    expect((await viewer.put(result, { overruled: "passed" })).status).toBe(403);
    expect(await team.owner.put(result, { overruled: "passed" })).toMatchObject({
      status: 200,
      body: { verdict: "failed", overruled: "passed", overruler: { name: "Test Owner" }, change: null },
    });
    const again = await run(agent);
    expect(again).toMatchObject({ passed: 3, failed: 0, broken: 0 });
    expect(
      again.results.filter(({ overruled }: { overruled: string }) => overruled === "passed"),
    ).toHaveLength(1);
    expect((await team.owner.get(path("/runs", agent))).body).toMatchObject({
      total: 2,
      data: [{ id: again.id, total: 3, passed: 3 }, { id: done.id }],
    });
  });

  test("reports a deleted expected document without failing the test", async () => {
    const knowledge = await newKnowledge(team, {
      "gate.md": "The gate code of the courtyard is 4711 for everyone.",
    });
    const agent = await another({ knowledgeIds: [knowledge.id] });
    const records = (await team.owner.get(`${team.path}/knowledges/${knowledge.id}/records?query=gate+code`))
      .body.data;
    const { documentId, sourceId } = records[0];
    const made = await add({ question: "What is the gate code?", expectedDocumentId: documentId }, agent);
    expect((await team.owner.delete(`${team.path}/sources/${sourceId}/documents/${documentId}`)).status).toBe(
      204,
    );
    expect((await team.owner.get(path(`/${made.id}`, agent))).body).toMatchObject({
      expectedDocumentId: null,
      expectedTitle: "gate.md",
    });
    expect(await run(agent)).toMatchObject({
      failed: 0,
      documentDeleted: 1,
      results: [{ verdict: "documentDeleted" }],
    });
  });

  test("runs alone per agent, on its own versions, with the requester's rights", async () => {
    const agent = await another();
    await add({ question: leave, facts: ["27"] }, agent);
    const both = await Promise.all([
      team.owner.post(path("/runs", agent), {}),
      team.owner.post(path("/runs", agent), {}),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    const begun = both.find(({ status }) => status === 202)?.body;
    await waitForEnd(begun.runId, agent);
    const foreign = (await team.owner.get(`${team.path}/agents/${agentId}/versions`)).body.data[0];
    expect((await team.owner.post(path("/runs", agent), { versionId: foreign.id })).status).toBe(404);
    const tasks = (await team.owner.get(`${team.path}/tasks?perPage=100`)).body.data;
    const task = tasks.find(({ id }: { id: string }) => id === begun.taskId);
    expect(task).toMatchObject({ type: "agentTests", status: "succeeded", message: "Ran 1 test" });
  });

  test("ends with the reason for a key whose maker has left the team", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `How many days of leave has person ${at}?,27 days`);
    const agent = await newAgent(team, { name: "Of a key" });
    const tests = `${team.path}/agents/${agent}/tests`;
    await team.owner.post(`${tests}/import`, { csv: ["question,facts", ...rows].join("\n") });
    const maker = await newMember(team, "admin");
    const made = await maker.post(`${team.path}/apiKeys`, { name: "CI", roleId: systemRoleIds.editor });
    const started = await as(made.body.key).post(`${tests}/runs`, {});
    expect(started.status).toBe(202);
    await team.owner.delete(`/v1/teamUsers/${team.id}/users/${maker.id}`);
    const task = await until(
      async () => (await team.owner.get(`${team.path}/tasks?taskId=${started.body.taskId}`)).body.data[0],
      ({ status }) => ["succeeded", "failed"].includes(status),
    );
    expect(task).toMatchObject({ status: "failed", error: say("problems:sentences.testsByNobody") });
  });
});
