// A deleted row is found nowhere, and is unchanged once restored.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import {
  type Answer,
  anyone,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
} from "../support/api.ts";
import { asVisitor, atRest, newAgent, newKnowledge } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let viewer: Person;
beforeAll(async () => {
  team = await newTeam();
  viewer = await newMember(team, "viewer");
});

/** A table's rows through PostgREST, as the team's owner. */
async function rest(table: string, query: string): Promise<unknown[]> {
  const { supabaseUrl, anonKey } = await findStack();
  const headers = { apikey: anonKey, Authorization: `Bearer ${team.owner.token}` };
  const answer = await fetch(`${supabaseUrl}/rest/v1/${table}?${query}`, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as unknown[];
}

/** Deletes, and expects that it can be undone. */
async function remove(path: string): Promise<void> {
  const deleted = await team.owner.delete(path);
  expect(deleted).toMatchObject({ status: 204, text: "" });
  const until = Date.parse(deleted.headers.get("undo-until") ?? "");
  expect(until - Date.now()).toBeGreaterThan(60_000);
  expect(await team.owner.get(path)).toMatchObject({ status: 404 });
  expect(await team.owner.delete(path)).toMatchObject({ status: 404 });
}

/** Checks who may not restore, and that a restore happens once. */
async function refuses(path: string): Promise<void> {
  expect(await anyone.post(path)).toMatchObject({ status: 401 });
  expect(await (await newPerson()).post(path)).toMatchObject({ status: 404 });
  expect(await viewer.post(path)).toMatchObject({ status: 403 });
}
const again = (answer: Answer) =>
  expect(answer).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", details: [{ code: "notDeleted" }] },
  });

// More than go at once: they stay in place, hidden, while the deletion can be undone.
test.each([0, 1200])(
  "an agent with %i more chats is restored with its page, chats, versions and tests",
  async (chats) => {
    const knowledge = await newKnowledge(team, {
      "leave.md": "# Leave\n\nEverybody has 25 days of paid leave.",
    });
    const name = `Agent ${randomUUID()}`;
    const id = await newAgent(team, { name, visibility: "public", knowledgeIds: [knowledge.id] });
    const path = `${team.path}/agents/${id}`;
    const asked = (await team.owner.post(`${path}/tests`, { question: "How much leave?", facts: ["25"] }))
      .body;
    const begun = (await anyone.post(`/v1/agents/${id}/chats`, {})).body;
    const visitor = asVisitor(begun.visitorToken);
    await visitor.post(`/v1/chats/${begun.id}/messages`, { content: "How many days of leave?" });
    const sql = await owner();
    await sql`insert into public.chats (team_id, agent_id) select ${team.id}, ${id} from generate_series(1, ${chats}::int)`;
    const reads = async () => ({
      agent: (await team.owner.get(path)).body,
      page: (await anyone.get(`/v1/agents/${id}`)).body,
      versions: (await team.owner.get(`${path}/versions`)).body,
      messages: (await visitor.get(`/v1/chats/${begun.id}/messages`)).body,
      tests: (await team.owner.get(`${path}/tests`)).body,
    });
    const before = await reads();
    expect(before.messages.data).toHaveLength(2);

    // One test alone, then its agent.
    await remove(`${path}/tests/${asked.id}`);
    const testBack = await team.owner.post(`${path}/tests/${asked.id}/restore`);
    expect(testBack).toMatchObject({ status: 200, body: { id: asked.id, question: "How much leave?" } });
    again(await team.owner.post(`${path}/tests/${asked.id}/restore`));
    await remove(path);
    expect(await anyone.get(`/v1/agents/${id}`)).toMatchObject({ status: 404 });
    expect(await visitor.get(`/v1/chats/${begun.id}/messages`)).toMatchObject({ status: 404 });
    expect(await visitor.post(`/v1/chats/${begun.id}/messages`, { content: "And now?" })).toMatchObject({
      status: 404,
    });
    expect(await team.owner.get(`${team.path}/search?query=${encodeURIComponent(name)}`)).toMatchObject({
      body: { data: [] },
    });
    for (const [table, column] of [
      ["agents", "id"],
      ["chats", "agent_id"],
      ["agent_versions", "agent_id"],
    ])
      expect(await rest(table ?? "", `${column}=eq.${id}`)).toEqual([]);
    // Its name is free at once.
    const namesake = await newAgent(team, { name });
    await team.owner.delete(`${team.path}/agents/${namesake}`);

    await refuses(`${path}/restore`);
    expect(await team.owner.post(`${path}/restore`)).toMatchObject({ status: 200, body: before.agent });
    expect(await reads()).toEqual(before);
    expect(await visitor.post(`/v1/chats/${begun.id}/messages`, { content: "How many days?" })).toMatchObject(
      {
        status: 200,
      },
    );
    again(await team.owner.post(`${path}/restore`));
    expect(await team.owner.post(`${team.path}/agents/${randomUUID()}/restore`)).toMatchObject({
      status: 404,
    });
  },
);

