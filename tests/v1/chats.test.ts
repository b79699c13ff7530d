// Chats: who starts, lists, rates, names and summarizes them.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, type Client, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { asVisitor, newAgent, newKnowledge } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let agentId: string;
let publicId: string;
beforeAll(async () => {
  team = await newTeam();
  [agentId, publicId] = await Promise.all([newAgent(team), newAgent(team, { visibility: "public" })]);
});
const path = (agent: string, chat = "") => `/v1/agents/${agent}/chats${chat && `/${chat}`}`;
const start = async (who: Client, agent = agentId, body: object = {}) => {
  const made = await who.post(path(agent), body);
  expect(made.status).toBe(201);
  return made.body;
};
const apiKey = async () => {
  const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
  return as(body.key);
};

describe("starting", () => {
  test("a member's chat belongs to them", async () => {
    const chat = await start(team.owner, agentId, { title: " Leave ", channel: "playground" });
    expect(chat).toMatchObject({
      agentId,
      teamId: team.id,
      userId: team.owner.id,
      title: "Leave",
      summary: null,
      channel: "playground",
      feedback: null,
    });
    expect(chat).not.toHaveProperty("visitorToken");
    expect((await team.owner.get(path(agentId, chat.id))).body).toEqual(chat);
    expect((await team.owner.get(`/v1/chats/${chat.id}`)).body).toEqual(chat);
    expect((await (await newPerson()).get(`/v1/chats/${chat.id}`)).status).toBe(404);
  });

  test("needs no body", async () => {
    const { apiUrl } = await findStack();
    const response = await fetch(`${apiUrl}${path(publicId)}`, { method: "POST" });
    expect(response.status).toBe(201);
  });

  test("an API key's chat belongs to the key, with channel api", async () => {
    const key = await apiKey();
    const chat = await start(key);
    expect(chat).toMatchObject({ channel: "api", userId: null });
    expect((await key.get(path(agentId, chat.id))).status).toBe(200);
  });

  test("a visitor's first chat identifies them, and later ones belong to them", async () => {
    const first = await start(anyone, publicId);
    expect(first).toMatchObject({ userId: null, channel: "web", visitorToken: expect.any(String) });
    const visitor = asVisitor(first.visitorToken);
    const second = await start(visitor, publicId, { channel: "widget" });
    const { body } = await asVisitor(second.visitorToken).get(path(publicId));
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
  });

  test("logged-in users chat with a public agent; outsiders get 404 for a private one", async () => {
    const outsider = await newPerson();
    expect(await start(outsider, publicId)).toMatchObject({ userId: outsider.id, teamId: team.id });
    for (const who of [outsider, anyone])
      expect(await who.post(path(agentId), {})).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await anyone.post(path(randomUUID()), {})).status).toBe(404);
  });

  test.each([
    ["an unknown field", { userId: randomUUID() }],
    ["a title that is too long", { title: "x".repeat(201) }],
    ["an unknown channel", { channel: "phone" }],
    ["Slack's channel, which only Slack opens", { channel: "slack" }],
  ])("refuses %s", async (_what, body) => {
    expect((await team.owner.post(path(agentId), body)).status).toBe(400);
  });

  test("rejects a forged visitor token", async () => {
    const { visitorToken } = await start(anyone, publicId);
    const [head, payload] = visitorToken.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [`${head}.${payload}.AAAA`, `${none}.${payload}.`, "x", team.owner.token])
      expect((await asVisitor(token).get(path(publicId))).status).toBe(401);
    // A visitor token is no access token.
    expect((await as(visitorToken).get("/v1/teams")).status).toBe(401);
  });
});

