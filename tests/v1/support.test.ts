// How far passages support a reply, in every protocol: the handlers run in this process with a model provider whose replies and verdicts
// the test scripts.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { asVisitor, newAgent, newKnowledge, openStream } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import type { OpenAiFake } from "../support/fakes/openai.ts";
import { type HandlersStand, startHandlers } from "../support/handlers-stand.ts";
import { say } from "../support/words.ts";

const question = "How many days of paid leave do new employees get, and who leads sales?";
let stand: HandlersStand;
let fake: OpenAiFake;
let team: Team;
let knowledgeId: string;
let agentId: string;
beforeAll(async () => {
  stand = await startHandlers();
  ({ fake } = stand);
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md":
      "New employees get 27 days of paid leave per year. Marie Dupont leads sales. Paid leave is not carried over to the next year.",
  });
  knowledgeId = knowledge.id;
  agentId = await newAgent(team, { knowledgeIds: [knowledgeId], retrieval: { mode: "text" } });
});
afterAll(() => stand?.stop());
beforeEach(() => {
  fake.requests.length = 0;
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

const isJudging = (body: Record<string, unknown>) =>
  JSON.stringify(body.messages).includes("check numbered claims");
const judgings = () => fake.requests.filter(({ body }) => isJudging(body)).length;

async function call<T>(path: string, body?: unknown, Accept = "application/json"): Promise<T> {
  const response = await stand.call(team.owner.token, path, body, { Accept });
  return (await response.json()) as T;
}

type Reply = {
  content: string;
  citations: unknown[];
  usage: { promptTokens: number };
  support: { state: string; claims: Record<string, unknown>[]; disagreement: unknown[] } | null;
};

/** The stored reply with this text and this verdict of the judge. */
async function replyTo(says: string, judge: string, agent = agentId) {
  fake.reply = (body) => (isJudging(body) ? judge : says);
  const { id } = await call<{ id: string }>(`/agents/${agent}/chats`, {});
  const { reply } = await call<{ reply: Reply }>(`/chats/${id}/messages`, { content: question });
  const { data } = await call<{ data: Reply[] }>(`/chats/${id}/messages`);
  expect(data.map(({ support }) => support)).toEqual([null, reply.support]);
  return reply;
}

describe("a reply's support", () => {
  test.each([
    ["a wrong number", "They get 28 days [1].", "value"],
    ["a wrong name", "The sales team is led by Jean Martin [1].", "name"],
    ["a negation", "New employees do not get 27 days of paid leave per year [1].", "negation"],
    ["the other sign", "Paid leave is carried over to the next year [1].", "negation"],
  ])("marks %s by its text, without the judge", async (_what, says, reason) => {
    const { support, content } = await replyTo(says, "1: yes");
    expect(support).toEqual({
      state: "notFound",
      claims: [
        {
          text: says.replace(" [1].", ""),
          supported: false,
          citations: [1],
          reason,
          end: expect.any(Number),
        },
      ],
      disagreement: [],
    });
    expect(content).toBe(says);
    expect(judgings()).toBe(0);
  });

  test("needs no judge for a literal quote", async () => {
    const { support } = await replyTo("New employees get 27 days of paid leave per year. [1]", "1: no");
    expect(support).toMatchObject({ state: "answered", claims: [{ supported: true, citations: [1] }] });
    expect(judgings()).toBe(0);
  });

  test("asks the judge about paraphrases, in one call, and counts its tokens", async () => {
    const says = "Starters have 27 days off [1]. Sales are headed by Marie Dupont [1].";
    const right = await replyTo(says, "1: yes\n2: yes");
    expect(right.support).toMatchObject({
      state: "answered",
      claims: [{ supported: true }, { supported: true }],
    });
    expect(judgings()).toBe(1);
    expect(right.usage.promptTokens).toBe(22);
    const partly = await replyTo(says, "1: yes\n2: no");
    expect(partly.support).toMatchObject({
      state: "partly",
      claims: [{ supported: true }, { supported: false, reason: "judge" }],
    });
  });

  test("is unchecked when the judge is malformed or fails, and the reply is complete anyway", async () => {
    const says = "Starters have 27 days off [1].";
    const malformed = await replyTo(says, "I would rather not say.");
    expect(malformed).toMatchObject({
      content: says,
      status: "complete",
      support: { state: "unchecked", claims: [{ supported: null }] },
    });
    fake.next({ how: "well" }, { how: "status", status: 400 });
    expect(await replyTo(says, "1: yes")).toMatchObject({
      content: says,
      status: "complete",
      support: { state: "unchecked" },
    });
  });

  test("is partly when the reply names what it did not find, and notFound without citations", async () => {
    const says = "New employees get 27 days of paid leave per year. [1] I found nothing about sales.";
    expect((await replyTo(says, "")).support).toMatchObject({
      state: "partly",
      claims: [{ supported: true }],
    });
    expect((await replyTo("I do not know.", "")).support).toEqual({
      state: "notFound",
      claims: [],
      disagreement: [],
    });
  });

  test("reports two documents with different values, both quoted with their dates", async () => {
    const two = await newKnowledge(team, {
      "old.md": "Every new employee gets 25 days of paid leave per year.",
      "new.md": "Every new employee gets 27 days of paid leave per year.",
    });
    const agent = await newAgent(team, { knowledgeIds: [two.id], retrieval: { mode: "text" } });
    const { support } = await replyTo("Every new employee gets 25 days [1][2].", "1: yes", agent);
    expect(support?.state).toBe("disagree");
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    const both = [25, 27].map((days) => ({
      quote: `Every new employee gets ${days} days of paid leave per year.`,
      citation: expect.any(Number),
      date,
    }));
    expect(support?.disagreement).toEqual(expect.arrayContaining(both));

    const tool = { name: "ask_agent", arguments: { agentId: agent, question } };
    const told = await call<{ result: { content: { text: string }[] } }>(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool },
      "application/json, text/event-stream",
    );
    for (const days of [25, 27])
      expect(told.result.content[0]?.text).toMatch(
        new RegExp(
          `\\[\\d\\] “Every new employee gets ${days} days .*” \\(last changed on \\d{4}-\\d\\d-\\d\\d\\)`,
        ),
      );
  });
});

describe("an agent's setting", () => {
  const says = "New employees get 27 days of paid leave per year [1]. Sales are led by Jean Martin [1].";

  test("omits unsupported claims before anybody reads them", async () => {
    const agent = await newAgent(team, {
      knowledgeIds: [knowledgeId],
      retrieval: { mode: "text" },
      unsupportedClaims: "omit",
    });
    const { content, support, citations } = await replyTo(says, "1: yes", agent);
    expect(content).toBe("New employees get 27 days of paid leave per year [1].");
    expect(citations).toHaveLength(1);
    expect(support).toMatchObject({
      state: "partly",
      claims: [
        { supported: true, end: content.indexOf(" [1]") },
        { supported: false, end: null },
      ],
    });
    const nothing = await replyTo("Sales are led by Jean Martin [1].", "", agent);
    expect(nothing).toMatchObject({
      content: say("answers:nothingFound"),
      citations: [],
      support: { state: "notFound" },
    });
  });

  test("may leave everything unchecked", async () => {
    const agent = await newAgent(team, {
      knowledgeIds: [knowledgeId],
      retrieval: { mode: "text" },
      unsupportedClaims: "ignore",
    });
    expect(await replyTo(says, "1: no", agent)).toMatchObject({ content: says, support: null });
    expect(judgings()).toBe(0);
    const { body } = await team.owner.get(`${team.path}/agents/${agent}`);
    expect(body.unsupportedClaims).toBe("ignore");
    const refused = await team.owner.put(`${team.path}/agents/${agent}`, { unsupportedClaims: "shout" });
    expect(refused.status).toBe(400);
  });
});

test("streams, OpenAI's protocol, MCP and a visitor's own chat give the same result", async () => {
  const publicId = await newAgent(team, { knowledgeIds: [knowledgeId], visibility: "public" });
  const asked = "How many days of paid leave do new employees get?";
  const messages = [{ role: "user" as const, content: asked }];
  const answered = { state: "answered", claims: [{ supported: true }] };
  const events = await allEvents(
    await openStream(team.owner, "/v1/streams", { agentId: publicId, messages }),
  );
  expect(events.at(-1)).toMatchObject({ event: "done", data: { support: answered } });
  const completion = await team.owner.post("/v1/streams/openai/chat/completions", {
    model: publicId,
    messages,
  });
  expect(completion.body.support).toMatchObject(answered);
  const tool = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "ask_agent", arguments: { agentId: publicId, question: asked } },
  };
  const headers = { Accept: "application/json, text/event-stream" };
  const { body: told } = await team.owner.post("/v1/mcp", tool, { headers });
  expect(told.result.structuredContent.support).toMatchObject(answered);
  const { anyone } = await import("../support/api.ts");
  const { body: chat } = await anyone.post(`/v1/agents/${publicId}/chats`, {});
  const visitor = asVisitor(chat.visitorToken);
  const { body } = await visitor.post(`/v1/chats/${chat.id}/messages`, { content: asked });
  expect(body.reply.support).toMatchObject(answered);
  const { body: listed } = await visitor.get(`/v1/chats/${chat.id}/messages`);
  expect(listed.data[1].support).toEqual(body.reply.support);
});
