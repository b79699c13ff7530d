// Questions and replies of a chat: streaming, stopping, failing, and who may read, write and rate.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anyone,
  type Client,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
} from "../support/api.ts";
import { asVisitor, newAgent, newKnowledge, openStream, until, type Visitor } from "../support/content.ts";
import { allEvents, serverEvents } from "../support/event-stream.ts";

/** Takes the offline model seconds: it sends a word every few milliseconds. */
const saga = `The lighthouse saga tells that ${Array.from({ length: 100 }, (_, i) => `keeper ${i} lit the lamp`).join(", then ")}.`;

let team: Team;
let agentId: string;
let publicId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(
    team,
    {
      "leave.md": "# Leave\n\nEveryone has 27 days of paid leave per calendar year.\n",
      "saga.md": saga,
    },
    { chunking: { maxTokens: 2000 } },
  );
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
  publicId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
});

const newChat = async (as: Client = team.owner, agent = agentId) => {
  const { status, body } = await as.post(`/v1/agents/${agent}/chats`, {});
  expect(status).toBe(201);
  return { ...body, path: `/v1/chats/${body.id}/messages` };
};
const stream = (who: Person | Visitor, path: string, content: string, signal?: AbortSignal) =>
  openStream(who, path, { content }, signal);
const leave = "How many days of paid leave does everyone have?";
const tale = "What does the lighthouse saga tell about each keeper?";

