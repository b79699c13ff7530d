// API keys: shown once, limited to their role and their creator, and revoked at once.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let keys: string;
beforeAll(async () => {
  team = await newTeam();
  keys = `${team.path}/apiKeys`;
});

async function newKey(roleId?: string) {
  const { status, body } = await team.owner.post(keys, { name: "Key", roleId });
  expect(status).toBe(201);
  return { ...body, client: as(body.key) };
}

describe("an API key", () => {
  test("is shown once and stored as a hash", async () => {
    const { status, body } = await team.owner.post(keys, { name: "Website" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      teamId: team.id,
      name: "Website",
      roleId: systemRoleIds.editor,
      prefix: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      createdBy: { id: team.owner.id, name: "Test Owner", email: team.owner.email },
      active: true,
      lastUsedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      key: expect.stringMatching(/^prl_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/),
    });
    expect(body.key.split("_")[1]).toBe(body.prefix);
    const { key, ...rest } = body;
    expect((await team.owner.get(`${keys}/${body.id}`)).body).toEqual(rest);
    const sql = await owner();
    const [row] = await sql`select to_jsonb(k)::text as text from public.api_keys k where id = ${body.id}`;
    expect(row?.text).not.toContain(key.slice(13));
  });

  test("acts in its team as its role allows, and in no other", async () => {
    const editor = await newKey();
    expect((await editor.client.get("/v1/teams")).body.data).toMatchObject([{ id: team.id, role: "editor" }]);
    const agent = await editor.client.post(`${team.path}/agents`, { name: "By key" });
    expect(agent.status).toBe(201);
    expect((await editor.client.put(team.path, { name: "x" })).status).toBe(403);
    expect((await editor.client.get(keys)).status).toBe(403);
    expect((await editor.client.post(keys, { name: "child" })).status).toBe(403);
    const invitation = { email: "x@parley.test", roleId: systemRoleIds.viewer };
    expect((await editor.client.post(`/v1/teamUsers/${team.id}/users`, invitation)).status).toBe(403);

    const viewer = await newKey(systemRoleIds.viewer);
    expect((await viewer.client.get(`${team.path}/agents/${agent.body.id}`)).status).toBe(200);
    expect((await viewer.client.post(`${team.path}/agents`, { name: "x" })).status).toBe(403);

    const other = await newTeam();
    for (const client of [editor.client, viewer.client]) {
      expect((await client.get(other.path)).status).toBe(404);
      expect((await client.get(`${other.path}/agents`)).status).toBe(404);
    }
  });

  test("records when it was last used", async () => {
    const { id, client } = await newKey();
    const before = Date.now();
    await client.get("/v1/teams");
    const { body } = await team.owner.get(`${keys}/${id}`);
    expect(Date.parse(body.lastUsedAt)).toBeGreaterThanOrEqual(before);
  });

  test("changes role and is revoked at once", async () => {
    const { id, client } = await newKey();
    const changed = await team.owner.put(`${keys}/${id}`, { roleId: systemRoleIds.viewer });
    expect(changed.body).toMatchObject({ name: "Key", roleId: systemRoleIds.viewer });
    expect(changed.body).not.toHaveProperty("key");
    expect((await client.post(`${team.path}/agents`, { name: "x" })).status).toBe(403);
    expect((await team.owner.delete(`${keys}/${id}`)).status).toBe(204);
    expect(await client.get("/v1/teams")).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    expect((await team.owner.delete(`${keys}/${id}`)).status).toBe(404);
  });

  test("stops working everywhere when its creator leaves the team, and the owners see why", async () => {
    const admin = await newMember(team, "admin");
    const agent = (await team.owner.post(`${team.path}/agents`, { name: "Read by key" })).body.id;
    const made = await admin.post(keys, { name: "Mine", roleId: systemRoleIds.admin });
    const key = as(made.body.key);
    const { accessToken } = (await key.post("/v1/auth/token")).body;
    const { supabaseUrl, anonKey } = await findStack();
    const rest = (table: string) =>
      fetch(`${supabaseUrl}/rest/v1/${table}`, {
        headers: { apikey: anonKey, Authorization: `Bearer ${accessToken}` },
      }).then((answer) => answer.json());
    expect(await rest(`agents?id=eq.${agent}&select=id`)).toHaveLength(1);
    expect((await key.get(`${team.path}/agents/${agent}`)).status).toBe(200);

    expect((await team.owner.delete(`/v1/teamUsers/${team.id}/users/${admin.id}`)).status).toBe(204);
    const invitation = { email: admin.email, roleId: systemRoleIds.admin };
    const mcp = { Accept: "application/json, text/event-stream" };
    const chat = { model: agent, messages: [{ role: "user", content: "Hello" }] };
    for (const answer of [
      await key.get(`${team.path}/agents/${agent}`),
      await key.get("/v1/teams"),
      await key.post(`/v1/teamUsers/${team.id}/users`, invitation),
      await key.post("/v1/auth/token"),
      await key.post("/v1/streams/openai/chat/completions", chat),
      await key.post("/v1/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers: mcp }),
    ]) {
      expect([answer.status, answer.text]).toEqual([401, answer.text]);
    }
    for (const table of ["agents", "teams", "team_users", "roles", "api_keys"]) {
      expect(await rest(`${table}?select=id`), table).toEqual([]);
    }
    expect((await team.owner.get(`${keys}/${made.body.id}`)).body).toMatchObject({
      createdBy: { id: admin.id, email: admin.email },
      active: false,
    });
  });

  test("created by a key is bound to that key's creator", async () => {
    const admin = await newMember(team, "admin");
    const parent = await admin.post(keys, { name: "Parent", roleId: systemRoleIds.admin });
    const child = await as(parent.body.key).post(keys, { name: "Child", roleId: systemRoleIds.admin });
    expect(child).toMatchObject({ status: 201, body: { createdBy: { id: admin.id }, active: true } });
    await team.owner.put(`/v1/teamUsers/${team.id}/users/${admin.id}`, { roleId: systemRoleIds.viewer });
    const demoted = as(child.body.key);
    expect((await demoted.get(team.path)).body.permissions).not.toContain("users.write");
    expect((await demoted.get(keys)).status).toBe(403);
    await team.owner.delete(`/v1/teamUsers/${team.id}/users/${admin.id}`);
    expect((await demoted.get(team.path)).status).toBe(401);
  });

  test("is rejected when one letter differs", async () => {
    const { key } = await newKey();
    const last = key.at(-1) === "A" ? "B" : "A";
    expect((await as(key.slice(0, -1) + last).get("/v1/teams")).status).toBe(401);
    expect((await as(key.toLowerCase()).get("/v1/teams")).status).toBe(401);
  });

  test("is rejected by PostgREST", async () => {
    const { key } = await newKey();
    const { supabaseUrl, anonKey } = await findStack();
    const answer = await fetch(`${supabaseUrl}/rest/v1/teams`, {
      headers: { apikey: anonKey, Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(401);
  });
});

describe("API keys", () => {
  test("are managed by owners and admins, within their own permissions", async () => {
    const admin = await newMember(team, "admin");
    const editor = await newMember(team, "editor");
    expect((await admin.post(keys, { name: "x", roleId: systemRoleIds.owner })).status).toBe(403);
    expect((await admin.post(keys, { name: "x", roleId: systemRoleIds.admin })).status).toBe(201);
    const strong = await newKey(systemRoleIds.owner);
    expect((await admin.put(`${keys}/${strong.id}`, { name: "x" })).status).toBe(403);
    for (const answer of [
      await editor.get(keys),
      await editor.post(keys, { name: "x" }),
      await editor.get(`${keys}/${strong.id}`),
      await editor.delete(`${keys}/${strong.id}`),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    const outsider = await newPerson();
    expect((await outsider.get(keys)).status).toBe(404);
    expect((await anyone.get(keys)).status).toBe(401);
    expect((await strong.client.get(team.path)).body.role).toBe("owner");
  });

  test("are listed by name without secrets", async () => {
    const name = `Named ${randomUUID()}`;
    await team.owner.post(keys, { name });
    const { body, text } = await team.owner.get(
      `${keys}?name=${encodeURIComponent(name.slice(3).toUpperCase())}`,
    );
    expect(body).toMatchObject({ total: 1, data: [{ name }] });
    expect(text).not.toMatch(/prl_|secret|hash/i);
  });

  test("are validated", async () => {
    for (const body of [{}, { name: "" }, { name: "x", key: "prl_mine" }, { name: "x", roleId: "editor" }]) {
      expect((await team.owner.post(keys, body)).status).toBe(400);
    }
    expect((await team.owner.post(keys, { name: "x", roleId: randomUUID() })).status).toBe(400);
    expect((await team.owner.get(`${keys}/${randomUUID()}`)).status).toBe(404);
  });
});
