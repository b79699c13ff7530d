// Sources: their documents, credentials, connection tests and tasks, and what each refuses.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newKnowledge, until, uploadTexts, waitUntilIndexed } from "../support/content.ts";
import { sayIn } from "../support/words.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const path = (id = "") => `${team.path}/sources${id && `/${id}`}`;
/** A URL that may not be called, so that a sync fails at once. */
const site = "https://192.0.2.10";
const login = { email: "a@example.com", apiToken: "abc" };
const jira = (values: object = {}) => ({
  type: "jira",
  name: "Tracker",
  config: { site, projects: ["OPS"] },
  credentials: login,
  ...values,
});

describe("a source of files", () => {
  test("lists its documents automatically", async () => {
    const fileIds = await uploadTexts(team, { "a.md": "Alpha.", "b.md": "Beta." });
    const { status, body } = await team.owner.post(path(), {
      type: "file",
      name: "Files",
      config: { fileIds },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      teamId: team.id,
      type: "file",
      name: "Files",
      config: { fileIds },
      hasCredentials: false,
      error: null,
    });
    const loaded = await until(
      () => team.owner.get(path(body.id)),
      ({ body }) => body.documentsCount === 2,
    );
    expect(loaded.body).toMatchObject({ syncedAt: expect.any(String) });
  });

  test("follows its list: added and removed files, in every knowledge base that has it", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha.", "b.md": "Beta." });
    const [sourceId] = knowledge.sourceIds;
    const [first] = (await team.owner.get(path(sourceId))).body.config.fileIds;
    const [third] = await uploadTexts(team, { "c.md": "Gamma." });
    const { status } = await team.owner.put(path(sourceId), { config: { fileIds: [first, third] } });
    expect(status).toBe(200);
    expect((await waitUntilIndexed(team, knowledge.id)).body).toMatchObject({
      documentsCount: 2,
      chunksCount: 2,
    });
    const { body } = await team.owner.get(`${path(sourceId)}/documents`);
    expect(body.data.map(({ title }: { title: string }) => title).sort()).toEqual(["a.md", "c.md"]);
  });

  test("lists, indexes, and returns the task of each", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha." });
    const [sourceId] = knowledge.sourceIds;
    for (const [action, type] of [
      ["loadDocuments", "loadDocuments"],
      ["index", "index"],
    ]) {
      const { status, body } = await team.owner.post(`${path(sourceId)}/${action}`);
      expect(status).toBe(202);
      const { body: tasks } = await until(
        () => team.owner.get(`${team.path}/tasks?taskId=${body.taskId}`),
        ({ body }) => body.data[0]?.status === "succeeded",
      );
      expect(tasks.data[0]).toMatchObject({ type, sourceId });
    }
  });

  test("deletes its indexes and keeps its documents", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha." });
    const [sourceId] = knowledge.sourceIds;
    expect((await team.owner.delete(`${path(sourceId)}/indexes`)).status).toBe(204);
    expect((await team.owner.get(`${team.path}/knowledges/${knowledge.id}`)).body).toMatchObject({
      status: "stale",
      documentsCount: 0,
      chunksCount: 0,
    });
    expect((await team.owner.get(`${path(sourceId)}/documents`)).body.data).toMatchObject([
      { status: "none" },
    ]);
    await team.owner.post(`${path(sourceId)}/index`);
    expect((await waitUntilIndexed(team, knowledge.id)).body).toMatchObject({
      status: "ready",
      chunksCount: 1,
    });
  });

  test("stops open tasks, and says when there are none", async () => {
    const knowledge = await newKnowledge(team, { "a.md": "Alpha." });
    const [sourceId] = knowledge.sourceIds;
    expect(await team.owner.call("DELETE", `${path(sourceId)}/index`)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    const sql = await owner();
    // A task that no worker claims meanwhile.
    const [task] = await sql`
      insert into public.tasks (team_id, type, key, source_id, run_after)
      values (${team.id}, 'index', ${`index:source:${sourceId}`}, ${sourceId}, now() + interval '1 hour') returning id`;
    const { status, body } = await team.owner.call("DELETE", `${path(sourceId)}/index`);
    expect(status).toBe(202);
    expect(body.taskId).toBe(task?.id);
    const { body: tasks } = await team.owner.get(`${team.path}/tasks?taskId=${task?.id}`);
    expect(tasks.data[0]).toMatchObject({ status: "stopped", message: "Stopped" });
  });
});

