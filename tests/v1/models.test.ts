// Connecting models: permissions, the trial call, secrecy of keys, and each team's own usage and budget. The handlers run in this process,
// with providers that speak OpenAI's protocol.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { newMember, owner } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { adminToken, fake, fieldOf, handlers, ollama, other, ours, team } from "../support/models-stand.ts";

const call = (token: string, method: string, path: string, body?: unknown) =>
  handlers.call(method, `/v1${path}`, token, body);
const asOwner = (method: string, path: string, body?: unknown) =>
  call(team.owner.token, method, `/teams/${team.id}${path}`, body);
const asAdmin = (method: string, path: string, body?: unknown) =>
  call(adminToken, method, `/admin${path}`, body);
/** The id of the team's connection for a role. */
async function findConnection(role: string): Promise<string> {
  const { body } = await asOwner("GET", "/models");
  const one = (body.data as { id: string; role: string }[] | undefined)?.find((each) => each.role === role);
  if (!one) throw new Error(`the team has connected no model as ${role}`);
  return one.id;
}
describe("a team's model", () => {
  test("is called once, stored sealed, and used from then on", async () => {
    const before = await asOwner("GET", "/models");
    expect(before.body).toMatchObject({
      inUse: { chat: { model: "environment-model", from: "environment" }, offline: false },
      data: [],
      total: 0,
    });
    const connected = await asOwner("POST", "/models", {
      ...ours(),
      role: "chat",
      promptPrice: 1,
      completionPrice: 2,
    });
    expect(connected.status).toBe(201);
    expect(fake.requests.map(({ authorization }) => authorization)).toEqual(["Bearer sk-of-the-team"]);
    const shown = { teamId: team.id, role: "chat", model: "ours", hasKey: true, baseUrl: fake.baseUrl };
    expect(connected.body).toMatchObject({ ...shown, promptPrice: 1, completionPrice: 2, dimensions: null });
    const listed = await asOwner("GET", "/models");
    expect(listed.body).toMatchObject({
      inUse: { chat: { model: "ours", from: "team", hasPrice: true } },
      data: [connected.body],
      page: 1,
      perPage: 20,
      total: 1,
    });
    const read = await asOwner("GET", `/models/${connected.body.id}`);
    expect(read.body).toEqual(connected.body);
    for (const { text } of [connected, listed, read]) expect(text).not.toContain("sk-of-the-team");
    const [row] = await (await owner())`select api_key from private.models where team_id = ${team.id}`;
    expect(Buffer.from(row?.apiKey ?? row?.api_key).toString("latin1")).not.toContain("sk-of-the-team");
    const agentId = await newAgent(team);
    const chat = await call(team.owner.token, "POST", `/agents/${agentId}/chats`, {});
    const asked = await call(team.owner.token, "POST", `/chats/${chat.body.id}/messages`, {
      content: "Who are you?",
    });
    expect(asked.body).toMatchObject({
      reply: { usage: { model: "ours", promptTokens: 11, completionTokens: 5 } },
    });
    const used = await asOwner("GET", "/usage?group=agent");
    expect(used.body).toMatchObject({
      data: [
        { agentId, calls: 1, promptTokens: 11, completionTokens: 5, estimatedTokens: 0, unpricedTokens: 0 },
      ],
      total: { calls: 1, cost: 21e-6 },
    });
    for (const group of ["day", "week", "month"]) {
      const dated = await asOwner("GET", `/usage?group=${group}&dateStart=2026-01-01`);
      const [row] = (dated.body.data as { date: string; calls: number }[] | undefined) ?? [];
      expect(row).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), calls: 1 });
      if (group === "week") expect(new Date(`${row?.date}T00:00:00Z`).getUTCDay()).toBe(1);
      if (group === "month") expect(row?.date).toMatch(/-01$/);
    }
    const backwards = await asOwner("GET", "/usage?dateStart=2026-02-01&dateEnd=2026-01-01");
    expect([backwards.status, fieldOf(backwards)]).toMatchObject([400, { path: "dateEnd" }]);
    for (const [group, key] of [
      ["channel", "web"],
      ["model", "ours"],
    ] as const) {
      const grouped = await asOwner("GET", `/usage?group=${group}`);
      expect(grouped.body).toMatchObject({ data: [{ [group]: key, agentId: null }] });
    }
  });

  test("is changed in part, and replaced only on request", async () => {
    const id = await findConnection("chat");
    const second = await asOwner("POST", "/models", { ...ours(), role: "chat", model: "second" });
    expect([second.status, second.body.code, fieldOf(second)]).toMatchObject([
      409,
      "CONFLICT",
      { path: "role", code: "modelRoleTaken" },
    ]);
    fake.requests.length = 0;
    const dearer = await asOwner("PUT", `/models/${id}`, { promptPrice: 3 });
    expect([dearer.status, dearer.body]).toMatchObject([
      200,
      { id, model: "ours", hasKey: true, promptPrice: 3, completionPrice: 2 },
    ]);
    expect(fake.requests.map(({ authorization }) => authorization)).toEqual(["Bearer sk-of-the-team"]);
    const renamed = await asOwner("PUT", `/models/${id}`, { model: "renamed" });
    expect(renamed.body).toMatchObject({ id, model: "renamed", promptPrice: null, completionPrice: null });
    const back = { model: "ours", promptPrice: 1, completionPrice: 2 };
    expect((await asOwner("PUT", `/models/${id}`, back)).body).toMatchObject({ id, ...back });
    expect((await asOwner("PUT", `/models/${id}`, { role: "fallback" })).status).toBe(400);
    expect((await asOwner("PUT", `/models/${randomUUID()}`, back)).status).toBe(404);
  });

  test("rejects a change based on an older version", async () => {
    const id = await findConnection("chat");
    const [first, second] = await Promise.all([
      asOwner("PUT", `/models/${id}`, { promptPrice: 1 }),
      asOwner("PUT", `/models/${id}`, { completionPrice: 2 }),
    ]);
    for (const { status } of [first, second]) expect([200, 409]).toContain(status);
    expect((await asOwner("GET", `/models/${id}`)).body).toMatchObject({
      promptPrice: 1,
      completionPrice: 2,
      hasKey: true,
    });
  });

  test("is tested as stored", async () => {
    const id = await findConnection("chat");
    fake.requests.length = 0;
    const tested = await asOwner("POST", `/models/${id}/test`);
    expect([tested.status, tested.body]).toEqual([
      200,
      { milliseconds: expect.any(Number), dimensions: null },
    ]);
    expect(fake.requests.map(({ authorization }) => authorization)).toEqual(["Bearer sk-of-the-team"]);
    fake.next({ how: "status", status: 401 });
    const refused = await asOwner("POST", `/models/${id}/test`);
    expect([refused.status, fieldOf(refused)]).toMatchObject([
      400,
      { path: "apiKey", code: "modelKeyRefused" },
    ]);
    expect((await asOwner("POST", `/models/${randomUUID()}/test`)).status).toBe(404);
  });

  test("keeps its key only for the same URL", async () => {
    const spare = { ...ours(), apiKey: undefined, model: "spare", role: "fallback" };
    const again = await asOwner("POST", "/models", spare);
    expect(again.status).toBe(201);
    expect(fake.requests.at(-1)?.authorization).toBe("Bearer sk-of-the-team");
    const path = `/models/${again.body.id}`;
    const elsewhere = await asOwner("PUT", path, { baseUrl: fake.baseUrl.replace("/v1", "/other/v1") });
    expect([elsewhere.status, elsewhere.body]).toMatchObject([200, { hasKey: false }]);
    expect(fake.requests.at(-1)?.authorization).toBe("Bearer none");
    expect((await asOwner("DELETE", path)).status).toBe(204);
    expect((await asOwner("DELETE", path)).status).toBe(404);
    expect((await asOwner("GET", path)).status).toBe(404);
  });

  test("is not stored when it fails to respond, and the wrong field is named", async () => {
    const unknown = (message: string) => ({ how: "status", status: 400, message }) as const;
    const cases = [
      [{ how: "status", status: 401 }, "apiKey", "modelKeyRefused"],
      [{ how: "status", status: 404 }, "model", "modelUnknown"],
      [unknown("Invalid model: never-kept"), "model", "modelUnknown"],
      [unknown("Model Not Exist"), "model", "modelUnknown"],
      [unknown("never-kept is not a valid model ID"), "model", "modelUnknown"],
      [unknown("Invalid model name passed in model=never-kept."), "model", "modelUnknown"],
      [{ how: "status", status: 400, code: "model_not_found" }, "model", "modelUnknown"],
      [unknown("This model's maximum context length is 8192 tokens."), "model", "modelRefused"],
      [unknown("The model never-kept does not support images."), "model", "modelRefused"],
      [{ how: "status", status: 429, code: "insufficient_quota" }, "apiKey", "modelUsedUp"],
      [{ how: "html" }, "baseUrl", "modelBadAnswer"],
      [{ how: "hang up" }, "baseUrl", "modelUnreachable"],
    ] as const;
    for (const [behaviour, path, code] of cases) {
      fake.next(behaviour, behaviour); // Hung up, a kept connection is opened again.
      const answer = await asOwner("POST", "/models", { ...ours(), role: "fallback", model: "never-kept" });
      fake.forget();
      expect([answer.status, fieldOf(answer)]).toMatchObject([400, { path, code }]);
      expect(answer.text).not.toContain("sk-");
      if (code === "modelUnknown") expect(answer.text).toContain("no model named “never-kept”");
    }
    fake.next({ how: "status", status: 401 });
    const path = `/models/${await findConnection("chat")}`;
    expect((await asOwner("PUT", path, { model: "never-kept" })).status).toBe(400);
    expect((await asOwner("GET", "/models")).body).toMatchObject({
      data: [{ role: "chat", model: "ours" }],
      total: 1,
    });
  });

  test("at Azure also gets its key in Azure's header", async () => {
    const made = await asOwner("POST", "/models", { ...ours(), provider: "azure", role: "fallback" });
    expect((await asOwner("DELETE", `/models/${made.body.id}`)).status).toBe(204);
    expect(fake.requests.at(-1)).toMatchObject({
      apiKey: "sk-of-the-team",
      body: { max_completion_tokens: expect.any(Number) },
    });
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "https://169.254.169.254/v1",
    "http://127.0.0.1:11434/v1",
    "https://localhost/v1",
    "https://10.0.0.8/v1",
    "https://[::1]/v1",
    "ftp://models.example/v1",
    "https://name:secret@models.example/v1",
  ])("is not looked for at %s", async (baseUrl) => {
    const answer = await asOwner("POST", "/models", { ...ours(), role: "fallback", baseUrl });
    expect([answer.status, fieldOf(answer)]).toMatchObject([
      400,
      { path: "baseUrl", code: "modelNotPublic" },
    ]);
    // Only platform admins use addresses of the installation itself.
    const local = await asOwner("PUT", `/models/${await findConnection("chat")}`, {
      baseUrl: ollama.baseUrl,
    });
    expect(fieldOf(local)).toMatchObject({ code: "modelNotPublic" });
  });
});