describe("asking", () => {
  test("returns the message, the reply and its citations as JSON", async () => {
    const chat = await newChat();
    const { status, body } = await team.owner.post(chat.path, { content: leave });
    expect(status).toBe(200);
    expect(body.message).toMatchObject({ chatId: chat.id, role: "user", content: leave, status: "complete" });
    expect(body.reply).toMatchObject({
      chatId: chat.id,
      role: "assistant",
      status: "complete",
      content: expect.stringContaining("27 days"),
      feedback: null,
      usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
    });
    const [citation] = body.reply.citations;
    expect(citation).toMatchObject({ index: 1, title: "leave.md", url: null });
    expect(body.reply.content).toContain(`[${citation.index}]`);

    // The quote is in the document that it names.
    const { body: document } = await team.owner.get(
      `${team.path}/sources/${citation.sourceId}/documents/${citation.documentId}`,
    );
    expect(document.content).toContain(citation.quote);

    const { body: stored } = await team.owner.get(chat.path);
    expect(stored.data).toEqual([body.message, body.reply]);
  });

  test("streams message, deltas, citations and done, and the deltas form the reply", async () => {
    const chat = await newChat();
    const response = await stream(team.owner, chat.path, leave);
    expect(response.status).toBe(200);
    const events = await allEvents(response);
    const names = events.map(({ event }) => event);
    expect(names.filter((name) => name !== "delta")).toEqual(["message", "citations", "done"]);
    expect(names[0]).toBe("message");
    const { data: done } = events.at(-1) ?? { data: undefined };
    const said = events.filter(({ event }) => event === "delta").map(({ data }) => data.text);
    expect(said.length).toBeGreaterThan(1);
    expect(said.join("")).toBe(done.content);
    expect(events.find(({ event }) => event === "citations")?.data).toEqual(done.citations);
    const { body: stored } = await team.owner.get(chat.path);
    expect(stored.data).toEqual([events[0]?.data, done]);
  });

  test("titles the chat by the first question", async () => {
    const chat = await newChat();
    await team.owner.post(chat.path, { content: leave });
    const { body } = await team.owner.get(`/v1/agents/${agentId}/chats/${chat.id}`);
    expect(body.title).toBe(leave);
  });

  test.each([
    ["nothing", {}],
    ["white space", { content: "  \n " }],
    ["a number", { content: 3 }],
    ["too much", { content: "x".repeat(20_001) }],
    ["a role", { content: "Hello", role: "assistant" }],
    ["a NUL", { content: "a\0b" }],
  ])("refuses %s", async (_what, body) => {
    const chat = await newChat();
    expect(await team.owner.post(chat.path, body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
    expect((await team.owner.get(chat.path)).body.data).toEqual([]);
  });
});

describe("a reply continues", () => {
  test("after its reader disconnects, and resumes from the last known message", async () => {
    const chat = await newChat();
    const control = new AbortController();
    let asked: string | undefined;
    let heard = "";
    for await (const { event, data } of serverEvents(
      await stream(team.owner, chat.path, tale, control.signal),
    )) {
      if (event === "message") asked = JSON.parse(data).id;
      if (event === "delta") heard += JSON.parse(data).text;
      if (heard.length > 40) break;
    }
    control.abort();
    const rest = () => team.owner.get(`${chat.path}?lastMessageId=${asked}`);
    const growing = await until(rest, ({ body }) => body.data[0]?.content.length > heard.length);
    expect(growing.body.data).toHaveLength(1);
    expect(growing.body.data[0]).toMatchObject({ role: "assistant", status: "streaming" });
    const { body } = await until(rest, ({ body }) => body.data[0]?.status !== "streaming");
    expect(body.data[0]).toMatchObject({ status: "complete" });
    expect(body.data[0].content.startsWith(heard)).toBe(true);
    expect(body.data[0].content).toContain("keeper 99");
    // Following the reply by its own id works as well, to its end.
    const own = await team.owner.get(`${chat.path}?lastMessageId=${body.data[0].id}`);
    expect(own.body.data).toEqual(body.data);
  });

  test("until it is stopped, and keeps its text so far", async () => {
    const chat = await newChat();
    const events = serverEvents(await stream(team.owner, chat.path, tale));
    let last = { event: "", data: "" };
    let stopped = false;
    for await (const found of events) {
      last = found;
      if (found.event !== "delta" || stopped) continue;
      stopped = true;
      const { body } = await team.owner.get(chat.path);
      const [, reply] = body.data;
      expect(await team.owner.post(`${chat.path}/${reply.id}/stop`)).toMatchObject({ status: 202 });
    }
    expect(last.event).toBe("done");
    const done = JSON.parse(last.data);
    expect(done).toMatchObject({ status: "stopped" });
    expect(done.content.length).toBeGreaterThan(0);
    expect(done.content).not.toContain("keeper 99");
    expect((await team.owner.get(chat.path)).body.data[1]).toEqual(done);
    expect(await team.owner.post(`${chat.path}/${done.id}/stop`)).toMatchObject({ status: 409 });
    // The next question is answered.
    expect((await team.owner.post(chat.path, { content: leave })).status).toBe(200);
  });

  test("until it is stopped by its question's id", async () => {
    const chat = await newChat();
    let last = { event: "", data: "" };
    for await (const found of serverEvents(await stream(team.owner, chat.path, tale))) {
      last = found;
      if (found.event !== "message") continue;
      const stopped = await team.owner.post(`${chat.path}/${JSON.parse(found.data).id}/stop`);
      expect(stopped).toMatchObject({ status: 202, body: { role: "assistant" } });
    }
    expect(JSON.parse(last.data)).toMatchObject({ role: "assistant", status: "stopped" });
  });

  test("until it is stopped through another process", async () => {
    const chat = await newChat();
    const response = await stream(team.owner, chat.path, tale);
    const sql = await owner();
    await until(
      () =>
        sql`update public.messages set stop_requested = true where chat_id = ${chat.id} and status = 'streaming' returning id`,
      (rows) => rows.length === 1,
    );
    expect((await allEvents(response)).at(-1)).toMatchObject({ event: "done", data: { status: "stopped" } });
  });
});

describe("one reply at a time", () => {
  test("refuses a second question in the same chat until the first is answered", async () => {
    const chat = await newChat();
    const questions = await Promise.all([1, 2, 3, 4].map(() => stream(team.owner, chat.path, tale)));
    const accepted = questions.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    for (const response of questions.filter(({ status }) => status !== 200)) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ code: "CONFLICT" });
    }
    // The refused questions left nothing.
    const { body } = await team.owner.get(chat.path);
    expect(body.data.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    await team.owner.post(`${chat.path}/${body.data[1].id}/stop`);
    await Promise.all(accepted.map((response) => allEvents(response)));
  });

  test("fails a reply a minute after its process died, with its text so far", async () => {
    const chat = await newChat();
    const sql = await owner();
    const [dead] = await sql`
      insert into public.messages (chat_id, role, status, content) values (${chat.id}, 'assistant', 'streaming', 'It was')
      returning id`;
    expect(await team.owner.post(chat.path, { content: leave })).toMatchObject({ status: 409 });
    expect((await team.owner.get(chat.path)).body.data).toMatchObject([
      { id: dead?.id, status: "streaming" },
    ]);
    await sql.begin(async (tx) => {
      // Without the trigger that would set updated_at.
      await tx`set local session_replication_role = replica`;
      await tx`update public.messages set updated_at = now() - interval '61 seconds' where id = ${dead?.id ?? null}`;
    });
    expect((await team.owner.get(chat.path)).body.data).toMatchObject([
      { id: dead?.id, status: "failed", content: "It was" },
    ]);
    expect((await team.owner.post(chat.path, { content: leave })).status).toBe(200);
  });

  test("fails it without anybody who reads the chat", async () => {
    const chat = await newChat();
    const sql = await owner();
    const [dead, alive] = await Promise.all([
      sql`insert into public.messages (chat_id, role, status, content, updated_at)
          values (${chat.id}, 'assistant', 'streaming', 'It was', now() - interval '61 seconds') returning id`,
      sql`insert into public.messages (chat_id, role, status, content)
          values (${(await newChat()).id}, 'assistant', 'streaming', 'It is') returning id`,
    ]);
    const stateOf = async (rows: typeof dead) =>
      (
        await sql`select status, content, finished_at is null as open from public.messages where id = ${rows[0]?.id}`
      )[0];
    const ended = await until(
      () => stateOf(dead),
      (state) => state?.status !== "streaming",
    );
    expect(ended).toEqual({ status: "failed", content: "It was", open: false });
    expect(await stateOf(alive)).toEqual({ status: "streaming", content: "It is", open: true });
  });
});