describe("the lists", () => {
  test("show everyone's chats to those who may read them, and to others their own", async () => {
    const mine = await newTeam();
    const agent = await newAgent(mine);
    const other = await newAgent(mine);
    const [viewer, editor] = await Promise.all([newMember(mine, "viewer"), newMember(mine, "editor")]);
    const a = await start(viewer, agent);
    const b = await start(editor, agent);
    const c = await start(editor, other);
    const ids = async (who: Client, at: string) =>
      (await who.get(at)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(editor, path(agent))).toEqual([b.id, a.id]);
    expect(await ids(viewer, path(agent))).toEqual([a.id]);
    expect(await ids(editor, `${mine.path}/chats`)).toEqual([c.id, b.id, a.id]);
    expect(await ids(viewer, `${mine.path}/chats`)).toEqual([a.id]);
    expect((await editor.get(path(agent, a.id))).status).toBe(200);
    expect((await viewer.get(path(agent, b.id))).status).toBe(404);
    // A chat is found only below its own agent.
    expect((await editor.get(path(other, a.id))).status).toBe(404);
    const outsider = await newPerson();
    expect((await outsider.get(path(agent))).status).toBe(404);
    expect((await outsider.get(`${mine.path}/chats`)).status).toBe(404);
    expect((await anyone.get(path(agent))).status).toBe(401);
  });

  test("filter by agent, channel, rating and words", async () => {
    const mine = await newTeam();
    const [agent, other] = [await newAgent(mine), await newAgent(mine)];
    const a = await start(mine.owner, agent, { title: "Days of leave", channel: "playground" });
    const b = await start(mine.owner, other, { title: "100% remote" });
    const c = await start(mine.owner, other);
    await mine.owner.post(`${path(agent, a.id)}/feedback`, { rating: "down" });
    await mine.owner.put(`${path(other, c.id)}/summary`, { summary: "About leave, too" });
    const { body } = await mine.owner.post(`/v1/chats/${b.id}/messages`, { content: "Hello?" });
    await mine.owner.post(`/v1/chats/${b.id}/messages/${body.reply.id}/feedback`, { rating: "down" });
    const ids = async (query: string, at = `${mine.path}/chats`) =>
      (await mine.owner.get(at + query)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(`?agentId=${other}`)).toEqual([c.id, b.id]);
    expect(await ids("?channel=playground")).toEqual([a.id]);
    expect(await ids("?rating=down")).toEqual([b.id, a.id]);
    expect(await ids("?rating=up")).toEqual([]);
    expect(await ids("?search=LEAVE")).toEqual([c.id, a.id]);
    // Whoever stops or loses their first question leaves an empty chat.
    const empty = await start(mine.owner, other);
    expect((await ids(""))[0]).toBe(empty.id);
    expect(await ids("?asked=true")).toEqual([b.id, a.id]);
    // A wildcard in the search text is literal.
    expect(await ids("?search=%25")).toEqual([b.id]);
    expect(await ids("?search=leave&rating=down", path(agent))).toEqual([a.id]);
    // Words of a message, in any order, find its chat in the team's list, and only in the caller's own chats without chats.read.
    const said = await start(mine.owner, agent, { title: "Untold" });
    await mine.owner.post(`/v1/chats/${said.id}/messages`, { content: "Where do the wombats hibernate?" });
    expect(await ids("?search=hibernate wombats")).toEqual([said.id]);
    expect(await ids("?search=wombats&channel=playground")).toEqual([]);
    const asker = await newMember(mine, "viewer");
    expect((await asker.get(`${mine.path}/chats?search=wombats`)).body.data).toEqual([]);
    const knowledge = await newKnowledge(mine, {
      "leave.md": "Everyone gets 27 days of paid leave per year.",
    });
    const knowing = await newAgent(mine, { knowledgeIds: [knowledge.id] });
    const d = await start(mine.owner, knowing);
    await mine.owner.post(`/v1/chats/${d.id}/messages`, {
      content: "How many days of paid leave are there?",
    });
    expect(await ids("?support=answered")).toEqual([d.id]);
    expect(await ids("?support=notFound")).toEqual([]);
    expect(await ids("?support=answered", path(agent))).toEqual([]);
    for (const query of ["?support=sure", "?channel=fax", "?rating=5", "?agentId=x"])
      expect((await mine.owner.get(`${mine.path}/chats${query}`)).status).toBe(400);
  });

  test("filter by day and chat, and page with a key", async () => {
    const mine = await newTeam();
    const agent = await newAgent(mine);
    const chats = [];
    for (let i = 0; i < 5; i++) chats.push((await start(mine.owner, agent)).id);
    const sql = await owner();
    await sql`update public.chats set created_at = '2026-02-01T00:00:00Z' where id = ${chats[0]}`;
    await sql`update public.chats set created_at = '2026-02-28T23:59:59Z' where id = ${chats[1]}`;
    const ids = async (query: string, at = path(agent)) =>
      (await mine.owner.get(at + query)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids("?dateStart=2026-02-01&dateEnd=2026-02-28")).toEqual([chats[1], chats[0]]);
    expect(await ids("?dateStart=2026-02-02&dateEnd=2026-02-27")).toEqual([]);
    expect(await ids("?dateStart=2026-03-01&dateEnd=2026-03-01&timeZone=Europe/Paris")).toEqual([chats[1]]);
    expect(await ids("?dateEnd=2026-01-31&timeZone=America/New_York")).toEqual([chats[0]]);
    expect(await ids("?dateEnd=2026-02-01", `${mine.path}/chats`)).toEqual([chats[0]]);
    expect(await ids(`?chatId=${chats[3]}`)).toEqual([chats[3]]);
    const { body } = await mine.owner.get(`${path(agent)}?perPage=2`);
    expect(await ids(`?perPage=2&lastKey=${body.lastKey}`)).toEqual([chats[2], chats[1]]);
    for (const query of ["?dateStart=soon", "?chatId=x", "?perPage=0", "?lastKey=x"])
      expect((await mine.owner.get(path(agent) + query)).status).toBe(400);
  });
});

