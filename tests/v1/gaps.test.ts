// Questions without a good answer: grouped by meaning, ranked by people, answered by a written entry and asked again.
import { beforeAll, describe, expect, test } from "vitest";
import {
  anyone,
  as,
  type Client,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
} from "../support/api.ts";
import { asVisitor, newAgent, newKnowledge, until } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { say } from "../support/words.ts";

let team: Team;
let knowledgeId: string;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md": "# Leave\n\nEveryone has 27 days of paid leave per calendar year.\n",
  });
  knowledgeId = knowledge.id;
  agentId = await newAgent(team, { knowledgeIds: [knowledgeId], visibility: "public" });
});
const path = (rest = "") => `${team.path}/gaps${rest}`;

async function ask(content: string, as: Client = team.owner, agent = agentId) {
  const chat = await as.post(`/v1/agents/${agent}/chats`, {});
  const who = chat.body.visitorToken ? asVisitor(chat.body.visitorToken) : as;
  const { body } = await who.post(`/v1/chats/${chat.body.id}/messages`, { content });
  return { chatId: chat.body.id as string, reply: body.reply, who };
}
// biome-ignore lint/suspicious/noExplicitAny: answers of the API are read as they come
type Gap = any;
const list = async (query = "", as: Person = team.owner): Promise<Gap[]> =>
  (await as.get(path(`?perPage=100${query}`))).body.data;
/** A question's gap, once it is grouped and has that many questions. */
const gapOf = async (question: string, questions = 1, as: Person = team.owner): Promise<Gap> => {
  const holds = (gap: Gap) =>
    gap.questions >= questions && gap.examples.some((one: Gap) => one.question === question);
  return (
    await until(
      () => list("", as),
      (gaps) => gaps.some(holds),
      60,
    )
  ).find(holds);
};
const waitUntilAskedAgain = (id: string): Promise<Gap> =>
  until(
    async () => (await team.owner.get(path(`/${id}`))).body,
    ({ again }) => again && ["succeeded", "failed", "stopped"].includes(again.status),
    60,
  );

