// A team's agents and the public ones: settings, validation, lists, and who may read and change them.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const path = (id = "") => `${team.path}/agents${id && `/${id}`}`;
const make = async (values: object = {}) =>
  (await team.owner.post(path(), { name: "Agent", ...values })).body;

describe("an agent", () => {
  test("needs only a name", async () => {
    const { status, body } = await team.owner.post(path(), { name: "  Helper  " });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      teamId: team.id,
      name: "Helper",
      description: "",
      instructions: "",
      greeting: "",
      suggestedPrompts: [],
      model: "",
      temperature: 0.2,
      visibility: "private",
      knowledgeIds: [],
      retrieval: { topK: 6, minScore: 0, mode: "hybrid" },
      allowedOrigins: [],
    });
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect((await team.owner.get(path(body.id))).body).toEqual(body);
    expect((await team.owner.get(`/v1/teams/${team.codename}/agents/${body.id}`)).body).toEqual(body);
  });

  test("stores every setting, and changes only the given ones", async () => {
    const { body: knowledge } = await team.owner.post(`${team.path}/knowledges`, { name: "K" });
    const values = {
      name: "Élan 🚀",
      description: "About",
      instructions: "Be brief.",
      greeting: "Hello!",
      suggestedPrompts: ["One?", "Two?"],
      model: "some-model",
      temperature: 0.7,
      visibility: "public",
      knowledgeIds: [knowledge.id],
      retrieval: { topK: 12, minScore: 0.25, mode: "text" },
    };
    const agent = await make(values);
    expect(agent).toMatchObject(values);
    const { status, body } = await team.owner.put(path(agent.id), { temperature: 0, retrieval: { topK: 3 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...values,
      temperature: 0,
      retrieval: { topK: 3, minScore: 0.25, mode: "text" },
    });
    expect((await team.owner.put(path(agent.id), { knowledgeIds: [] })).body.knowledgeIds).toEqual([]);
    expect((await team.owner.put(path(agent.id), {})).status).toBe(200);
  });

  test("is deleted once", async () => {
    const { id } = await make();
    expect((await team.owner.delete(path(id))).status).toBe(204);
    expect((await team.owner.delete(path(id))).status).toBe(404);
    expect((await team.owner.get(path(id))).status).toBe(404);
  });

  test.each([
    ["no name", { name: undefined }],
    ["a blank name", { name: " " }],
    ["a name that is too long", { name: "x".repeat(201) }],
    ["an unknown field", { teamId: randomUUID() }],
    ["a temperature above 2", { temperature: 2.1 }],
    ["a temperature in words", { temperature: "warm" }],
    ["no passages at all", { retrieval: { topK: 0 } }],
    ["an unknown mode", { retrieval: { mode: "magic" } }],
    ["an unknown visibility", { visibility: "secret" }],
    ["13 suggestions", { suggestedPrompts: Array(13).fill("x") }],
    ["a knowledge that is not there", { knowledgeIds: [randomUUID()] }],
    ["a NUL", { instructions: "a\0b" }],
  ])("is refused with %s", async (_what, values) => {
    const answer = await team.owner.post(path(), { name: "x", ...values });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED", requestId: expect.any(String) },
    });
    expect(answer.text).not.toMatch(/select|insert|constraint|at file:/i);
  });

  test("cannot be given another team's knowledge base", async () => {
    const other = await newTeam();
    const { body: theirs } = await other.owner.post(`${other.path}/knowledges`, { name: "Theirs" });
    const agent = await make();
    expect((await team.owner.put(path(agent.id), { knowledgeIds: [theirs.id] })).status).toBe(400);
    expect((await team.owner.get(path(agent.id))).body.knowledgeIds).toEqual([]);
  });
});

