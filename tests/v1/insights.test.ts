// Insights: figures by day, week and month in the reader's time zone, and questions without a passage.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent } from "../support/content.ts";

let team: Team;
let agentId: string;
let unansweredChat: string;
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
  unansweredChat = one;
  await say(one, "2026-03-02T12:01:00Z", { role: "user", content: "Who waters the plants?" });
  await reply(one, "2026-03-02T12:01:01Z", 3, { rating: "down", unanswered: true });
  const two = await chat("2026-03-02", ben);
  await say(two, "2026-03-02T23:59:59Z", { role: "user" });
  await reply(two, "2026-03-03T00:00:00Z", 8);
  await reply(two, "2026-03-03T00:01:00Z", 60, { status: "failed" });
  await chat("2026-03-09", null);
  // Another agent's chats count for that agent only.
  const other = await newAgent(team);
  await sql`insert into public.chats (team_id, agent_id, visitor_id, channel, created_at)
            values (${team.id}, ${other}, ${ben}, 'widget', '2026-03-02T12:00:00Z')`;
  const [row] = await sql`select id from public.chats where agent_id = ${other}`;
  await say(row?.id as string, "2026-03-02T12:00:01Z", { role: "user", content: "Where is the moon?" });
  await reply(row?.id as string, "2026-03-02T12:00:02Z", 1, { unanswered: true });
});
const insights = (query: string, who = team.owner) =>
  who.get(`${team.path}/insights/${agentId}/chats${query}`);
const empty = {
  chats: 0,
  messages: 0,
  visitors: 0,
  up: 0,
  down: 0,
  unanswered: 0,
  medianReplyMs: null,
  handovers: 0,
  helped: 0,
  silent: 0,
};

test("insights count per day, including days without chats", async () => {
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
      handovers: 0,
      helped: 0,
      silent: 0,
    },
    { date: "2026-03-03", ...empty, visitors: 1, medianReplyMs: 8000 },
    { date: "2026-03-04", ...empty },
  ]);
});

test("insights count per week and per month", async () => {
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

test("insights count for the whole team, and for the range beside the previous one", async () => {
  const { status, body } = await team.owner.get(
    `${team.path}/insights/chats?dateStart=2026-03-02&dateEnd=2026-03-03`,
  );
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { date: "2026-03-02", chats: 3, messages: 4, visitors: 2, unanswered: 2 },
    { date: "2026-03-03", chats: 0, visitors: 1 },
  ]);
  // Ben wrote on both days and to both agents: one visitor.
  expect(body.total).toEqual({
    dateStart: "2026-03-02",
    dateEnd: "2026-03-03",
    chats: 3,
    messages: 4,
    visitors: 2,
    up: 2,
    down: 1,
    unanswered: 2,
    medianReplyMs: 2000,
    handovers: 0,
    helped: 0,
    silent: 0,
  });
  expect(body.previous).toEqual({ dateStart: "2026-02-28", dateEnd: "2026-03-01", ...empty });
  const after = await insights("?dateStart=2026-03-04&dateEnd=2026-03-05");
  expect(after.body.previous).toMatchObject({ dateStart: "2026-03-02", chats: 2, visitors: 2 });
});

test("insights export the rows as CSV", async () => {
  const answer = await insights("?dateStart=2026-03-02&dateEnd=2026-03-03&format=csv");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("Content-Disposition")).toBe(
    'attachment; filename="insights-2026-03-02-2026-03-03-day.csv"',
  );
  expect(answer.text).toBe(
    "date,chats,messages,visitors,up,down,unanswered,medianReplyMs,handovers,helped,silent\r\n" +
      "2026-03-02,2,3,2,2,1,1,2000,0,0,0\r\n2026-03-03,0,0,1,0,0,0,8000,0,0,0\r\n",
  );
});

test("insights list questions without a passage, newest first, to readers of the chats", async () => {
  const questions = (query: string, who = team.owner) => who.get(`${team.path}/insights/questions${query}`);
  const first = await questions("?perPage=1");
  expect(first.status).toBe(200);
  expect(first.body.data).toMatchObject([{ question: "Where is the moon?", channel: "widget" }]);
  const second = await questions(`?perPage=1&lastKey=${first.body.lastKey}`);
  expect(second.body).toMatchObject({
    data: [{ question: "Who waters the plants?", chatId: unansweredChat, agentId, channel: "web" }],
    lastKey: null,
  });
  expect((await questions(`?agentId=${agentId}`)).body.data).toHaveLength(1);
  expect((await questions("?dateStart=2026-03-03")).body.data).toEqual([]);
  expect((await questions("?lastKey=bogus")).status).toBe(400);
  expect((await questions("", await newMember(team, "viewer"))).status).toBe(403);
  expect((await questions("", await newPerson())).status).toBe(404);
});

