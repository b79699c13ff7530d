import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent } from "../support/content.ts";

let team: Team;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  agentId = await newAgent(team);
  const sql = await owner();
  const chat = async (day: string, visitor: string | null, rating: string | null = null) => {
    const [row] = await sql`
      insert into public.chats (team_id, agent_id, visitor_id, rating, created_at)
      values (${team.id}, ${agentId}, ${visitor}, ${rating}, ${`${day}T12:00:00Z`}) returning id`;
    return row?.id as string;
  };
  const say = (chatId: string, at: string, values: Record<string, unknown>) =>
    sql`insert into public.messages ${sql({ chat_id: chatId, created_at: at, ...values })}`;
  const reply = (chatId: string, at: string, seconds: number, values: Record<string, unknown> = {}) =>
    say(chatId, at, {
      role: "assistant",
      status: "complete",
      finished_at: new Date(Date.parse(at) + seconds * 1000).toISOString(),
      ...values,
    });
  const [anna, ben] = [randomUUID(), randomUUID()];
  const one = await chat("2026-03-02", anna, "up");
  await say(one, "2026-03-02T12:00:00Z", { role: "user" });
  await reply(one, "2026-03-02T12:00:01Z", 1, { rating: "up" });
  await say(one, "2026-03-02T12:01:00Z", { role: "user" });
  await reply(one, "2026-03-02T12:01:01Z", 3, { rating: "down", unanswered: true });
  const two = await chat("2026-03-02", ben);
  await say(two, "2026-03-02T23:59:59Z", { role: "user" });
  await reply(two, "2026-03-03T00:00:00Z", 8);
  await reply(two, "2026-03-03T00:01:00Z", 60, { status: "failed" });
  await chat("2026-03-09", null);
  // Another agent's chats count for that agent.
  const other = await newAgent(team);
  await sql`insert into public.chats (team_id, agent_id, created_at) values (${team.id}, ${other}, '2026-03-02T12:00:00Z')`;
});
const insights = (query: string, who = team.owner) =>
  who.get(`${team.path}/insights/${agentId}/chats${query}`);
const empty = { chats: 0, messages: 0, visitors: 0, up: 0, down: 0, unanswered: 0, medianReplyMs: null };

test("counts per day, with the days on which nothing happened", async () => {
  const { status, body } = await insights("?dateStart=2026-03-01&dateEnd=2026-03-04");
  expect(status).toBe(200);
  expect(body.data).toEqual([
    { date: "2026-03-01", ...empty },
    {
      date: "2026-03-02",
      chats: 2,
      messages: 3,
      visitors: 2,
      up: 2,
      down: 1,
      unanswered: 1,
      medianReplyMs: 2000,
    },
    { date: "2026-03-03", ...empty, visitors: 1, medianReplyMs: 8000 },
    { date: "2026-03-04", ...empty },
  ]);
});

test("counts per week and per month", async () => {
  const weeks = (await insights("?dateStart=2026-03-02&dateEnd=2026-03-15&group=week")).body.data;
  expect(weeks).toMatchObject([
    { date: "2026-03-02", chats: 2, messages: 3, visitors: 2, medianReplyMs: 3000 },
    { date: "2026-03-09", chats: 1, messages: 0, visitors: 0, medianReplyMs: null },
  ]);
  const months = (await insights("?dateStart=2026-02-10&dateEnd=2026-03-31&group=month")).body.data;
  expect(months).toMatchObject([
    { date: "2026-02-01", chats: 0 },
    { date: "2026-03-01", chats: 3, messages: 3 },
  ]);
});

test("covers the last thirty days where no dates are given", async () => {
  const { body } = await insights("");
  expect(body.data).toHaveLength(30);
  expect(body.data.at(-1).date).toBe(new Date().toISOString().slice(0, 10));
});

test.each([
  "?group=hour",
  "?dateStart=soon",
  "?dateStart=2026-03-02&dateEnd=2026-03-01",
  "?dateStart=1990-01-01",
])("refuses %s", async (query) => {
  expect((await insights(query)).status).toBe(400);
});

test("is for those who may read insights, also where they may not read what was said", async () => {
  const viewer = await newMember(team, "viewer");
  expect((await insights("", viewer)).status).toBe(403);
  expect((await insights("", await newPerson())).status).toBe(404);
  const { body: role } = await team.owner.post("/v1/roles", {
    teamId: team.id,
    name: "Analyst",
    permissions: ["team.read", "agents.read", "insights.read"],
  });
  const analyst = await newMember(team, role.id);
  const { body } = await insights("?dateStart=2026-03-02&dateEnd=2026-03-02", analyst);
  expect(body.data).toMatchObject([{ chats: 2, messages: 3 }]);
  const unknown = await team.owner.get(`${team.path}/insights/${randomUUID()}/chats`);
  expect(unknown.status).toBe(404);
});
