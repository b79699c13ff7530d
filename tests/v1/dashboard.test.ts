// A team's overview: every part counts what the lists count, within the caller's role.
import { beforeAll, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam("Overview");
});

test("the overview of an empty team is empty, day by day", async () => {
  const { status, body } = await team.owner.get(`/v1/dashboard?team=${team.codename}`);
  expect(status).toBe(200);
  const none = { total: 0, data: [] };
  expect(body).toMatchObject({
    teamId: team.id,
    agents: none,
    knowledges: { total: 0 },
    chats: [],
    tasks: [],
    attention: {
      failedSources: none,
      failedKnowledges: none,
      staleKnowledges: none,
      overdueKnowledges: none,
      agentsWithoutKnowledge: none,
    },
    insights: { total: { chats: 0, messages: 0, up: 0, down: 0, unanswered: 0 } },
  });
  const there = await team.owner.get(`/v1/dashboard?team=${team.id}&timeZone=Pacific/Kiritimati`);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Kiritimati" }).format();
  expect(there.body.insights.data.at(-1).date).toBe(today);
  const { body: insights } = await team.owner.get(`${team.path}/insights/chats`);
  // The dashboard shows no outcomes.
  const shown = insights.data.map(
    ({ handovers: _h, helped: _p, silent: _s, ...rest }: Record<string, unknown>) => rest,
  );
  expect(body.insights.data).toEqual(shown);
});

test("the overview shows what needs attention, what is new, and figures of this and the previous month", async () => {
  const agents: { id: string }[] = [];
  for (let at = 1; at <= 10; at += 1)
    agents.push((await team.owner.post(`${team.path}/agents`, { name: `Agent ${at}` })).body);
  const knowledge = (await team.owner.post(`${team.path}/knowledges`, { name: "Knowledge" })).body;
  await team.owner.put(`${team.path}/agents/${agents[0]?.id}`, { knowledgeIds: [knowledge.id] });
  const chat = (await team.owner.post(`/v1/agents/${agents[0]?.id}/chats`, { title: "Newest" })).body;
  const before = (await team.owner.post(`/v1/agents/${agents[0]?.id}/chats`, { title: "A month ago" })).body;
  const sql = await owner();
  await sql`update public.knowledges set status = 'failed' where id = ${knowledge.id}`;
  await sql`update public.chats set created_at = now() - interval '40 days' where id = ${before.id}`;

  const { body } = await team.owner.get(`/v1/dashboard?team=${team.id}`);
  expect(body.agents.total).toBe(10);
  // Natural order: 2 comes before 10.
  expect(body.agents.data.map(({ name }: { name: string }) => name)).toEqual(
    [1, 2, 3, 4, 5, 6].map((at) => `Agent ${at}`),
  );
  expect(body.attention.failedKnowledges).toEqual({
    total: 1,
    data: [{ id: knowledge.id, name: "Knowledge" }],
  });
  expect(body.attention.agentsWithoutKnowledge).toMatchObject({
    total: 9,
    data: [{ name: "Agent 2" }, { name: "Agent 3" }],
  });
  expect(body.chats.map(({ title }: { title: string }) => title)).toEqual(["A month ago", "Newest"]);
  expect(body.chats[1]).toEqual({ id: chat.id, title: "Newest", updatedAt: chat.updatedAt });
  expect(body.insights).toMatchObject({ total: { chats: 1 }, previous: { chats: 1 } });
  const { body: insights } = await team.owner.get(`${team.path}/insights/chats`);
  const { chats, messages, up, down, unanswered } = insights.total;
  expect(body.insights.total).toEqual({ chats, messages, up, down, unanswered });
});

test("the overview lists running tasks in the reader's language", async () => {
  const file = await team.owner.upload(`${team.path}/files/upload`, "a.txt", "Some words.");
  const source = (
    await team.owner.post(`${team.path}/sources`, {
      type: "file",
      name: "Files",
      config: { fileIds: [file.body.id] },
    })
  ).body;
  const { body: task } = await team.owner.post(`${team.path}/sources/${source.id}/loadDocuments`, {});
  const sql = await owner();
  await sql`update public.tasks set status = 'waiting' where id = ${task.taskId}`;
  const french = { headers: { "accept-language": "fr" } };
  const { body } = await team.owner.get("/v1/dashboard", french);
  const { body: listed } = await team.owner.get(`${team.path}/tasks?taskId=${task.taskId}`, french);
  const { id, type, status, progress, message, sourceId } = listed.data[0];
  expect(body.tasks).toContainEqual({ id, type, status, progress, message, sourceId, about: "Files" });
});

test("the overview follows the role: a viewer gets no figures and their own chats, an outsider nothing", async () => {
  const viewer = await newMember(team, "viewer");
  const { body } = await viewer.get(`/v1/dashboard?team=${team.id}`);
  expect(body).toMatchObject({ teamId: team.id, agents: { total: 10 }, chats: [], insights: null });
  const outsider = await newPerson();
  expect(await outsider.get(`/v1/dashboard?team=${team.id}`)).toMatchObject({ status: 404 });
  const own = (await outsider.post("/v1/teams", { name: "Own" })).body;
  // An inaccessible team counts as missing: the first of the caller's is shown.
  expect((await outsider.get(`/v1/dashboard?team=${team.id}`)).body.teamId).toBe(own.id);
  expect(await anyone.get("/v1/dashboard")).toMatchObject({ status: 401 });
});
