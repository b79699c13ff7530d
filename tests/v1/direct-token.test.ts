// An API key's token for PostgREST: its rights, its limits and its end.
import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { anyone, as, type Client, newTeam, type Team } from "../support/api.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let other: Team;
let agentId: string;
beforeAll(async () => {
  [team, other] = await Promise.all([newTeam(), newTeam()]);
  agentId = (await team.owner.post(`${team.path}/agents`, { name: "Ours" })).body.id;
  await other.owner.post(`${other.path}/agents`, { name: "Theirs" });
});

/** Creates an API key of the team, and a PostgREST client with its token. */
async function newKey(role: keyof typeof systemRoleIds) {
  const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: role, roleId: systemRoleIds[role] });
  const key: Client = as(body.key);
  const { body: exchanged } = await key.post("/v1/auth/token");
  return { id: body.id as string, key, token: exchanged.accessToken as string };
}

async function rest(token: string, path: string, method = "GET", body?: object) {
  const { supabaseUrl, anonKey } = await findStack();
  const response = await fetch(`${supabaseUrl}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: anonKey,
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Prefer: "return=representation",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, rows: response.ok ? await response.json() : undefined };
}

describe("the token of an API key", () => {
  test("has the key's rights and team, for 15 minutes", async () => {
    const { key } = await newKey("viewer");
    const { status, body, headers } = await key.post("/v1/auth/token");
    expect(status).toBe(200);
    expect(body).toEqual({ accessToken: expect.any(String), expiresIn: 900 });
    expect(headers.get("cache-control")).toBe("no-store");
    const { iat = 0, exp, iss: _iss, ...claims } = decodeJwt(body.accessToken);
    expect(exp).toBe(iat + 900);
    expect(claims).toEqual({
      aud: "authenticated",
      role: "authenticated",
      api_key_id: expect.any(String),
      team_id: team.id,
    });
  });

  test("reads and writes rows as the key's role may, in its team only", async () => {
    const editor = await newKey("editor");
    expect((await rest(editor.token, "agents?select=id")).rows).toEqual([{ id: agentId }]);
    expect((await rest(editor.token, "teams?select=id")).rows).toEqual([{ id: team.id }]);
    const made = await rest(editor.token, "agents?select=name", "POST", { team_id: team.id, name: "Made" });
    expect(made).toEqual({ status: 201, rows: [{ name: "Made" }] });
    const abroad = await rest(editor.token, "agents", "POST", { team_id: other.id, name: "Made" });
    expect(abroad.status).toBe(403);
    const viewer = await newKey("viewer");
    expect((await rest(viewer.token, "agents?select=id&name=eq.Made")).rows).toHaveLength(1);
    const denied = await rest(viewer.token, "agents", "POST", { team_id: team.id, name: "Denied" });
    expect(denied.status).toBe(403);
    expect((await rest(viewer.token, "agents?name=eq.Made", "DELETE")).rows).toEqual([]);
    expect((await rest(viewer.token, "api_keys?select=id")).rows).toEqual([]);
    expect((await rest(viewer.token, "users?select=id")).rows).toHaveLength(1);
  });

  test("follows a change of the key's role and ends with the key, at once", async () => {
    const { id, key, token } = await newKey("viewer");
    const path = `${team.path}/apiKeys/${id}`;
    await team.owner.put(path, { roleId: systemRoleIds.editor });
    expect((await rest(token, "agents", "POST", { team_id: team.id, name: "Now" })).status).toBe(201);
    await team.owner.delete(path);
    for (const rows of [
      "agents?select=*",
      "teams?select=*",
      "users?select=id",
      "roles?select=*",
      "permissions?select=*",
      "vectors?select=*",
    ]) {
      expect((await rest(token, `${rows}&limit=1`)).rows, rows).toEqual([]);
    }
    expect((await rest(token, "agents", "POST", { team_id: team.id, name: "Later" })).status).toBe(403);
    expect(await key.post("/v1/auth/token")).toMatchObject({
      status: 401,
      body: { code: "NOT_AUTHENTICATED" },
    });
  });

  test("is rejected by the API, and yields no other token and no session", async () => {
    const { token } = await newKey("owner");
    const { supabaseUrl, anonKey } = await findStack();
    for (const [method, path] of [
      ["POST", "/v1/auth/token"],
      ["GET", "/v1/auth/me"],
      ["GET", team.path],
      ["GET", "/v1/users"],
      ["GET", "/v1/admin/teams"],
    ] as const) {
      expect(await as(token).call(method, path), path).toMatchObject({ status: 401 });
    }
    const headers = { apikey: anonKey, Authorization: `Bearer ${token}` };
    expect((await fetch(`${supabaseUrl}/auth/v1/user`, { headers })).status).toBeGreaterThanOrEqual(400);
    const objects = await fetch(`${supabaseUrl}/storage/v1/object/authenticated/files/teams/${team.id}/x`, {
      headers,
    });
    expect(objects.status).toBeGreaterThanOrEqual(400);
  });

  test("is issued to API keys only", async () => {
    expect(await anyone.post("/v1/auth/token")).toMatchObject({ status: 401 });
    expect(await as(`prl_AAAAAAAA_${"A".repeat(43)}`).post("/v1/auth/token")).toMatchObject({ status: 401 });
    expect(await team.owner.post("/v1/auth/token")).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    const { serviceKey } = await findStack();
    expect(await as(serviceKey).post("/v1/auth/token")).toMatchObject({ status: 403 });
  });

  test("is unavailable where only Supabase can sign", async () => {
    const stack = await findStack();
    const { key: made } = (await team.owner.post(`${team.path}/apiKeys`, { name: "k" })).body;
    Object.assign(process.env, {
      DATABASE_URL: stack.databaseUrl("authenticator"),
      SUPABASE_URL: stack.supabaseUrl,
      SUPABASE_ANON_KEY: stack.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: stack.serviceKey,
      JWT_SECRET: "",
      WEB_URL: stack.webUrl,
      SECRETS_KEY: "a key of this test alone that is long enough",
    });
    const { app } = await import("../../edge-functions/v1/app.ts");
    const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
    vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await app.request("/v1/auth/token", {
      method: "POST",
      headers: { Authorization: `Bearer ${made}` },
    });
    vi.restoreAllMocks();
    await closeDatabase();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("JWT_SECRET"),
    });
  });
});