test("an agent's attachments are counted, as far as the caller may see, and never for outsiders", async () => {
  const { body: knowledge } = await team.owner.post(`${team.path}/knowledges`, { name: "Counted" });
  const agent = await make({ name: "Counted", knowledgeIds: [knowledge.id] });
  const uses = async (who = team.owner) => (await who.get(path(`${agent.id}/uses`))).body;
  expect(await uses()).toEqual({ chats: 0, apps: 0, documents: 0 });
  const viewer = await newMember(team, "viewer");
  await team.owner.post(`/v1/agents/${agent.id}/chats`, {});
  await viewer.post(`/v1/agents/${agent.id}/chats`, {});
  await team.owner.post(`${team.path}/apps`, { name: "Desk", type: "slack", agentId: agent.id });
  await team.owner.post(`/v1/agents/${(await make()).id}/chats`, {});
  const { body: file } = await team.owner.upload(`${team.path}/files/upload`, "a.md", "Alpha.");
  await team.owner.put(`${team.path}/knowledges/${knowledge.id}`, { fileIds: [file.id] });
  await expect.poll(async () => (await uses()).documents).toBe(1);
  expect(await uses()).toEqual({ chats: 2, apps: 1, documents: 1 });
  // A viewer reads their own chats, and no apps.
  expect(await uses(viewer)).toEqual({ chats: 1, apps: 0, documents: 1 });
  expect((await (await newPerson()).get(path(`${agent.id}/uses`))).status).toBe(404);
  expect((await team.owner.get(path(`${randomUUID()}/uses`))).status).toBe(404);
});

test("the list is sorted by name, searched and paged", async () => {
  const mine = await newTeam();
  for (const name of ["beta", "Alpha", "alpine_50%", "Gamma"])
    await mine.owner.post(`${mine.path}/agents`, { name });
  const list = async (query: string) => (await mine.owner.get(`${mine.path}/agents${query}`)).body;
  const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name);
  expect(await names("")).toEqual(["Alpha", "alpine_50%", "beta", "Gamma"]);
  expect(await names("?name=ALP")).toEqual(["Alpha", "alpine_50%"]);
  expect(await names("?name=_50%25")).toEqual(["alpine_50%"]);
  const ids = (await list("?name=alp")).data.map(({ id }: { id: string }) => id).join(",");
  expect(await names(`?ids=${ids}`)).toEqual(["Alpha", "alpine_50%"]);
  expect(await names("?ids=0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42")).toEqual([]);
  expect(await list("?page=2&perPage=3")).toMatchObject({
    page: 2,
    perPage: 3,
    total: 4,
    data: [{ name: "Gamma" }],
  });
  expect(await list("?page=9")).toMatchObject({ data: [], total: 4 });
  expect((await mine.owner.get(`${mine.path}/agents?page=1.5`)).status).toBe(400);
});

describe("who may", () => {
  test("viewers read, editors write, outsiders get 404", async () => {
    const agent = await make({ instructions: "Secret instructions" });
    const [viewer, editor, outsider] = await Promise.all([
      newMember(team, "viewer"),
      newMember(team, "editor"),
      newPerson(),
    ]);
    expect((await viewer.get(path(agent.id))).body).toEqual(agent);
    expect((await viewer.post(path(), { name: "x" })).status).toBe(403);
    expect(await viewer.put(path(agent.id), { name: "x" })).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    expect((await viewer.delete(path(agent.id))).status).toBe(403);
    expect((await editor.put(path(agent.id), { name: "Edited" })).status).toBe(200);
    for (const answer of [
      await outsider.get(path()),
      await outsider.get(path(agent.id)),
      await outsider.post(path(), { name: "x" }),
      await outsider.put(path(agent.id), { name: "x" }),
      await outsider.delete(path(agent.id)),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await anyone.get(path(agent.id))).status).toBe(401);
    expect((await team.owner.get(path(agent.id))).body).toMatchObject({ name: "Edited" });
    // Nor through the outsider's own team.
    const other = await newTeam();
    expect((await other.owner.get(`${other.path}/agents/${agent.id}`)).status).toBe(404);
    expect((await other.owner.put(`${other.path}/agents/${agent.id}`, { name: "x" })).status).toBe(404);
  });

  test("a public agent is visible to anyone, without its instructions", async () => {
    const word = `Meadow ${randomUUID()}`;
    const agent = await make({ name: word, instructions: "Secret", greeting: "Hi", visibility: "public" });
    for (const who of [anyone, await newPerson(), team.owner]) {
      const { body } = await who.get(`/v1/agents/${agent.id}`);
      expect(body).toMatchObject({ id: agent.id, name: word, greeting: "Hi", visibility: "public" });
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["instructions"]));
      expect(JSON.stringify(body)).not.toContain("Secret");
      const { body: found } = await who.get(`/v1/agents?name=${encodeURIComponent(word)}`);
      expect(found).toMatchObject({ total: 1, data: [{ id: agent.id }] });
    }
    await team.owner.put(path(agent.id), { visibility: "private" });
    for (const who of [anyone, team.owner])
      expect((await who.get(`/v1/agents/${agent.id}`)).status).toBe(404);
    expect((await anyone.get(`/v1/agents?name=${encodeURIComponent(word)}`)).body.total).toBe(0);
  });
});