describe("a model that fails", () => {
  let failing: string;
  beforeAll(async () => {
    failing = await newAgent(team, { model: "no-such-model" });
  });

  test("gives 502 in JSON, and a failed reply is stored", async () => {
    const chat = await newChat(team.owner, failing);
    const { status, body } = await team.owner.post(chat.path, { content: "Hello there" });
    expect(status).toBe(502);
    expect(body).toMatchObject({
      code: "UPSTREAM_FAILED",
      message: expect.any(String),
      requestId: expect.any(String),
    });
    expect((await team.owner.get(chat.path)).body.data).toMatchObject([
      { role: "user", status: "complete" },
      { role: "assistant", status: "failed", content: "" },
    ]);
  });

  test("gives an error event in a stream", async () => {
    const chat = await newChat(team.owner, failing);
    const events = await allEvents(await stream(team.owner, chat.path, "Hello there"));
    expect(events.map(({ event }) => event)).toEqual(["message", "error"]);
    expect(events[1]?.data).toEqual({
      code: "UPSTREAM_FAILED",
      message: expect.any(String),
      details: [expect.objectContaining({ path: "", code: "replyModelUnknown", params: { team: team.id } })],
    });
  });
});

describe("who may", () => {
  test("a visitor chats with a public agent, and in nobody else's chat", async () => {
    const { body: chat } = await anyone.post(`/v1/agents/${publicId}/chats`);
    const visitor = asVisitor(chat.visitorToken);
    const path = `/v1/chats/${chat.id}/messages`;
    expect((await visitor.post(path, { content: leave })).body.reply.content).toContain("27 days");
    const { body: other } = await anyone.post(`/v1/agents/${publicId}/chats`);
    for (const stranger of [asVisitor(other.visitorToken), await newPerson()]) {
      expect((await stranger.get(path)).status).toBe(404);
      expect((await stranger.post(path, { content: leave })).status).toBe(404);
    }
    expect((await anyone.get(path)).status).toBe(401);
    expect((await anyone.post(path, { content: leave })).status).toBe(401);
    expect((await visitor.get(path)).body.data).toHaveLength(2);
  });

  test("a visitor is refused once the agent is private", async () => {
    const brief = await newAgent(team, { visibility: "public" });
    const { body: chat } = await anyone.post(`/v1/agents/${brief}/chats`);
    const visitor = asVisitor(chat.visitorToken);
    expect((await visitor.get(`/v1/chats/${chat.id}/messages`)).status).toBe(200);
    await team.owner.put(`${team.path}/agents/${brief}`, { visibility: "private" });
    expect((await visitor.get(`/v1/chats/${chat.id}/messages`)).status).toBe(404);
    expect((await visitor.post(`/v1/chats/${chat.id}/messages`, { content: "Hi" })).status).toBe(404);
    expect((await anyone.post(`/v1/agents/${brief}/chats`)).status).toBe(404);
  });

  test("editors read everyone's chats and write in their own only; viewers see their own", async () => {
    const viewer = await newMember(team, "viewer");
    const chat = await newChat(viewer);
    expect((await viewer.post(chat.path, { content: leave })).status).toBe(200);
    const editor = await newMember(team, "editor");
    expect((await editor.get(chat.path)).body.data).toHaveLength(2);
    expect((await editor.post(chat.path, { content: "Mine now" })).status).toBe(403);
    const colleague = await newMember(team, "viewer");
    expect((await colleague.get(chat.path)).status).toBe(404);
    expect((await viewer.get(chat.path)).body.data).toHaveLength(2);
  });

  test("a removed member's token is refused", async () => {
    const member = await newMember(team, "viewer");
    const chat = await newChat(member);
    const sql = await owner();
    await sql`delete from public.team_users where team_id = ${team.id} and user_id = ${member.id}`;
    expect((await member.get(chat.path)).status).toBe(404);
    expect((await member.post(chat.path, { content: leave })).status).toBe(404);
  });
});