test("insights cover the last thirty days by default", async () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const before = today();
  const { body } = await insights("");
  expect(body.data).toHaveLength(30);
  // Midnight may pass meanwhile.
  expect([before, today()]).toContain(body.data.at(-1).date);
});

test("insights count by days of the reader's time zone, and list questions by them", async () => {
  const days = "dateStart=2026-03-02&dateEnd=2026-03-03&timeZone=Asia/Kathmandu";
  // A message just before midnight in London belongs to the next day in Nepal.
  expect((await insights(`?${days}`)).body).toMatchObject({
    data: [
      { date: "2026-03-02", messages: 2, visitors: 1 },
      { date: "2026-03-03", messages: 1, visitors: 1 },
    ],
    total: { dateStart: "2026-03-02", messages: 3 },
  });
  const listQuestions = async (zone: string) =>
    (await team.owner.get(`${team.path}/insights/questions?dateStart=2026-03-03&timeZone=${zone}`)).body.data;
  expect(await listQuestions("Pacific/Auckland")).toHaveLength(2);
  expect(await listQuestions("Europe/Paris")).toHaveLength(0);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Kiritimati" }).format();
  expect((await insights("?timeZone=Pacific/Kiritimati")).body.data.at(-1).date).toBe(today);
});

test.each(["Asia/Calcutta", "europe/kiev", "America/Buenos_Aires", "Etc/GMT+5", "UTC"])(
  "insights accept the zone %s",
  async (zone) => {
    expect((await insights(`?timeZone=${encodeURIComponent(zone)}`)).status).toBe(200);
  },
);

test.each(["Europe/Atlantis", "+05:45", "posix/Europe/Paris", "", "x'y", "Z".repeat(500)])(
  "insights reject the zone %s",
  async (zone) => {
    const { status, body } = await insights(`?timeZone=${encodeURIComponent(zone)}`);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: "timeZone" }]);
  },
);

test.each([
  "?group=hour",
  "?dateStart=soon",
  "?dateStart=2026-03-02&dateEnd=2026-03-01",
  "?dateStart=1990-01-01",
])("insights reject %s", async (query) => {
  expect((await insights(query)).status).toBe(400);
});

test("insights are for those with insights.read, even without the right to read chats", async () => {
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
  const questions = await analyst.get(`${team.path}/insights/questions`);
  expect(questions.body).toEqual({ data: [], lastKey: null });
  const unknown = await team.owner.get(`${team.path}/insights/${randomUUID()}/chats`);
  expect(unknown.status).toBe(404);
});

test("insights count replies by how far their sources support them, for the team's readers of insights", async () => {
  const sql = await owner();
  const [chat] = await sql`insert into public.chats (team_id, agent_id, created_at)
    values (${team.id}, ${agentId}, '2025-01-01T12:00:00Z') returning id`;
  for (const [state, at] of [
    ["answered", "2025-01-01T12:00:00Z"],
    ["answered", "2025-01-02T23:59:59Z"],
    ["partly", "2025-01-02T12:00:00Z"],
    ["notFound", "2025-01-03T00:00:00Z"],
    [null, "2025-01-01T12:00:00Z"],
  ]) {
    const support = state && sql.json({ state, claims: [], disagreement: [] });
    await sql`insert into public.messages (chat_id, role, support, created_at)
              values (${chat?.id ?? ""}, 'assistant', ${support || null}, ${at ?? ""})`;
  }
  const days = "?dateStart=2025-01-01&dateEnd=2025-01-02";
  const counted = { answered: 2, partly: 1, notFound: 0, disagree: 0, unchecked: 0 };
  expect((await insights(days)).body.support).toEqual(counted);
  expect((await team.owner.get(`${team.path}/insights/chats${days}`)).body.support).toEqual(counted);
  const other = await newAgent(team);
  const none = await team.owner.get(`${team.path}/insights/${other}/chats${days}`);
  expect(none.body.support).toEqual({ ...counted, answered: 0, partly: 0 });
  const stranger = await newTeam();
  const theirs = await sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ role: "authenticated", sub: stranger.owner.id })}, true)`;
    await tx`set local role authenticated`;
    return await tx`select * from private.count_support(${team.id}, null, '2025-01-01', '2025-01-02')`;
  });
  expect(theirs).toHaveLength(0);
});
