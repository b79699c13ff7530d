// Knowledge bases: created from files, indexed automatically, searched, and kept within their team.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, until, uploadTexts, waitUntilIndexed } from "../support/content.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const path = (id = "") => `${team.path}/knowledges${id && `/${id}`}`;
const titles = async (sourceId: string) => {
  const { body } = await team.owner.get(`${team.path}/sources/${sourceId}/documents`);
  return body.data.map(({ title }: { title: string }) => title).sort();
};

describe("a knowledge base", () => {
  test("is empty and waits for sources when created without any", async () => {
    const { status, body } = await team.owner.post(path(), { name: "Empty" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      teamId: team.id,
      name: "Empty",
      description: "",
      language: "en",
      sourceIds: [],
      embeddingModel: expect.any(String),
      dimensions: expect.any(Number),
      chunking: { maxTokens: 320, overlapTokens: 40 },
      status: "none",
      documentsCount: 0,
      chunksCount: 0,
      indexedAt: null,
    });
    expect((await team.owner.get(path(body.id))).body).toEqual(body);
  });

  test("is indexed automatically when created with files", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "# A\n\nAlpha.", "b.md": "# B\n\nBeta." });
    expect(knowledge).toMatchObject({
      status: "ready",
      documentsCount: 2,
      chunksCount: 2,
      embeddingModel: expect.any(String),
      dimensions: expect.any(Number),
      indexedAt: expect.any(String),
      sourceIds: [expect.any(String)],
    });
    const [sourceId] = knowledge.sourceIds;
    expect((await team.owner.get(`${team.path}/sources/${sourceId}`)).body).toMatchObject({
      type: "file",
      status: "ready",
      documentsCount: 2,
    });
    expect(await titles(sourceId)).toEqual(["a.md", "b.md"]);
  });

  test("is an agent's from the start, for those who may change the agent", async () => {
    const agentId = await newAgent(team);
    const { body, status } = await team.owner.post(path(), { agentId });
    expect(status).toBe(201);
    const ownOf = async (of: Team, id: string) =>
      (await of.owner.get(`${of.path}/agents/${id}`)).body.knowledgeIds as string[];
    expect(await ownOf(team, agentId)).toEqual([body.id]);

    const other = await newTeam();
    const theirs = await newAgent(other);
    const before = (await team.owner.get(path())).body.total;
    for (const foreign of [theirs, randomUUID()])
      expect((await team.owner.post(path(), { agentId: foreign })).body).toMatchObject({
        code: "VALIDATION_FAILED",
        details: [{ code: "missing" }],
      });
    const role = await team.owner.post("/v1/roles", {
      teamId: team.id,
      name: "Librarian",
      permissions: ["team.read", "agents.read", "knowledges.read", "knowledges.write"],
    });
    const librarian = await newMember(team, role.body.id);
    expect((await librarian.post(path(), { agentId })).status).toBe(403);
    // Nothing of a refused call stays, in neither team.
    expect((await team.owner.get(path())).body.total).toBe(before);
    expect(await ownOf(other, theirs)).toEqual([]);

    const many: string[] = [];
    while (many.length < 49) many.push((await team.owner.post(path(), {})).body.id);
    await team.owner.put(`${team.path}/agents/${agentId}`, { knowledgeIds: [body.id, ...many] });
    expect((await team.owner.post(path(), { agentId })).body.details).toMatchObject([
      { path: "agentId", code: "tooMany" },
    ]);
    expect(await ownOf(team, agentId)).toHaveLength(50);
  });

  test("shows 200 sources on its page, takes no more, and gives some back", async () => {
    const { id } = (await team.owner.post(path(), {})).body;
    const sql = await owner();
    await sql`
      with made as (insert into public.sources (team_id, type, name)
                    select ${team.id}, 'qa', 'Source ' || n from generate_series(1, 200) n returning id)
      insert into public.knowledge_sources (team_id, knowledge_id, source_id) select ${team.id}, ${id}, id from made`;
    const fileIds = await uploadTexts(team, { "more.md": "More." });
    const more = await team.owner.put(path(id), { fileIds });
    expect(more).toMatchObject({ status: 400, body: { details: [{ code: "sourcesFull" }] } });

    const headers = { cookie: cookieOf(await postLogin(team.owner)) };
    const { webUrl } = await findStack();
    const page = await fetch(`${webUrl}/teams/${team.codename}/knowledges/${id}`, { headers });
    const names = [...(await page.text()).matchAll(/Source \d+(?=<)/g)].map(([name]) => name);
    expect([page.status, new Set(names).size]).toEqual([200, 200]);

    const [, ...others] = (await team.owner.get(path(id))).body.sourceIds;
    expect((await team.owner.put(path(id), { sourceIds: others })).body.sourceIds).toHaveLength(199);
    expect((await team.owner.put(path(id), { fileIds })).body.sourceIds).toHaveLength(200);
  });

  test("adds more files to its own source, once each", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha." });
    const [sourceId] = knowledge.sourceIds;
    const [first] = (await team.owner.get(`${team.path}/sources/${sourceId}`)).body.config.fileIds;
    const added = await uploadTexts(team, { "b.md": "Beta." });
    const { status, body } = await team.owner.put(path(knowledge.id), {
      fileIds: [...added, ...added, first],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "queued", sourceIds: [sourceId] });
    expect((await team.owner.get(`${team.path}/sources/${sourceId}`)).body.config.fileIds).toEqual([
      first,
      ...added,
    ]);
    expect((await waitUntilIndexed(team, knowledge.id)).body).toMatchObject({
      status: "ready",
      documentsCount: 2,
    });
  });

  test("puts files into a source of its own, not into a shared one", async () => {
    const one = await newKnowledge(team, { "shared.md": "Shared." });
    const { body: two } = await team.owner.post(path(), { name: "Two", sourceIds: one.sourceIds });
    const added = await uploadTexts(team, { "private.md": "Only for two." });
    const { body } = await team.owner.put(path(two.id), { fileIds: added });
    expect(body.sourceIds).toHaveLength(2);
    expect((await waitUntilIndexed(team, two.id)).body).toMatchObject({ status: "ready", documentsCount: 2 });
    expect((await team.owner.get(path(one.id))).body).toMatchObject({ documentsCount: 1 });
  });

  test("follows its sources: removed documents leave its index", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha.", "b.md": "Beta." });
    const { body } = await team.owner.put(path(knowledge.id), { sourceIds: [] });
    expect(body).toMatchObject({ sourceIds: [], status: "queued" });
    expect((await waitUntilIndexed(team, knowledge.id)).body).toMatchObject({
      documentsCount: 0,
      chunksCount: 0,
    });
    await team.owner.put(path(knowledge.id), { sourceIds: knowledge.sourceIds });
    expect((await waitUntilIndexed(team, knowledge.id)).body).toMatchObject({
      documentsCount: 2,
      status: "ready",
    });
    expect((await team.owner.delete(`${team.path}/sources/${knowledge.sourceIds[0]}`)).status).toBe(204);
    expect((await waitUntilIndexed(team, knowledge.id)).body).toMatchObject({
      documentsCount: 0,
      chunksCount: 0,
      sourceIds: [],
    });
  });

  test("is indexed again only when its chunking or language changes", async () => {
    const text = Array.from({ length: 60 }, (_, i) => `Sentence ${i} says something of its own.`).join(" ");
    const knowledge = await newKnowledge(team, { "long.md": text });
    const { body: renamed } = await team.owner.put(path(knowledge.id), {
      name: "Renamed",
      description: "New",
    });
    expect(renamed).toMatchObject({ name: "Renamed", description: "New", status: "ready" });
    const { body: same } = await team.owner.put(path(knowledge.id), { chunking: { maxTokens: 320 } });
    expect(same.status).toBe("ready");
    const { body: smaller } = await team.owner.put(path(knowledge.id), {
      chunking: { maxTokens: 64, overlapTokens: 0 },
    });
    expect(smaller).toMatchObject({ status: "queued", chunking: { maxTokens: 64, overlapTokens: 0 } });
    const { body: after } = await waitUntilIndexed(team, knowledge.id);
    expect(after.status).toBe("ready");
    expect(after.chunksCount).toBeGreaterThan(knowledge.chunksCount);
  });

  test("returns the task when indexing is requested", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha." });
    const { status, body } = await team.owner.post(`${path(knowledge.id)}/index`);
    expect(status).toBe(202);
    const { body: tasks } = await until(
      () => team.owner.get(`${team.path}/tasks?taskId=${body.taskId}`),
      ({ body }) => body.data[0]?.status === "succeeded",
    );
    expect(tasks.data[0]).toMatchObject({
      type: "index",
      knowledgeId: knowledge.id,
      progress: { done: 1, total: 1 },
      message: "Indexed 1 document, 1 passage",
    });
  });

  test("is deleted with its index; its files and sources stay", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha." });
    const agent = await newAgent(team, { knowledgeIds: [knowledge.id] });
    expect((await team.owner.delete(path(knowledge.id))).status).toBe(204);
    expect((await team.owner.delete(path(knowledge.id))).status).toBe(404);
    expect((await team.owner.get(path(knowledge.id))).status).toBe(404);
    const sql = await owner();
    const [left] =
      await sql`select count(*)::int as chunks from public.chunks where knowledge_id = ${knowledge.id}`;
    expect(left?.chunks).toBe(0);
    expect(await titles(knowledge.sourceIds[0])).toEqual(["a.md"]);
    expect((await team.owner.get(`${team.path}/agents/${agent}`)).body.knowledgeIds).toEqual([]);
  });

  test("names a file that cannot be parsed, and indexes the rest", async () => {
    const knowledge = await newKnowledge(team, { "good.md": "Fine.", "bad.pdf": "this is no PDF" });
    expect(knowledge).toMatchObject({ status: "ready" });
    const { body } = await team.owner.get(`${team.path}/sources/${knowledge.sourceIds[0]}/documents`);
    const bad = body.data.find(({ title }: { title: string }) => title === "bad.pdf");
    expect(bad).toMatchObject({ status: "failed", error: expect.stringContaining("bad.pdf") });
    expect(body.data.find(({ title }: { title: string }) => title === "good.md")).toMatchObject({
      status: "ready",
    });
  });
});