describe("questions", () => {
  test("of one meaning form one gap, ranked by the number of people", async () => {
    const other = await newMember(team, "viewer");
    await ask("Where can I park my bicycle?");
    await ask("Where can I park my bicycle?");
    await ask("Can I park my bicycle somewhere?", other);
    await ask("Where can I park my bicycle?", anyone);
    await ask("Which elephant wears a raincoat?");
    const bicycles = await gapOf("Where can I park my bicycle?", 4);
    const elephants = await gapOf("Which elephant wears a raincoat?");
    expect(bicycles).toMatchObject({
      teamId: team.id,
      agentId,
      agentName: "Agent",
      question: "Where can I park my bicycle?",
      questions: 4,
      people: 3,
      searchedFor: null,
      reason: "missing",
      found: null,
      state: "open",
      entry: null,
      again: null,
    });
    expect(bicycles.examples).toHaveLength(4);
    expect(bicycles.examples[0]).toMatchObject({ cause: "unanswered", again: null, disagreement: [] });
    const ids = (await list("&state=open")).map(({ id }) => id);
    expect(ids.indexOf(bicycles.id)).toBeLessThan(ids.indexOf(elephants.id));
    expect(await list("&state=answered")).toEqual([]);
    expect(await list("&reason=notFound")).toEqual([]);
    expect(await list(`&agentId=${team.id}`)).toEqual([]);
  });

  test("that were answered form none; a thumb down creates one, and undoing it deletes it", async () => {
    const question = "How many days of paid leave does everyone have?";
    const { chatId, reply } = await ask(question);
    expect(reply.support.state).toBe("answered");
    const feedback = `/v1/chats/${chatId}/messages/${reply.id}/feedback`;
    await team.owner.post(feedback, { rating: "down", comment: "Outdated" });
    const gap = await gapOf(question);
    expect(gap.examples[0]).toMatchObject({
      cause: "down",
      comment: "Outdated",
      chatId,
      messageId: reply.id,
    });
    expect((await list("&cause=down")).map(({ id }) => id)).toContain(gap.id);
    expect((await list("&cause=unanswered")).map(({ id }) => id)).not.toContain(gap.id);
    expect(await list("&cause=disagree")).toEqual([]);
    await team.owner.post(feedback, { rating: null });
    expect((await team.owner.get(path(`/${gap.id}`))).status).toBe(404);
  });

  test("of a deleted chat are deleted, and their gap with them", async () => {
    const question = "Who feeds the office unicorn?";
    const { chatId } = await ask(question);
    const gap = await gapOf(question);
    const sql = await owner();
    await sql`delete from public.chats where id = ${chatId}`;
    expect((await team.owner.get(path(`/${gap.id}`))).status).toBe(404);
    expect(await sql`select 1 from public.gap_questions where gap_id = ${gap.id}`).toHaveLength(0);
    expect(await sql`select 1 from public.gaps where id = ${gap.id}`).toHaveLength(0);
  });

  test("that follow others are shown with what was searched for, which an answer takes as its question", async () => {
    const { chatId, reply } = await ask("How many days of paid leave does everyone have?");
    const question = "And for part-timers?";
    const followUp = await team.owner.post(`/v1/chats/${chatId}/messages`, { content: question });
    const { searchedFor, id } = followUp.body.reply;
    expect(searchedFor).toContain("paid leave");
    await team.owner.post(`/v1/chats/${chatId}/messages/${id}/feedback`, { rating: "down" });
    const gap = await gapOf(question);
    expect(gap).toMatchObject({ question, searchedFor, examples: [{ question, searchedFor }] });
    expect(gap.examples[0].messageId).not.toBe(reply.id);
    const made = await team.owner.post(path(`/${gap.id}/answer`), { answer: "13 days.", addTest: false });
    expect(made.body.entry).toMatchObject({ question: searchedFor });
  });

  test("from the playground are ignored", async () => {
    const chat = (await team.owner.post(`/v1/agents/${agentId}/chats`, { channel: "playground" })).body;
    await team.owner.post(`/v1/chats/${chat.id}/messages`, { content: "What about the tried zeppelin?" });
    await ask("What about the real zeppelin?");
    const gap = await gapOf("What about the real zeppelin?");
    expect(gap).toMatchObject({ questions: 1 });
  });

  test("whose text is in another knowledge base count as not found", async () => {
    await newKnowledge(team, {
      "garage.md": "# Garage\n\nThe barrier of the garage opens with the code 4711.\n",
    });
    const question = "What code opens the barrier of the garage?";
    await ask(question);
    expect(await gapOf(question)).toMatchObject({ reason: "notFound", found: { title: "garage.md" } });
  });

  test("are never grouped with another agent's or team's", async () => {
    const question = "Where is the secret volcano?";
    const elsewhere = await newTeam();
    const knowledge = await newKnowledge(elsewhere, { "a.md": "Alpha is the first letter." });
    const theirs = await newAgent(elsewhere, { knowledgeIds: [knowledge.id] });
    const second = await newAgent(team, { knowledgeIds: [knowledgeId] });
    await ask(question);
    await ask(question, team.owner, second);
    await ask(question, elsewhere.owner, theirs);
    await until(
      () => list(),
      (gaps) => gaps.filter((gap) => gap.question === question).length === 2,
    );
    const other = await until(
      async () => (await elsewhere.owner.get(`${elsewhere.path}/gaps`)).body,
      ({ total }) => total === 1,
    );
    expect(other.data[0]).toMatchObject({ questions: 1, agentId: theirs, teamId: elsewhere.id });
  });
});