describe("credentials", () => {
  test("are written, never read, and sealed at rest", async () => {
    const secret = `token-${randomUUID()}`;
    const { status, body, text } = await team.owner.post(
      path(),
      jira({ credentials: { ...login, apiToken: secret } }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ type: "jira", hasCredentials: true });
    expect(text).not.toContain(secret);
    expect((await team.owner.get(path(body.id))).text).not.toContain(secret);
    const sql = await owner();
    const [row] = await sql`select ciphertext from private.source_credentials where source_id = ${body.id}`;
    expect(Buffer.from(row?.ciphertext).includes(secret)).toBe(false);
    // Sealed anew each time: equal secrets do not look equal.
    await team.owner.put(path(body.id), { credentials: { apiToken: secret } });
    const [again] = await sql`select ciphertext from private.source_credentials where source_id = ${body.id}`;
    expect(again?.ciphertext).not.toEqual(row?.ciphertext);
    expect((await team.owner.put(path(body.id), { name: "Renamed" })).body).toMatchObject({
      hasCredentials: true,
    });
    expect((await team.owner.put(path(body.id), { credentials: null })).body).toMatchObject({
      hasCredentials: false,
    });
  });

  test("one field is changed alone; a new URL requires all of them again", async () => {
    const { body } = await team.owner.post(path(), jira());
    expect((await team.owner.put(path(body.id), { credentials: { apiToken: "xyz" } })).status).toBe(200);
    const config = { ...body.config, site: "https://192.0.2.11" };
    expect(await team.owner.put(path(body.id), { config })).toMatchObject({
      status: 400,
      body: { details: [{ path: "credentials" }] },
    });
    expect((await team.owner.get(path(body.id))).body.config.site).toBe(site);
    // The stored email belongs to the URL before.
    expect(await team.owner.put(path(body.id), { config, credentials: { apiToken: "new" } })).toMatchObject({
      status: 400,
      body: { details: [{ path: "credentials.email" }] },
    });
    expect((await team.owner.get(path(body.id))).body.config.site).toBe(site);
    const moved = await team.owner.put(path(body.id), { config, credentials: { ...login, apiToken: "new" } });
    expect(moved.body).toMatchObject({ config, hasCredentials: true });
    for (const bad of [{ password: "x" }, { apiToken: "two words" }])
      expect((await team.owner.put(path(body.id), { credentials: bad })).status).toBe(400);
  });

  test("a schedule says when it syncs next", async () => {
    const { body } = await team.owner.post(path(), jira({ schedule: "daily" }));
    expect(Date.parse(body.nextSyncAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const manual = await team.owner.put(path(body.id), { schedule: "manual" });
    expect(manual.body).toMatchObject({ schedule: "manual", nextSyncAt: null });
    expect((await team.owner.put(path(body.id), { schedule: "yearly" })).status).toBe(400);
  });

  test("are rejected for a source without a login", async () => {
    const answer = await team.owner.post(path(), { type: "file", name: "x", credentials: { a: "b" } });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: "credentials" }] } });
  });
});

test("a connector's own field errors name the field, in the reader's language", async () => {
  const wrong = { type: "website", name: "Site", config: { startUrl: "not an address" } };
  expect(await team.owner.post(path(), wrong, { headers: { "accept-language": "fr" } })).toMatchObject({
    status: 400,
    body: {
      code: "VALIDATION_FAILED",
      details: [
        {
          path: "config.startUrl",
          code: "addressStart",
          message: sayIn("fr")("problems:sentences.addressStart"),
        },
      ],
    },
  });
});

