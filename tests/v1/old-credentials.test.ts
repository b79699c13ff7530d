// Credentials from before: the tokens of a session that has ended in any way, a page's cookies, the key of a team that is gone. They open no
// door, and a refresh token brings nobody back.
import { randomUUID } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  anyone,
  as,
  codeIn,
  mailTo,
  newAdmin,
  newMember,
  newPerson,
  newTeam,
  type Person,
  type Team,
} from "../support/api.ts";
import { asVisitor, newAgent } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

type Session = { accessToken: string; refreshToken: string };

async function logIn({ email, password }: Person): Promise<Session> {
  const answer = await anyone.post("/v1/auth/login", { email, password, deviceId: "app" });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** What each door answers to an access token: "open" where it shows or takes anything. */
async function doors(token: string, agentId: string): Promise<Record<string, string>> {
  const { apiUrl, supabaseUrl, webUrl, anonKey } = await findStack();
  const bearer = { Authorization: `Bearer ${token}` };
  const json = { ...bearer, "Content-Type": "application/json" };
  const platform = { ...json, apikey: anonKey };
  const messages = [{ role: "user", content: "Hello" }];
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_agents", arguments: {} },
  };
  const post = (headers: Record<string, string>, body: object) => ({
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const all: Record<string, [url: string, init: RequestInit, isShut?: (text: string) => boolean]> = {
    "/v1": [`${apiUrl}/v1/auth/me`, { headers: bearer }],
    "/v1/teams": [`${apiUrl}/v1/teams`, { headers: bearer }],
    streams: [`${apiUrl}/v1/streams`, post(json, { agentId, messages })],
    OpenAI: [`${apiUrl}/v1/streams/openai/models`, { headers: bearer }],
    MCP: [`${apiUrl}/v1/mcp`, post(json, call), (text) => text.includes("NOT_AUTHENTICATED")],
    "the web's /v1": [`${webUrl}/v1/auth/me`, { headers: bearer }],
    PostgREST: [`${supabaseUrl}/rest/v1/users?select=id`, { headers: platform }, (text) => text === "[]"],
    "a function": [
      `${supabaseUrl}/rest/v1/rpc/sync_source`,
      post(platform, { source: randomUUID() }),
      (text) => text.includes("no such source"),
    ],
    storage: [`${supabaseUrl}/storage/v1/object/list/files`, post(platform, { prefix: "teams/" })],
    auth: [`${supabaseUrl}/auth/v1/user`, { headers: platform }],
  };
  const opened: Record<string, string> = {};
  for (const [door, [url, init, isShut]] of Object.entries(all)) {
    const response = await fetch(url, init);
    const text = await response.text();
    if (response.ok && !isShut?.(text)) opened[door] = `${response.status} ${text.slice(0, 200)}`;
  }
  return opened;
}

/** Whether the cookies of a browser open a page of the account. */
async function pageOpens(cookie: string): Promise<boolean> {
  const { webUrl } = await findStack();
  const answer = await fetch(`${webUrl}/account`, { redirect: "manual", headers: { cookie } });
  await answer.body?.cancel();
  return answer.status === 200;
}

const renew = (token: string, headers?: Record<string, string>) =>
  anyone.post("/v1/auth/refresh", { token }, headers && { headers });

const endings: Record<string, (person: Person, session: Session) => Promise<unknown>> = {
  "its end": async (_person, { accessToken }) => {
    const { body } = await as(accessToken).get("/v1/auth/sessions");
    for (const { id } of body.data.reverse()) await as(accessToken).delete(`/v1/auth/sessions/${id}`);
  },
  "the end of every session": (_person, { accessToken }) => as(accessToken).delete("/v1/auth/sessions"),
  "another session's new password": async (person) => {
    const elsewhere = as((await logIn(person)).accessToken);
    const change = { currentPassword: person.password, password: `${person.password}-new` };
    expect((await elsewhere.put("/v1/auth/password", change)).status).toBe(200);
  },
  "a reset of the password": async (person) => {
    await anyone.post("/v1/auth/forgotPassword", { email: person.email });
    const code = codeIn(await mailTo(person.email, ({ text }) => text.includes("forgot-password")));
    const reset = { username: person.email, code, password: `${person.password}-new` };
    expect((await anyone.post("/v1/auth/forgotPassword/confirm", reset)).status).toBe(200);
  },
  "the deletion of the account": async (person, { accessToken }) => {
    expect((await as(accessToken).delete(`/v1/users/${person.id}`)).status).toBe(204);
  },
};

describe.each(Object.keys(endings))("after %s", (how) => {
  test("a session's tokens and cookies open nothing, and renew nothing", async () => {
    const person = await newPerson();
    const team = await newTeam();
    const agentId = await newAgent(team, { visibility: "public" });
    const first = await logIn(person);
    const cookie = cookieOf(await postLogin(person));
    const key = { "Idempotency-Key": randomUUID() };
    const renewed = await renew(first.refreshToken, key);
    const session: Session = renewed.body;
    expect(Object.keys(await doors(session.accessToken, agentId))).toEqual(
      expect.arrayContaining([
        "/v1",
        "/v1/teams",
        "streams",
        "OpenAI",
        "MCP",
        "the web's /v1",
        "PostgREST",
        "auth",
      ]),
    );
    expect(await pageOpens(cookie)).toBe(true);

    await endings[how]?.(person, session);
    for (const token of [session.accessToken, first.accessToken])
      expect(await doors(token, agentId)).toEqual({});
    expect(await pageOpens(cookie)).toBe(false);
    // Also a repetition of the renewal whose answer was lost.
    for (const headers of [undefined, key])
      for (const token of [session.refreshToken, first.refreshToken])
        expect((await renew(token, headers)).status).toBe(401);
  });
});

describe("a token that somebody altered", () => {
  test("opens no door, whichever algorithm, role, team or time it claims", async () => {
    const { anonKey, jwtSecret, serviceKey } = await findStack();
    const team = await newTeam();
    const agentId = await newAgent(team, { visibility: "public" });
    const person = await newPerson();
    const { accessToken } = await logIn(person);
    const [head = "", body = "", signature = ""] = accessToken.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const more = { ...claims, sub: team.owner.id };
    const sign = (secret: string, payload: object) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .sign(new TextEncoder().encode(secret));
    const forged: Record<string, string> = {
      "no algorithm": new UnsecuredJWT(more).encode(),
      "no algorithm, the old signature": `${part({ alg: "none" })}.${body}.${signature}`,
      "another user": `${head}.${part(more)}.${signature}`,
      "the service's role": `${head}.${part({ ...claims, role: "service_role" })}.${signature}`,
      "another team": `${head}.${part({ ...claims, app_metadata: { team_id: team.id }, team_id: team.id })}.${signature}`,
      "the public key as the secret": await sign(anonKey, more),
      "an empty signature": `${head}.${part(more)}.`,
      "expired by a second": await sign(jwtSecret, { ...claims, exp: now - 1 }),
      "not valid yet": await sign(jwtSecret, { ...claims, nbf: now + 60 }),
      "a role of Postgres": await sign(jwtSecret, { ...claims, role: "postgres" }),
      "the authenticator's role": await sign(jwtSecret, { ...claims, role: "authenticator" }),
    };
    expect(Object.keys(await doors(accessToken, agentId))).toContain("PostgREST");
    for (const [how, token] of Object.entries(forged))
      expect([how, await doors(token, agentId)]).toEqual([how, {}]);
    // A valid token beside a key that is none, and the reverse.
    const { supabaseUrl } = await findStack();
    for (const [apikey, bearer] of [
      [forged["the service's role"], accessToken],
      [anonKey, forged["the service's role"]],
      [`${serviceKey}x`, accessToken],
    ]) {
      const answer = await fetch(`${supabaseUrl}/rest/v1/users?select=id`, {
        headers: { apikey: String(apikey), Authorization: `Bearer ${bearer}` },
      });
      expect(answer.status).toBe(401);
    }
  });
});

describe("what a team gave out", () => {
  test("an API key, its access token and a visitor's token end with the team", async () => {
    const team = await newTeam();
    const agentId = await newAgent(team, { visibility: "public" });
    const { key } = (await team.owner.post(`${team.path}/apiKeys`, { name: "Key" })).body;
    const direct = (await as(key).post("/v1/auth/token")).body.accessToken;
    const { body: chat } = await anyone.post(`/v1/agents/${agentId}/chats`, {});
    const visitor = asVisitor(chat.visitorToken);
    const { supabaseUrl, anonKey } = await findStack();
    const rows = async () => {
      const answer = await fetch(`${supabaseUrl}/rest/v1/agents?select=id`, {
        headers: { apikey: anonKey, Authorization: `Bearer ${direct}` },
      });
      return answer.ok ? ((await answer.json()) as unknown[]).length : 0;
    };
    expect((await as(key).get(`${team.path}/agents`)).status).toBe(200);
    expect(await rows()).toBe(1);
    expect((await visitor.get(`/v1/chats/${chat.id}/messages`)).status).toBe(200);
    expect((await team.owner.delete(team.path)).status).toBe(204);
    expect((await as(key).get(`${team.path}/agents`)).status).toBe(401);
    expect(await doors(key, agentId)).toEqual({});
    expect(await rows()).toBe(0);
    expect((await visitor.get(`/v1/chats/${chat.id}/messages`)).status).toBe(404);
  });

  test("a visitor's token opens nothing while the agent is private", async () => {
    const team = await newTeam();
    const agentId = await newAgent(team, { visibility: "public" });
    const { body: chat } = await anyone.post(`/v1/agents/${agentId}/chats`, {});
    const visitor = asVisitor(chat.visitorToken);
    const path = `/v1/chats/${chat.id}/messages`;
    const { body: made } = await visitor.post(path, { content: "Hello" });
    const show = async (visibility: string) =>
      expect((await team.owner.put(`${team.path}/agents/${agentId}`, { visibility })).status).toBe(200);
    await show("private");
    const tries = [
      () => visitor.get(path),
      () => visitor.post(path, { content: "Still there?" }),
      () => visitor.post(`${path}/${made.reply.id}/feedback`, { rating: "up" }),
      () => visitor.post(`${path}/${made.reply.id}/stop`, {}),
      () => visitor.get(`/v1/chats/${chat.id}/handover`),
      () => visitor.get(`/v1/agents/${agentId}/chats/${chat.id}`),
      () => visitor.post(`/v1/agents/${agentId}/chats/${chat.id}/feedback`, { rating: "up" }),
      () => visitor.get(`/v1/agents/${agentId}`),
      () => visitor.post(`/v1/agents/${agentId}/chats`, {}),
      () => visitor.post("/v1/streams", { agentId, messages: [{ role: "user", content: "Hello" }] }),
    ];
    for (const [at, attempt] of tries.entries()) expect([at, (await attempt()).status]).toEqual([at, 404]);
    const { body: messages } = await team.owner.get(path);
    expect(messages.data).toHaveLength(2);
    await show("public");
    expect((await visitor.get(path)).body.data).toHaveLength(2);
  });
});

describe("an undo", () => {
  type Deleted = { path: string; read: string };
  async function deleteAll(team: Team, person: Person): Promise<Deleted[]> {
    const agent = await newAgent(team, { name: "Deleted" });
    const { body: source } = await team.owner.post(`${team.path}/sources`, { type: "qa", name: "Answers" });
    const { body: knowledge } = await team.owner.post(`${team.path}/knowledges`, { name: "K" });
    const { body: file } = await team.owner.upload(`${team.path}/files/upload`, "a.txt", "Bytes");
    const paths = [
      `agents/${agent}`,
      `sources/${source.id}`,
      `knowledges/${knowledge.id}`,
      `files/${file.id}`,
    ].map((one) => `${team.path}/${one}`);
    for (const path of paths) expect([path, (await person.delete(path)).status]).toEqual([path, 204]);
    return paths.map((path) => ({ path: `${path}/restore`, read: path }));
  }

  test.each([
    ["left the team", 404],
    ["has a lower role", 403],
    ["was banned from the platform", 404],
  ])("is refused to the person who deleted and then %s", async (how, status) => {
    const team = await newTeam();
    const person = await newMember(team, "editor");
    const { token } = person;
    const deleted = await deleteAll(team, person);
    const member = `/v1/teamUsers/${team.id}/users/${person.id}`;
    if (how === "left the team") expect((await person.delete(member)).status).toBe(204);
    else if (how === "has a lower role") await team.owner.put(member, { roleId: systemRoleIds.viewer });
    else {
      const admin = await newAdmin();
      expect((await admin.put(`/v1/users/${person.id}`, { banned: true })).status).toBe(200);
    }
    for (const { path, read } of deleted) {
      expect([path, (await as(token).post(path)).status]).toEqual([path, status]);
      expect((await team.owner.get(read)).status).toBe(404);
    }
    for (const { path } of deleted) expect([path, (await team.owner.post(path)).status]).toEqual([path, 200]);
  });
});