describe("the answer", () => {
  test("creates an entry and a test, and asks the questions again", async () => {
    const parking = "Is there a canteen for lunch?";
    await ask(parking);
    await ask("Is there a canteen where I can have lunch?", anyone);
    const gap = await gapOf(parking, 2);
    const made = await team.owner.post(path(`/${gap.id}/answer`), {
      answer: "There is a canteen for lunch on the third floor.",
      knowledgeId,
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        gap: { id: gap.id, entry: { answer: "There is a canteen for lunch on the third floor." } },
        entry: { question: parking, owner: { id: team.owner.id } },
        source: { name: expect.stringContaining("Written answers") },
        document: { title: parking },
        test: { question: parking, agentId, expectedTitle: parking },
        taskId: expect.any(String),
        contradictions: [],
      },
    });
    expect(made.body.test.expectedDocumentId).toBe(made.body.document.id);
    const after = await waitUntilAskedAgain(gap.id);
    expect(after).toMatchObject({
      state: "answered",
      questions: 2,
      again: { taskId: made.body.taskId, status: "succeeded", total: 2, done: 2, answered: 2 },
    });
    const { reply } = await ask(parking);
    expect(reply.citations[0].documentId).toBe(made.body.document.id);
    const { data } = (await team.owner.get(`${team.path}/tasks?taskId=${made.body.taskId}`)).body;
    expect(data[0]).toMatchObject({ type: "gaps", message: "2 of 2 answered now" });
    // The next entry for this knowledge base goes into the same source.
    const another = "When does the night bus leave?";
    await ask(another);
    const next = await gapOf(another);
    const second = await team.owner.post(path(`/${next.id}/answer`), {
      answer: "It never does.",
      addTest: false,
    });
    expect(second.body).toMatchObject({ source: made.body.source, test: null });
  });

  test("names a document that it contradicts", async () => {
    const question = "How many days of paid leave per calendar year does everyone get for sabbaticals?";
    const { chatId, reply } = await ask(question);
    await team.owner.post(`/v1/chats/${chatId}/messages/${reply.id}/feedback`, { rating: "down" });
    const gap = await gapOf(question);
    const made = await team.owner.post(path(`/${gap.id}/answer`), {
      question: "How much leave is there?",
      answer: "Everyone has 25 days of paid leave per calendar year.",
    });
    const told = [
      {
        title: "leave.md",
        said: "Everyone has 25 days of paid leave per calendar year.",
        quote: "Everyone has 27 days of paid leave per calendar year.",
      },
    ];
    expect(made.body.contradictions).toMatchObject(told);
    expect((await waitUntilAskedAgain(gap.id)).contradictions).toMatchObject(told);
  });

  test("leaves the gap open when it does not help", async () => {
    const question = "What does the purple lamp in the corridor mean?";
    await ask(question);
    const gap = await gapOf(question);
    await team.owner.post(path(`/${gap.id}/answer`), {
      question: "Tea?",
      answer: "Served at four.",
      addTest: false,
    });
    expect(await waitUntilAskedAgain(gap.id)).toMatchObject({
      state: "open",
      questions: 1,
      again: { status: "succeeded", total: 1, done: 1, answered: 0 },
      examples: [{ again: "open" }],
    });
  });

  test.each([
    ["person", "Which colour has the archive's door?"],
    ["key", "Who waters the tomatoes on Sundays?"],
  ])("of a %s that leaves has no question wait for good", async (kind, question) => {
    const member = await newMember(team, "admin");
    const key = { name: "Answers", roleId: systemRoleIds.editor };
    const author = kind === "key" ? as((await member.post(`${team.path}/apiKeys`, key)).body.key) : member;
    await ask(question);
    const gap = await gapOf(question);
    const answer = "It says so on the board.";
    expect((await author.post(path(`/${gap.id}/answer`), { answer, knowledgeId })).status).toBe(201);
    expect((await team.owner.delete(`/v1/teamUsers/${team.id}/users/${member.id}`)).status).toBe(204);
    const error = say("problems:sentences.askedByNobody");
    expect(await waitUntilAskedAgain(gap.id)).toMatchObject({
      state: "open",
      again: { status: "failed", total: 1, done: 0, answered: 0, error },
      examples: [{ again: null }],
    });
  });

  test.each([
    ["nothing", {}, "answer"],
    ["spaces", { answer: "  " }, "answer"],
    ["a knowledge base that the agent does not have", { answer: "A", knowledgeId: "own" }, "knowledgeId"],
    ["another team's knowledge base", { answer: "A", knowledgeId: "foreign" }, "knowledgeId"],
    ["a day that is over", { answer: "A", expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["an unknown field", { answer: "A", teamId: "x" }, "teamId"],
  ])("is refused with %s, and stores nothing", async (_what, values, field) => {
    const question = "Is there a rooftop pool?";
    await ask(question);
    const gap = await gapOf(question);
    const own = (await team.owner.post(`${team.path}/knowledges`, { name: "Other" })).body.id;
    const other = await newTeam();
    const foreign = (await other.owner.post(`${other.path}/knowledges`, { name: "Theirs" })).body.id;
    const ids: Record<string, string> = { own, foreign };
    const given: Record<string, unknown> = { ...values };
    if (typeof given.knowledgeId === "string") given.knowledgeId = ids[given.knowledgeId];
    const { status, body } = await team.owner.post(path(`/${gap.id}/answer`), given);
    expect({ status, path: body.details[0].path }).toEqual({ status: 400, path: field });
    expect((await team.owner.get(path(`/${gap.id}`))).body).toMatchObject({ entry: null, again: null });
  });
});

describe("a gap", () => {
  test("is dismissed, stays so when asked again, and is reopened", async () => {
    const question = "Does the coffee machine sing?";
    await ask(question);
    const gap = await gapOf(question);
    expect((await team.owner.put(path(`/${gap.id}`), { state: "dismissed" })).body.state).toBe("dismissed");
    await ask(question);
    expect(await gapOf(question, 2)).toMatchObject({ id: gap.id, state: "dismissed" });
    expect((await team.owner.put(path(`/${gap.id}`), { state: "open" })).body.state).toBe("open");
    expect((await team.owner.put(path(`/${gap.id}`), { state: "answered" })).status).toBe(400);
  });

  test("is for readers of everyone's chats, and 404 for others", async () => {
    const question = "Where does the confidential river flow?";
    await ask(question);
    const gap = await gapOf(question);
    const [viewer, editor, stranger] = await Promise.all([
      newMember(team, "viewer"),
      newMember(team, "editor"),
      newPerson(),
    ]);
    const calls = (as: Client) => [
      as.get(path()),
      as.get(path(`/${gap.id}`)),
      as.put(path(`/${gap.id}`), { state: "dismissed" }),
      as.post(path(`/${gap.id}/answer`), { answer: "Nowhere." }),
    ];
    const statuses = async (as: Client) => (await Promise.all(calls(as))).map(({ status }) => status);
    expect(await statuses(viewer)).toEqual([403, 403, 403, 403]);
    expect(await statuses(stranger)).toEqual([404, 404, 404, 404]);
    expect(await statuses((await newTeam()).owner)).toEqual([404, 404, 404, 404]);
    expect(await statuses(anyone)).toEqual([401, 401, 401, 401]);
    expect((await editor.get(path(`/${gap.id}`))).status).toBe(200);
    // A writer of answers who reads only their own chats finds no gap to answer.
    const role = await team.owner.post("/v1/roles", {
      teamId: team.id,
      name: "Writers",
      permissions: [
        "team.read",
        "agents.read",
        "agents.write",
        "knowledges.read",
        "knowledges.write",
        "sources.read",
        "sources.write",
        "chats.write",
      ],
    });
    const writer = await newMember(team, "viewer");
    await team.owner.put(`/v1/teamUsers/${team.id}/users/${writer.id}`, { roleId: role.body.id });
    expect((await writer.get(path())).status).toBe(403);
    expect((await writer.post(path(`/${gap.id}/answer`), { answer: "Nowhere." })).status).toBe(404);
    const elsewhere = await newTeam();
    expect((await elsewhere.owner.get(`${elsewhere.path}/gaps/${gap.id}`)).status).toBe(404);
    expect(
      (await elsewhere.owner.post(`${elsewhere.path}/gaps/${gap.id}/answer`, { answer: "Ours." })).status,
    ).toBe(404);
  });
});
