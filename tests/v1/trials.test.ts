// Trying an agent: unsaved settings, the explanation of a reply, and rephrased questions.
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
import { asVisitor, newAgent, newKnowledge, openStream } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";
import { say } from "../support/words.ts";

let team: Team;
let knowledge: { id: string };
let otherKnowledge: { id: string };
let agentId: string;
let publicId: string;
beforeAll(async () => {
  team = await newTeam();
  knowledge = await newKnowledge(team, {
    "leave.md": "# Leave\n\nEveryone has 27 days of paid leave per calendar year.\n",
    "holidays.md": "# Holidays\n\nNobody takes paid leave for a public holiday; those days come on top.\n",
  });
  otherKnowledge = await newKnowledge(team, {
    "garage.md": "Bicycles are parked in the courtyard, and the gate code is 4711.",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
  publicId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
});
const leave = "How many days of paid leave does everyone have?";
const gate = "What is the gate code of the courtyard with the bicycles?";
const newChat = async (channel = "playground", as: Client = team.owner, agent = agentId) => {
  const { body } = await as.post(`/v1/agents/${agent}/chats`, { channel });
  return `/v1/chats/${body.id}/messages`;
};
const streamBody = (draft: unknown, content = gate) => ({
  agentId,
  messages: [{ role: "user", content }],
  draft,
});

describe("a draft of an agent", () => {
  test("answers in a stream and in a playground chat, and saves nothing", async () => {
    const draft = { knowledgeIds: [otherKnowledge.id], retrieval: { topK: 1 }, instructions: "Be brief." };
    const before = (await team.owner.get(`${team.path}/agents/${agentId}`)).body;
    const events = await allEvents(await openStream(team.owner, "/v1/streams", streamBody(draft)));
    expect(events.at(-1)?.data.content).toContain("4711");
    const { status, body } = await team.owner.post(await newChat(), { content: gate, draft });
    expect(status).toBe(200);
    expect(body.reply).toMatchObject({
      content: expect.stringContaining("4711"),
      citations: [{ title: "garage.md" }],
    });
    expect((await team.owner.get(`${team.path}/agents/${agentId}`)).body).toEqual(before);
    // Without the draft the agent does not know it.
    const without = await team.owner.post(await newChat(), { content: gate });
    expect(without.body.reply.content).not.toContain("4711");
    // A draft may have no knowledge base.
    const none = await allEvents(
      await openStream(team.owner, "/v1/streams", {
        ...streamBody({ knowledgeIds: [] }, leave),
        explain: true,
      }),
    );
    expect(none.find(({ event }) => event === "passages")?.data).toEqual([]);
  });

  test("is for those who may change the agent", async () => {
    const draft = { temperature: 1 };
    const viewer = await newMember(team, "viewer");
    expect((await openStream(viewer, "/v1/streams", streamBody(draft))).status).toBe(403);
    const path = await newChat("playground", viewer);
    expect((await viewer.post(path, { content: leave, draft })).status).toBe(403);
    expect((await viewer.get(path)).body.data).toEqual([]);
    const outsider = await newPerson();
    for (const who of [outsider, anyone]) {
      const answer = await openStream(who, "/v1/streams", { ...streamBody(draft), agentId: publicId });
      expect(answer.status).toBe(403);
    }
  });

  test("is refused outside the playground, with another team's knowledge base and with invalid settings", async () => {
    const draft = { temperature: 1 };
    const onTheWeb = await team.owner.post(await newChat("web"), { content: leave, draft });
    expect(onTheWeb).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    const other = await newTeam();
    const { body: foreign } = await other.owner.post(`${other.path}/knowledges`, { name: "Foreign" });
    for (const wrong of [{ knowledgeIds: [foreign.id] }, { temperature: 3 }, { visibility: "public" }]) {
      const answer = await team.owner.post("/v1/streams", streamBody(wrong));
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    }
  });
});

describe("the explanation of a reply", () => {
  test("streams on request before the first word, and is stored", async () => {
    const path = await newChat("web");
    const draft = { retrieval: { topK: 1 } };
    const asked = { content: leave, explain: true };
    const events = await allEvents(await openStream(team.owner, path, asked));
    expect(events.map(({ event }) => event).filter((event) => event !== "delta")).toEqual([
      "message",
      "passages",
      "citations",
      "done",
    ]);
    expect(events[1]?.event).toBe("passages");
    const told = events[1]?.data;
    expect(told[0]).toMatchObject({
      title: "leave.md",
      index: 1,
      dropped: null,
      vectorRank: 1,
      textRank: 1,
      knowledgeId: knowledge.id,
      content: expect.stringContaining("27 days"),
    });
    const { body } = await team.owner.get(`${path}/${events.at(-1)?.data.id}/passages`);
    expect(body.gone).toBe(0);
    const essence = (list: Record<string, unknown>[]) =>
      list.map(({ chunkId, score, vectorRank, textRank, index, dropped, content }) => ({
        chunkId,
        score,
        vectorRank,
        textRank,
        index,
        dropped,
        content,
      }));
    expect(essence(body.data)).toEqual(essence(told));
    expect(body.data.length).toBeGreaterThan(1);

    // Dropped passages have a reason.
    const narrow = await allEvents(
      await openStream(team.owner, "/v1/streams", { ...streamBody(draft, leave), explain: true }),
    );
    const dropped = narrow.find(({ event }) => event === "passages")?.data.slice(1);
    expect(dropped).toEqual(dropped.map(() => expect.objectContaining({ index: null })));
    expect(dropped.map((one: { dropped: string }) => one.dropped)).toContain("overTopK");
  });

  test("keeps passages beyond the agent's limit that an unsure reply of the built-in model cites", async () => {
    const unsure = "Who decides on leave for a public holiday of another country?";
    const draft = { retrieval: { topK: 1 } };
    const body = { ...streamBody(draft, unsure), explain: true };
    const events = await allEvents(await openStream(team.owner, "/v1/streams", body));
    const told = events.filter(({ event }) => event === "passages").map(({ data }) => data);
    const essence = (list: Record<string, unknown>[]) => list.map(({ index, dropped }) => [index, dropped]);
    expect(told.map(essence)).toEqual([
      [
        [1, null],
        [null, "overTopK"],
      ],
      [
        [1, null],
        [2, null],
      ],
    ]);
    const { content, citations } = events.at(-1)?.data ?? {};
    expect(content).toContain(say("answers:related"));
    expect(citations.map(({ index }: { index: number }) => index)).toEqual([1, 2]);
  });

  test("is for readers of the knowledge base", async () => {
    const { body } = await anyone.post(`/v1/agents/${publicId}/chats`, {});
    const visitor = asVisitor(body.visitorToken);
    const path = `/v1/chats/${body.id}/messages`;
    const { body: asked } = await visitor.post(path, { content: leave });
    expect((await visitor.post(path, { content: leave, explain: true })).status).toBe(403);
    expect((await visitor.get(`${path}/${asked.reply.id}/passages`)).status).toBe(401);
    // The team reads it in a visitor's chat; an outsider gets 404 for the chat.
    const { body: read } = await team.owner.get(`${path}/${asked.reply.id}/passages`);
    expect(read.data[0]).toMatchObject({ title: "leave.md", index: 1 });
    const outsider = await newPerson();
    expect((await outsider.get(`${path}/${asked.reply.id}/passages`)).status).toBe(404);
    const own = await outsider.post(`/v1/agents/${publicId}/chats`, {});
    const { body: told } = await outsider.post(`/v1/chats/${own.body.id}/messages`, { content: leave });
    expect((await outsider.get(`/v1/chats/${own.body.id}/messages/${told.reply.id}/passages`)).status).toBe(
      403,
    );
  });

  test("counts the passages of deleted documents", async () => {
    const passing = await newKnowledge(team, { "passing.md": "The canteen opens at half past eleven." });
    const agent = await newAgent(team, { knowledgeIds: [passing.id] });
    const path = await newChat("web", team.owner, agent);
    const { body } = await team.owner.post(path, { content: "When does the canteen open?" });
    const why = `${path}/${body.reply.id}/passages`;
    expect((await team.owner.get(why)).body.data).toHaveLength(1);
    await team.owner.delete(`${team.path}/knowledges/${passing.id}`);
    expect((await team.owner.get(why)).body).toEqual({
      data: [],
      gone: 1,
      recorded: true,
      searchedFor: null,
    });
  });
});

describe("a rephrased question", () => {
  test("replaces the one before, with everything after it", async () => {
    const path = await newChat("web");
    const first = await team.owner.post(path, { content: "Hello!" });
    const second = await team.owner.post(path, { content: gate });
    await team.owner.post(path, { content: "And now?" });
    const again = await team.owner.post(path, { content: leave, replaces: second.body.message.id });
    expect(again.status).toBe(200);
    expect((await team.owner.get(path)).body.data).toEqual([
      first.body.message,
      first.body.reply,
      again.body.message,
      again.body.reply,
    ]);
    // It still counts in insights.
    const sql = await owner();
    const [row] = await sql`
      select count(*)::int as count from public.messages where chat_id = ${first.body.message.chatId} and superseded`;
    expect(row?.count).toBe(4);
    // A replaced question cannot be replaced again.
    const gone = await team.owner.post(path, { content: leave, replaces: second.body.message.id });
    expect(gone).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  });

  test("renames the chat that has its name from the one before, and no other", async () => {
    const path = await newChat("web");
    const chat = `/v1/agents/${agentId}/chats/${path.split("/")[3]}`;
    const title = async () => (await team.owner.get(chat)).body.title;
    const { body } = await team.owner.post(path, { content: gate });
    const again = await team.owner.post(path, { content: leave, replaces: body.message.id });
    expect(await title()).toBe(leave);
    await team.owner.post(`${chat}/title`, { title: "Mine" });
    await team.owner.post(path, { content: gate, replaces: again.body.message.id });
    expect(await title()).toBe("Mine");
  });

  test("replaces the caller's own question, never a reply", async () => {
    const viewer = await newMember(team, "viewer");
    const path = await newChat("web", viewer);
    const { body } = await viewer.post(path, { content: leave });
    const ofReply = await viewer.post(path, { content: gate, replaces: body.reply.id });
    expect(ofReply).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    const elsewhere = await newChat("web");
    const ofOther = await team.owner.post(elsewhere, { content: gate, replaces: body.message.id });
    expect(ofOther.status).toBe(404);
    // Another person's chat: readable, not writable.
    const byOwner = await team.owner.post(path, { content: gate, replaces: body.message.id });
    expect(byOwner.status).toBe(403);
    expect((await viewer.get(path)).body.data).toEqual([body.message, body.reply]);
  });
});

test("a long chat is paged from its end", async () => {
  const path = await newChat("web");
  const chatId = path.split("/")[3] ?? "";
  const sql = await owner();
  await sql`
    insert into public.messages (id, chat_id, role, content)
    select (${randomUUID().slice(0, 24)} || lpad(n::text, 12, '0'))::uuid, ${chatId},
           case when n % 2 = 1 then 'user' else 'assistant' end, 'Message ' || n
      from generate_series(1, 45) n`;
  const read = async (query: string) => (await team.owner.get(`${path}?${query}`)).body.data;
  const words = (list: { content: string }[]) => list.map(({ content }) => content);
  const latest = await read("count=20");
  expect(words(latest)).toEqual(Array.from({ length: 20 }, (_, n) => `Message ${n + 26}`));
  const older = await read(`count=20&beforeMessageId=${latest[0].id}`);
  expect(words(older)).toEqual(Array.from({ length: 20 }, (_, n) => `Message ${n + 6}`));
  expect(await read(`count=20&beforeMessageId=${older[0].id}`)).toHaveLength(5);
  expect((await read("")).length).toBe(45);
  expect((await team.owner.get(`${path}?count=0`)).status).toBe(400);
});

test("settings say what the built-in model ignores, with a link for those who may connect another", async () => {
  const { webUrl } = await findStack();
  const viewer = await newMember(team, "viewer");
  const pages: [Person, string][] = [
    [team.owner, `agents/${agentId}`],
    [team.owner, "playground"],
    [viewer, "playground"],
  ];
  for (const [person, path] of pages) {
    const headers = { cookie: cookieOf(await postLogin(person)) };
    const page = await (await fetch(`${webUrl}/teams/${team.codename}/${path}`, { headers })).text();
    expect(page.includes(say("models:offline.agent")), path).toBe(true);
    expect(page.includes(`/teams/${team.codename}/models?role=chat`), path).toBe(person === team.owner);
  }
});