describe("allowed origins of an agent", () => {
  test("are stored as origins, public, and checked when a widget starts a chat", async () => {
    const agent = await make({
      visibility: "public",
      allowedOrigins: [" https://Example.com/ ", "https://*.example.org", "http://localhost:8080"],
    });
    expect(agent.allowedOrigins).toEqual([
      "https://example.com",
      "https://*.example.org",
      "http://localhost:8080",
    ]);
    expect((await anyone.get(`/v1/agents/${agent.id}`)).body.allowedOrigins).toEqual(agent.allowedOrigins);
    const start = async (origin: string, channel = "widget") => {
      const headers = { Origin: origin };
      return (await anyone.post(`/v1/agents/${agent.id}/chats`, { channel }, { headers })).status;
    };
    for (const origin of agent.allowedOrigins) expect(await start(origin.replace("*", "a.b"))).toBe(201);
    for (const origin of ["https://example.com:444", "http://example.com", "https://example.org", "null"]) {
      expect(await start(origin)).toBe(403);
    }
    expect(await start("https://elsewhere.test", "web")).toBe(201);
    // An empty list allows every site.
    await team.owner.put(path(agent.id), { allowedOrigins: [] });
    expect(await start("https://elsewhere.test")).toBe(201);
  });

  test("are checked for each question in a widget's chat, and in no other chat", async () => {
    const agent = await make({ visibility: "public", allowedOrigins: ["https://example.com"] });
    const headers = { Origin: "https://example.com" };
    const ask = async (channel: string) => {
      const chat = (await anyone.post(`/v1/agents/${agent.id}/chats`, { channel }, { headers })).body;
      const visitor = { ...headers, "X-Visitor-Token": chat.visitorToken };
      return () => anyone.post(`/v1/chats/${chat.id}/messages`, { content: "Why?" }, { headers: visitor });
    };
    const [inWidget, onPage] = [await ask("widget"), await ask("web")];
    expect((await inWidget()).status).toBe(200);
    await team.owner.put(path(agent.id), { allowedOrigins: ["https://elsewhere.test"] });
    expect((await inWidget()).body).toMatchObject({
      code: "FORBIDDEN",
      details: [{ code: "siteNotAllowed" }],
    });
    expect((await onPage()).status).toBe(200);
  });

  test.each([
    "example.com",
    "https://example.com/path",
    "javascript:alert(1)",
    "https://example.com; script-src *",
    "https://a b",
    "https://*",
    "*",
  ])("refuses %s", async (origin) => {
    const refused = await team.owner.post(path(), { name: "Agent", allowedOrigins: [origin] });
    expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    // Past the API as well: the value becomes part of a policy that browsers enforce.
    const sql = await owner();
    const write = sql`update public.agents set allowed_origins = ${[origin]} where team_id = ${team.id}`;
    await expect(write).rejects.toMatchObject({ code: "23514" });
  });
});