describe("feedback, title and summary", () => {
  test("only a chat's own person rates it", async () => {
    const viewer = await newMember(team, "viewer");
    const chat = await start(viewer);
    const at = `${path(agentId, chat.id)}/feedback`;
    expect(await viewer.post(at, { rating: "down", comment: "Too long" })).toMatchObject({
      status: 200,
      body: { feedback: { rating: "down", comment: "Too long" } },
    });
    expect((await team.owner.post(at, { rating: "up" })).status).toBe(403);
    expect((await viewer.get(path(agentId, chat.id))).body.feedback).toEqual({
      rating: "down",
      comment: "Too long",
    });
    expect((await viewer.post(at, { rating: null })).body.feedback).toBeNull();
    expect((await viewer.post(at, { rating: "maybe" })).status).toBe(400);
    expect((await (await newPerson()).post(at, { rating: "up" })).status).toBe(404);
  });

  test("a title is set by hand, or generated from the chat", async () => {
    const chat = await start(team.owner);
    const at = `${path(agentId, chat.id)}/title`;
    expect(await team.owner.post(at, { title: "Mine" })).toMatchObject({
      status: 200,
      body: { title: "Mine" },
    });
    expect((await team.owner.post(at, {})).status).toBe(409);
    await team.owner.post(`/v1/chats/${chat.id}/messages`, { content: "What is the meaning of leave?" });
    const made = await team.owner.post(at, {});
    expect(made.body.title).toMatch(/leave/i);
    expect((await team.owner.get(path(agentId, chat.id))).body.title).toBe(made.body.title);
    for (const body of [{ title: "" }, { title: "x".repeat(201) }, { name: "x" }])
      expect((await team.owner.post(at, body)).status).toBe(400);
    expect((await (await newPerson()).post(at, { title: "x" })).status).toBe(404);
  });

  test("a summary is generated, written and cleared", async () => {
    const chat = await start(team.owner);
    const at = `${path(agentId, chat.id)}/summary`;
    expect((await team.owner.post(at)).status).toBe(409);
    await team.owner.post(`/v1/chats/${chat.id}/messages`, { content: "Tell me about leave." });
    const made = await team.owner.post(at);
    expect(made.status).toBe(200);
    expect(made.body.summary).toContain("Tell me about leave.");
    expect((await team.owner.put(at, { summary: "About leave" })).body).toEqual({ summary: "About leave" });
    expect((await team.owner.get(path(agentId, chat.id))).body.summary).toBe("About leave");
    expect((await team.owner.put(at, { summary: "" })).status).toBe(400);
    expect((await (await newPerson()).put(at, { summary: "x" })).status).toBe(404);
    expect((await team.owner.delete(at)).status).toBe(204);
    expect((await team.owner.delete(at)).status).toBe(404);
  });
});