test("a knowledge base and a source are searchable again without re-indexing", async () => {
  const knowledge = await newKnowledge(team, {
    "parking.md": "# Parking\n\nBicycles stand in the courtyard.",
  });
  const path = `${team.path}/knowledges/${knowledge.id}`;
  const records = async () => (await team.owner.get(`${path}/records?query=bicycles`)).body;
  const before = await records();
  expect(before.data).toHaveLength(1);
  const usage = async () => {
    const sql = await owner();
    return await sql`select coalesce(sum(calls), 0)::int as calls from public.model_usage where team_id = ${team.id} and channel = 'indexing'`;
  };

  await remove(path);
  expect(await team.owner.get(`${path}/records?query=bicycles`)).toMatchObject({ status: 404 });
  for (const table of ["chunks", "chunk_words", "chunk_embeddings", "document_indexes"])
    expect(await rest(table, `knowledge_id=eq.${knowledge.id}&select=knowledge_id`)).toEqual([]);
  await refuses(`${path}/restore`);
  expect(await team.owner.post(`${path}/restore`)).toMatchObject({
    status: 200,
    body: { id: knowledge.id, chunksCount: 1 },
  });
  expect(await records()).toEqual(before);
  await atRest(team);
  expect(await records()).toEqual(before);

  const source = `${team.path}/sources/${knowledge.sourceIds[0]}`;
  const asIndexed = await usage();
  const sourceBefore = (await team.owner.get(source)).body;
  await remove(source);
  expect((await records()).data).toEqual([]);
  await refuses(`${source}/restore`);
  expect(await team.owner.post(`${source}/restore`)).toMatchObject({ status: 200, body: sourceBefore });
  // The call restores the passages; the queued task has nothing to embed.
  expect((await records()).data).toEqual(before.data);
  await atRest(team);
  expect((await records()).data).toEqual(before.data);
  expect((await team.owner.get(path)).body).toMatchObject({
    status: "ready",
    chunksCount: 1,
    sourceIds: knowledge.sourceIds,
  });
  expect(await usage()).toEqual(asIndexed);
});

test("a written answer is used by agents again", async () => {
  const source = (await team.owner.post(`${team.path}/sources`, { type: "qa", name: "Answers" })).body;
  const knowledge = (await team.owner.post(`${team.path}/knowledges`, { name: "K", sourceIds: [source.id] }))
    .body;
  const entries = `${team.path}/sources/${source.id}/entries`;
  const written = { question: "Where is the spare key?", answer: "Under the blue flower pot." };
  const entry = (await team.owner.post(entries, written)).body;
  await atRest(team);
  const records = async () =>
    (await team.owner.get(`${team.path}/knowledges/${knowledge.id}/records?query=spare+key`)).body.data;
  const before = await records();
  expect(before).toHaveLength(1);
  await remove(`${entries}/${entry.id}`);
  expect(await records()).toEqual([]);
  await refuses(`${entries}/${entry.id}/restore`);
  expect(await team.owner.post(`${entries}/${entry.id}/restore`)).toMatchObject({
    status: 200,
    body: written,
  });
  expect(await records()).toEqual(before);
  again(await team.owner.post(`${entries}/${entry.id}/restore`));
  await atRest(team);
  expect(await records()).toEqual(before);
});

test("a restore after the deadline is refused", async () => {
  const id = await newAgent(team, { name: "Soon gone for good" });
  await remove(`${team.path}/agents/${id}`);
  const sql = await owner();
  await sql`update private.deletions set expires_at = clock_timestamp() where row_id = ${id}`;
  expect(await team.owner.post(`${team.path}/agents/${id}/restore`)).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
});

test("a source is restored without a knowledge base that is full by then, and the answer says so", async () => {
  const sql = await owner();
  const knowledge = await newKnowledge(team, { "yard.md": "# Yard\n\nThe yard closes at six." });
  const sourceId = knowledge.sourceIds[0] ?? "";
  const source = `${team.path}/sources/${sourceId}`;
  await atRest(team);
  await remove(source);
  await sql`
    with made as (
      insert into public.sources (team_id, type, name)
      select ${team.id}, 'qa', 'Answers ' || n from generate_series(1, 200) n returning id)
    insert into public.knowledge_sources (team_id, knowledge_id, source_id) select ${team.id}, ${knowledge.id}, id from made`;
  const restored = await team.owner.post(`${source}/restore`);
  expect([restored.status, restored.headers.get("undo-left-out")]).toEqual([200, "1"]);
  expect((await team.owner.get(source)).body).toMatchObject({ id: sourceId, documentsCount: 1 });
  const [count] = await sql`
    select count(*)::int as links, count(*) filter (where source_id = ${sourceId})::int as own
      from public.knowledge_sources where knowledge_id = ${knowledge.id}`;
  expect(count).toEqual({ links: 200, own: 0 });
  await atRest(team);
  expect(await rest("chunks", `select=id&knowledge_id=eq.${knowledge.id}&source_id=eq.${sourceId}`)).toEqual(
    [],
  );
});