describe("who may", () => {
  const ofOne = [
    ["GET", "", undefined],
    ["PUT", "", { model: "theirs" }],
    ["DELETE", "", undefined],
    ["POST", "/test", undefined],
  ] as const;

  test("only owners connect; members see which model answers, and nobody a key or a URL", async () => {
    const id = await findConnection("chat");
    for (const role of ["admin", "editor", "viewer"] as const) {
      const { token } = await newMember(team, role);
      const path = `/teams/${team.id}/models`;
      const budget = await call(token, "PUT", `/teams/${team.id}/budget`, { cap: 1 });
      expect(budget.status).toBe(403);
      const made = await call(token, "POST", path, { ...ours(), role: "fallback" });
      expect(made.status).toBe(403);
      for (const [method, more, body] of ofOne) {
        expect((await call(token, method, `${path}/${id}${more}`, body)).status).toBe(403);
      }
      const read = await call(token, "GET", path);
      expect(read.body).toMatchObject({
        data: [{ role: "chat", model: "ours", baseUrl: null }],
        inUse: { chat: { model: "ours" } },
      });
      expect(read.text).not.toContain(new URL(fake.baseUrl).host);
      expect((await call(token, "GET", `/teams/${team.id}/usage`)).status).toBe(
        role === "viewer" ? 403 : 200,
      );
      expect((await call(token, "GET", `/teams/${team.id}/budget`)).status).toBe(
        role === "viewer" ? 403 : 200,
      );
    }
    expect(fake.requests).toHaveLength(0);
  });

  test("another team sees nothing, and no API key connects or reads a connection", async () => {
    const { token } = other.owner;
    const paths = ["/models", "/usage", "/budget"];
    for (const path of paths) expect((await call(token, "GET", `/teams/${team.id}${path}`)).status).toBe(404);
    const id = await findConnection("chat");
    for (const [method, more, body] of ofOne) {
      const path = `/models/${id}${more}`;
      expect((await call(token, method, `/teams/${team.id}${path}`, body)).status).toBe(404);
      // Nor through the outsider's own team, or the installation's path.
      expect((await call(token, method, `/teams/${other.id}${path}`, body)).status).toBe(404);
      expect((await asAdmin(method, path, body)).status).toBe(404);
    }
    expect((await call(token, "POST", `/teams/${team.id}/models`, { ...ours(), role: "chat" })).status).toBe(
      404,
    );
    const roles =
      await (await owner())`select id from public.roles where codename = 'owner' and team_id is null`;
    const made = await asOwner("POST", "/apiKeys", { name: "Key", roleId: roles[0]?.id });
    const secret = String(made.body.secret ?? made.body.key);
    for (const [method, more, body] of ofOne) {
      expect((await call(secret, method, `/teams/${team.id}/models/${id}${more}`, body)).status).toBe(403);
    }
    expect((await call(secret, "GET", `/teams/${team.id}/models`)).status).toBe(403);
    const connected = await call(secret, "POST", `/teams/${team.id}/models`, { ...ours(), role: "fallback" });
    expect(connected.status).toBe(403);
    expect((await call(secret, "PUT", `/teams/${team.id}/budget`, { cap: 5 })).status).toBe(403);
  });
});