describe("feedback", () => {
  test("is set, changed and cleared by the chat's own person, on replies only", async () => {
    const chat = await newChat();
    const { body } = await team.owner.post(chat.path, { content: leave });
    const rate = (id: string, value: object, as: Client = team.owner) =>
      as.post(`${chat.path}/${id}/feedback`, value);
    const up = await rate(body.reply.id, { rating: "up", comment: "Spot on" });
    expect(up).toMatchObject({
      status: 200,
      body: { id: body.reply.id, feedback: { rating: "up", comment: "Spot on" } },
    });
    expect((await rate(body.reply.id, { rating: "down" })).body.feedback).toEqual({
      rating: "down",
      comment: null,
    });
    const editor = await newMember(team, "editor");
    expect((await rate(body.reply.id, { rating: "up" }, editor)).status).toBe(403);
    expect((await team.owner.get(chat.path)).body.data[1].feedback).toEqual({
      rating: "down",
      comment: null,
    });
    expect((await rate(body.reply.id, { rating: null })).body.feedback).toBeNull();
    expect((await rate(body.message.id, { rating: "up" })).status).toBe(409);
    expect((await rate(randomUUID(), { rating: "up" })).status).toBe(404);
    for (const value of [
      {},
      { rating: "sideways" },
      { rating: "up", comment: "x".repeat(2001) },
      { rating: "up", id: 1 },
    ])
      expect((await rate(body.reply.id, value)).status).toBe(400);
  });
});

test("malformed ids are rejected, and unknown chats give 404", async () => {
  expect((await team.owner.get("/v1/chats/nonsense/messages")).status).toBe(400);
  expect((await team.owner.get(`/v1/chats/${randomUUID()}/messages`)).status).toBe(404);
  expect((await team.owner.post(`/v1/chats/${randomUUID()}/messages`, { content: "Hi" })).status).toBe(404);
  const chat = await newChat();
  expect((await team.owner.get(`${chat.path}?lastMessageId=x`)).status).toBe(400);
  expect((await team.owner.post(`${chat.path}/${randomUUID()}/stop`)).status).toBe(404);
});