describe("the list", () => {
  test("is sorted by name, searched and paged", async () => {
    const mine = await newTeam();
    for (const name of ["pears", "Apples", "Quinces 100%", "apricots"])
      await mine.owner.post(`${mine.path}/knowledges`, { name });
    const names = async (query: string) =>
      (await mine.owner.get(`${mine.path}/knowledges${query}`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names("")).toEqual(["Apples", "apricots", "pears", "Quinces 100%"]);
    expect(await names("?name=AP")).toEqual(["Apples", "apricots"]);
    expect(await names("?name=%25")).toEqual(["Quinces 100%"]);
    expect(await names("?perPage=1&page=3")).toEqual(["pears"]);
    const { body } = await mine.owner.get(`${mine.path}/knowledges?name=pe`);
    expect(await names(`?ids=${body.data[0].id}`)).toEqual(["pears"]);
    expect(await names("?ids=")).toEqual([]);
    const { body: source } = await mine.owner.post(`${mine.path}/sources`, { type: "qa", name: "Answers" });
    expect(await names(`?sourceId=${source.id}`)).toEqual([]);
    await mine.owner.put(`${mine.path}/knowledges/${body.data[0].id}`, { sourceIds: [source.id] });
    expect(await names(`?sourceId=${source.id}`)).toEqual(["pears"]);
  });
});

describe("a knowledge base without a name", () => {
  test("is named after its first source, or else the team, with a number if taken", async () => {
    const mine = await newTeam();
    const make = async (body: object) => (await mine.owner.post(`${mine.path}/knowledges`, body)).body;
    const { body: source } = await mine.owner.post(`${mine.path}/sources`, { type: "qa", name: "Answers" });
    const other = await newTeam();
    const { body: theirs } = await other.owner.post(`${other.path}/sources`, { type: "qa", name: "Secret" });
    expect((await make({})).name).toBe("Test Team");
    expect((await make({})).name).toBe("Test Team 2");
    expect((await make({ language: "fr" })).name).toBe("Test Team 3");
    expect((await make({ sourceIds: [source.id] })).name).toBe("Answers");
    expect((await make({ sourceIds: [source.id] })).name).toBe("Answers 2");
    const { body: refused, status } = await mine.owner.post(`${mine.path}/knowledges`, {
      sourceIds: [theirs.id],
    });
    expect(status).toBe(400);
    expect(JSON.stringify(refused)).not.toContain("Secret");
  });
});

describe("what is refused", () => {
  test.each([
    ["a blank name", { name: "  " }],
    ["an unknown field", { name: "x", teamId: randomUUID() }],
    ["an unknown language", { name: "x", language: "de" }],
    ["overlap as large as the chunk", { name: "x", chunking: { maxTokens: 50, overlapTokens: 50 } }],
    ["a file that is not there", { name: "x", fileIds: [randomUUID()] }],
    ["a source that is not there", { name: "x", sourceIds: [randomUUID()] }],
    ["ids that are none", { name: "x", fileIds: ["a"] }],
  ])("%s", async (_what, body) => {
    const before = (await team.owner.get(path())).body.total;
    expect(await team.owner.post(path(), body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
    expect((await team.owner.get(path())).body.total).toBe(before);
  });

  test("another team's files and sources are rejected", async () => {
    const other = await newTeam();
    const theirs = await newKnowledge(other, { "secret.md": "Secret." });
    const [fileId] = (await other.owner.get(`${other.path}/sources/${theirs.sourceIds[0]}`)).body.config
      .fileIds;
    expect((await team.owner.post(path(), { name: "x", fileIds: [fileId] })).status).toBe(400);
    expect((await team.owner.post(path(), { name: "x", sourceIds: theirs.sourceIds })).status).toBe(400);
    expect((await team.owner.get(path(theirs.id))).status).toBe(404);
    expect((await team.owner.put(path(theirs.id), { name: "Mine" })).status).toBe(404);
    expect((await team.owner.post(`${path(theirs.id)}/index`)).status).toBe(404);
    expect((await team.owner.delete(path(theirs.id))).status).toBe(404);
  });

  test("viewers change nothing, outsiders see nothing", async () => {
    const { body } = await team.owner.post(path(), { name: "Guarded" });
    const viewer = await newMember(team, "viewer");
    expect((await viewer.get(path(body.id))).status).toBe(200);
    expect((await viewer.post(path(), { name: "x" })).status).toBe(403);
    expect((await viewer.put(path(body.id), { name: "x" })).status).toBe(403);
    expect((await viewer.post(`${path(body.id)}/index`)).status).toBe(403);
    expect((await viewer.delete(path(body.id))).status).toBe(403);
    const outsider = await newPerson();
    expect((await outsider.get(path(body.id))).status).toBe(404);
    expect((await outsider.get(path())).status).toBe(404);
    expect((await anyone.get(path())).status).toBe(401);
    expect((await team.owner.get(path(body.id))).body).toEqual(body);
  });
});

describe("records", () => {
  let knowledge: { id: string };
  const records = (query: string, who = team.owner) => who.get(`${path(knowledge.id)}/records${query}`);
  beforeAll(async () => {
    knowledge = await newKnowledge(team, {
      "tea.md": "# Tea\n\nGreen tea is steeped for two minutes in water of 75 degrees.",
      "coffee.md": "# Coffee\n\nCoffee is ground just before it is brewed.",
      "bread.md": "# Bread\n\nThe dough rests overnight in the cold.",
    });
  });

  test("are found by a question, with their ranks", async () => {
    const { status, body } = await records(
      `?query=${encodeURIComponent("How long is green tea steeped?")}&count=2`,
    );
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(2);
    const [best] = body.data;
    expect(best).toMatchObject({
      id: expect.any(String),
      title: "tea.md",
      url: null,
      content: expect.stringContaining("two minutes"),
      vectorRank: 1,
      textRank: 1,
    });
    expect(best.score).toBeGreaterThan(0);
    expect(best.score).toBeLessThanOrEqual(1);
    const { body: document } = await team.owner.get(
      `${team.path}/sources/${best.sourceId}/documents/${best.documentId}`,
    );
    expect(document.content.slice(best.startOffset, best.endOffset)).toContain("two minutes");
  });

  test("are sorted as requested", async () => {
    const readSorted = async (sort: string) =>
      (await records(`?query=coffee%20and%20tea&sort=${sort}`)).body.data;
    const scores = (await readSorted("score")).map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    const ranks = (await readSorted("vectorRank")).map(
      ({ vectorRank }: { vectorRank: number }) => vectorRank,
    );
    expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => a - b));
    expect((await records("?query=tea&sort=magic")).status).toBe(400);
  });

  test("are listed without a question, and counted", async () => {
    const { body } = await records("");
    expect(body.data).toHaveLength(3);
    expect(body.data[0]).toMatchObject({ score: null, vectorRank: null, textRank: null });
    const fieldsOf = async (query: string) => Object.keys((await records(query)).body.data[0]).toSorted();
    expect(await fieldsOf("?query=tea")).toEqual(await fieldsOf(""));
    expect((await records("?count=1")).body.data).toHaveLength(1);
    for (const query of ["?count=0", "?count=101", `?query=${"x".repeat(4001)}`])
      expect((await records(query)).status).toBe(400);
  });

  test("treat any question as words", async () => {
    for (const query of [
      "'; drop table chunks; --",
      "& | ! <-> :*",
      "((((",
      "\\",
      "%",
      "🌦️",
      "a".repeat(4000),
    ])
      expect((await records(`?query=${encodeURIComponent(query)}`)).status).toBe(200);
  });

  test("belong to the team only", async () => {
    const viewer = await newMember(team, "viewer");
    expect((await records("?query=tea", viewer)).body.data.length).toBeGreaterThan(0);
    expect((await records("?query=tea", await newPerson())).status).toBe(404);
    const other = await newTeam();
    expect((await other.owner.get(`${other.path}/knowledges/${knowledge.id}/records?query=tea`)).status).toBe(
      404,
    );
  });
});