describe("a budget", () => {
  test("refuses questions with a code and a sentence once it is reached", async () => {
    const agentId = await newAgent(team);
    const chat = await call(team.owner.token, "POST", `/agents/${agentId}/chats`, {});
    const ask = () =>
      call(team.owner.token, "POST", `/chats/${chat.body.id}/messages`, { content: "Hello there?" });
    expect((await asOwner("PUT", "/budget", { cap: 0.001, warnPercent: 50 })).body).toMatchObject({
      cap: 0.001,
      warnPercent: 50,
      isReached: false,
    });
    const refused = await ask();
    expect([refused.status, refused.body]).toMatchObject([402, { code: "BUDGET_REACHED" }]);
    expect(fake.requests).toHaveLength(0);
    expect((await asOwner("PUT", "/budget", { cap: 10 })).body).toMatchObject({ cap: 10, reserved: 0 });
    expect((await ask()).status).toBe(200);
    // The admin's cap is of the installation's models, and this team has its own (model-caps.test.ts).
    const capped = await asAdmin("PUT", `/budgets/${team.id}`, { installationCap: 0.001 });
    expect(capped.body).toMatchObject({ cap: 10, installationCap: 0.001, installationSpent: 0 });
    expect((await ask()).status).toBe(200);
    await asAdmin("PUT", `/budgets/${team.id}`, { installationCap: null });
    const listed = await asAdmin("GET", "/budgets?perPage=100");
    expect(listed.body.data).toContainEqual(
      expect.objectContaining({ id: team.id, cap: 10, isReached: false }),
    );
    expect((await asAdmin("PUT", `/budgets/${randomUUID()}`, { installationCap: 1 })).status).toBe(404);
    await asOwner("PUT", "/budget", { cap: null });
  });

  test("is not spent on a dearer model that an agent names", async () => {
    const agentId = await newAgent(team, { model: "a-dearer-model" });
    const chat = await call(team.owner.token, "POST", `/agents/${agentId}/chats`, {});
    const ask = async () => {
      fake.requests.length = 0;
      const path = `/chats/${chat.body.id}/messages`;
      const { body } = await call(team.owner.token, "POST", path, { content: "Who answers?" });
      const reply = body.reply as { usage: { model: string } } | undefined;
      return [...new Set([reply?.usage.model, ...fake.requests.map(({ body: sent }) => sent.model)])];
    };
    expect(await ask()).toEqual(["a-dearer-model"]);
    await asOwner("PUT", "/budget", { cap: 10 });
    expect(await ask()).toEqual(["ours"]);
    await asOwner("PUT", "/budget", { cap: null });
  });
});