describe("testing settings", () => {
  const attempt = (body: object) => team.owner.post(path("test"), body);

  test("calls nothing on this machine or in this network, and names the field", async () => {
    const credentials = { email: "a@example.com", apiToken: "abc" };
    for (const site of [
      "https://localhost",
      "https://10.0.0.1",
      "https://169.254.169.254",
      "http://example.com",
    ])
      expect(await attempt({ type: "jira", config: { site }, credentials })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_FAILED", details: [{ path: expect.stringContaining("config") }] },
      });
    for (const body of [
      { type: "shopify", config: { shop: "https://evil.example" }, credentials: { accessToken: "x" } },
      { type: "hubspot", config: { apiUrl: "https://evil.example" }, credentials: { accessToken: "x" } },
    ])
      expect((await attempt(body)).body).toMatchObject({
        details: [{ path: expect.stringContaining("config.") }],
      });
  });

  test("counts an agent's chats, validates its settings, and is for those who may write", async () => {
    const agent = await team.owner.post(`${team.path}/agents`, { name: "Concierge" });
    const config = { agentId: agent.body.id };
    expect(await attempt({ type: "agentChat", config })).toMatchObject({
      status: 200,
      body: { data: [{ kind: "chats", name: "Concierge", count: 0, problem: null }] },
    });
    const made = await team.owner.post(path(), { type: "agentChat", name: "Past chats", config });
    expect((await attempt({ id: made.body.id })).body.data).toHaveLength(1);
    expect(await attempt(jira({ name: undefined, credentials: undefined }))).toMatchObject({
      status: 400,
      body: { details: [{ path: "credentials.email" }, { path: "credentials.apiToken" }] },
    });
    for (const body of [
      {},
      { type: "rss" },
      { id: made.body.id, type: "jira" },
      { type: "agentChat", config: {} },
    ])
      expect((await attempt(body)).status).toBe(400);
    expect((await attempt({ id: randomUUID() })).status).toBe(404);
    const viewer = await newMember(team, "viewer");
    expect((await viewer.post(path("test"), { type: "agentChat", config })).status).toBe(403);
    expect((await viewer.post(`${path(made.body.id)}/sync`)).status).toBe(403);
    const outsider = await newPerson();
    expect((await outsider.post(path("test"), { type: "agentChat", config })).status).toBe(404);
    const synced = await team.owner.post(`${path(made.body.id)}/sync`);
    expect(synced.status).toBe(202);
    const { body: tasks } = await until(
      () => team.owner.get(`${team.path}/tasks?taskId=${synced.body.taskId}`),
      ({ body }) => body.data[0]?.status === "succeeded",
    );
    expect(tasks.data[0]).toMatchObject({ type: "sync", sourceId: made.body.id });
  });
});

test("errors are in the reader's language, with their code and subject", async () => {
  const mine = await newTeam();
  const { body } = await mine.owner.post(`${mine.path}/sources`, jira());
  const french = { headers: { "Accept-Language": "fr-CA, en;q=0.5" } };
  const sentence = "192.0.2.10 n’est pas sur l’internet public.";
  const read = (options = french) => mine.owner.get(`${mine.path}/sources/${body.id}`, options);
  const { body: failed } = await until(read, ({ body }) => body.status === "failed");
  expect(failed.error).toBe(sentence);
  expect((await read({ headers: { "Accept-Language": "en" } })).body.error).toBe(
    "192.0.2.10 is not on the open internet.",
  );
  expect((await mine.owner.get(`${mine.path}/sources`, french)).body.data[0].error).toBe(sentence);
  const { body: tasks } = await mine.owner.get(`${mine.path}/tasks?sourceId=${body.id}`, french);
  expect(tasks.data).toMatchObject([{ status: "failed", error: sentence }]);
  const one = await mine.owner.get(`${mine.path}/tasks?taskId=${tasks.data[0].id}`, french);
  expect(one.body.data[0].history).toMatchObject([
    {
      number: 1,
      status: "failed",
      error: sentence,
      message: sayIn("fr")("taskMessages:sourceRefused"),
      finishedAt: expect.any(String),
    },
  ]);
  expect(tasks.data[0].history).toBeUndefined();
  expect(await mine.owner.post(`${mine.path}/sources/test`, { id: body.id }, french)).toMatchObject({
    status: 400,
    body: {
      message: sentence,
      details: [{ path: "config", message: sentence, code: "notPublic", params: { host: "192.0.2.10" } }],
    },
  });
});

test("the list filters by type and part of the name, and pages", async () => {
  const mine = await newTeam();
  const make = (values: object) => mine.owner.post(`${mine.path}/sources`, values);
  const { body: handbook } = await make({ type: "file", name: "Handbook" });
  await make(jira({ name: "Tickets" }));
  const { body: agent } = await mine.owner.post(`${mine.path}/agents`, { name: "Concierge" });
  await make({ type: "agentChat", name: "Hand-picked customers", config: { agentId: agent.id } });
  const names = async (query: string) =>
    (await mine.owner.get(`${mine.path}/sources${query}`)).body.data
      .map(({ name }: { name: string }) => name)
      .sort();
  expect(await names("")).toEqual(["Hand-picked customers", "Handbook", "Tickets"]);
  expect(await names("?type=jira")).toEqual(["Tickets"]);
  expect(await names("?name=hand")).toEqual(["Hand-picked customers", "Handbook"]);
  expect(await names("?name=hand&type=file")).toEqual(["Handbook"]);
  expect(await names(`?ids=${handbook.id}`)).toEqual(["Handbook"]);
  expect(await names("?perPage=2&page=2")).toHaveLength(1);
  expect((await mine.owner.get(`${mine.path}/sources?type=rss`)).status).toBe(400);
});