describe("the installation's model", () => {
  test("is managed by platform admins only, and not on every private address", async () => {
    for (const [method, path] of [
      ["GET", "/models"],
      ["GET", "/models/local"],
      ["POST", "/models"],
      ["GET", `/models/${randomUUID()}`],
      ["GET", "/budgets"],
    ] as const) {
      expect(
        (
          await call(
            team.owner.token,
            method,
            `/admin${path}`,
            method === "POST" ? { ...ours(), role: "chat" } : undefined,
          )
        ).status,
      ).toBe(404);
    }
    const metadata = await asAdmin("POST", "/models", {
      ...ours(),
      role: "chat",
      baseUrl: "http://169.254.169.254/v1",
    });
    expect(fieldOf(metadata)).toMatchObject({ path: "baseUrl", code: "modelNotPublic" });
  });
});

test("a new embedding model queues a re-index, and the old one answers meanwhile", async () => {
  const knowledge = await newKnowledge(team, { "leave.md": "Everyone has 27 days of paid leave per year." });
  const sql = await owner();
  const embedding = { ...ours(), role: "embedding", model: "vectors" };
  const made = await asOwner("POST", "/models", embedding);
  expect(made.body).toMatchObject({ role: "embedding", model: "vectors", dimensions: 8 });
  expect((await asOwner("GET", "/models")).body).toMatchObject({ moving: 1 });
  const path = `/models/${made.body.id}`;
  const empty = (await team.owner.post(`${team.path}/knowledges`, { name: "Not indexed yet" })).body;
  expect(empty).toMatchObject({ embeddingModel: `connection:${made.body.id}`, dimensions: 8 });
  const queued = await sql`select 1 from public.tasks where knowledge_id = ${knowledge.id} and type = 'index'
                              and status in ('queued', 'running', 'waiting')`;
  expect(queued.length).toBeGreaterThan(0);
  // The same settings again change only the key.
  const sameAgain = await asOwner("PUT", path, { apiKey: "sk-new" });
  expect(sameAgain.body).toMatchObject({ id: made.body.id, model: "vectors" });
  const rows = () =>
    sql`select role from private.models where team_id = ${team.id} and role like '%mbedding'`;
  expect(await rows()).toEqual([{ role: "embedding" }]);
  const another = await asOwner("PUT", path, { model: "other-vectors" });
  expect(another.body).toMatchObject({ model: "other-vectors", hasKey: true });
  expect(another.body.id).not.toBe(made.body.id);
  expect((await rows()).map(({ role }) => role).sort()).toEqual(["earlierEmbedding", "embedding"]);
  // An embedding model being replaced is no longer listed as a connection.
  expect((await asOwner("GET", path)).status).toBe(404);
  expect((await asOwner("DELETE", path)).status).toBe(404);
  expect((await asOwner("DELETE", `/models/${another.body.id}`)).status).toBe(204);
});

test("a model that reads pictures is changed in place, and documents with pictures are read again", async () => {
  const made = await asOwner("POST", "/models", { ...ours(), role: "vision", model: "sees" });
  expect([made.status, made.body]).toMatchObject([201, { role: "vision", model: "sees", dimensions: null }]);
  const path = `/models/${made.body.id}`;
  const changed = await asOwner("PUT", path, { model: "sees-more" });
  expect([changed.status, changed.body]).toMatchObject([
    200,
    { id: made.body.id, role: "vision", model: "sees-more", hasKey: true },
  ]);
  expect((await asOwner("POST", `${path}/test`)).status).toBe(200);
  expect((await asOwner("DELETE", path)).status).toBe(204);
});