describe("what is refused", () => {
  test.each([
    ["jira", {}, {}, ["config.site"]],
    ["jira", { site }, {}, ["credentials.email", "credentials.apiToken"]],
    ["jira", { site }, { email: login.email }, ["credentials.apiToken"]],
    ["shopify", {}, { accessToken: "x" }, ["config.shop"]],
    ["shopify", { shop: "acme.myshopify.com" }, {}, ["credentials.accessToken"]],
    ["hubspot", {}, {}, ["credentials.accessToken"]],
    ["github", {}, { accessToken: "x" }, ["config.repositories"]],
    ["github", { repositories: ["acme/handbook"] }, {}, ["credentials.accessToken"]],
    ["confluence", {}, {}, ["config.site"]],
    ["confluence", { site: "acme.atlassian.net" }, {}, ["credentials.email", "credentials.apiToken"]],
    ["googleDrive", {}, {}, ["credentials.key"]],
    ["notion", {}, {}, ["credentials.accessToken"]],
    ["agentChat", {}, undefined, ["config.agentId"]],
  ])(
    "%s with settings %j and credentials %j: names what is missing",
    async (type, config, credentials, missing) => {
      const { status, body } = await team.owner.post(path(), { type, name: "Half", config, credentials });
      expect(status).toBe(400);
      expect(body.details.map((one: { path: string }) => one.path)).toEqual(missing);
      expect((await team.owner.get(`${path()}?name=Half`)).body.total).toBe(0);
    },
  );

  test.each([
    ["no type", { name: "x" }],
    ["an unknown type", { type: "rss", name: "x" }],
    ["no name", { type: "file" }],
    ["an unknown field", { type: "file", name: "x", status: "ready" }],
    ["a config of another type", { type: "file", name: "x", config: { site: "x" } }],
    ["files that are no ids", { type: "file", name: "x", config: { fileIds: ["x"] } }],
    ["files that are not there", { type: "file", name: "x", config: { fileIds: [randomUUID()] } }],
    ["chats of no agent", { type: "agentChat", name: "x" }],
    ["a config that is too large", jira({ config: { text: "x".repeat(300_000) } })],
  ])("%s", async (_what, body) => {
    expect(await team.owner.post(path(), body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
  });

  test("viewers change nothing, outsiders see nothing", async () => {
    const { body } = await team.owner.post(path(), jira());
    const viewer = await newMember(team, "viewer");
    expect((await viewer.get(path(body.id))).body).toMatchObject({ id: body.id, config: body.config });
    expect((await viewer.post(path(), jira())).status).toBe(403);
    expect((await viewer.put(path(body.id), { name: "x" })).status).toBe(403);
    expect((await viewer.put(path(body.id), { credentials: { a: "b" } })).status).toBe(403);
    expect((await viewer.delete(path(body.id))).status).toBe(403);
    for (const action of ["index", "indexes"])
      expect((await viewer.call("DELETE", `${path(body.id)}/${action}`)).status).toBe(403);
    const outsider = await newPerson();
    for (const action of ["", "/documents"])
      expect((await outsider.get(path(body.id) + action)).status).toBe(404);
    expect((await outsider.put(path(body.id), { name: "x" })).status).toBe(404);
    const { id, name, config, hasCredentials } = body;
    const after = await team.owner.get(path(body.id));
    expect(after.body).toMatchObject({ id, name, config, hasCredentials });
  });
});

test("a source is deleted once, with its documents", async () => {
  const { body } = await team.owner.post(path(), { type: "file", name: "Gone" });
  expect((await team.owner.delete(path(body.id))).status).toBe(204);
  expect((await team.owner.delete(path(body.id))).status).toBe(404);
  expect((await team.owner.get(`${path(body.id)}/documents`)).status).toBe(404);
});
