// Two processes of the functions and two of the web server on one database: both give the same answer.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Context, functionEnv, webEnv } from "../../supabase/local/environments.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { WEB_ENTRY } from "../../supabase/local/services.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import { newTeam, type Team, testPassword, uniqueEmail } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { type DenoFunction, spawnDenoFunction } from "../support/deno-function.ts";
import { serverEvents } from "../support/event-stream.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { reservePort } from "../support/runner/port-offset.mjs";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let second: DenoFunction;
/** The API of both processes: the stack's, and the one that this file starts. */
let urls: [string, string];
let webs: [string, string];
let endWeb: () => void;
let team: Team;
let agentId: string;

beforeAll(async () => {
  const stack = await findStack();
  const settings = readSettings(process.env);
  const context: Context = { settings, secrets: await loadSecrets(settings.dataDir), env: process.env };
  second = await spawnDenoFunction("local", { ...functionEnv(context, "v1"), REGISTRATION: "invited" });
  urls = [stack.apiUrl, second.url];
  const [port, sdkPort] = [await reservePort(), await reservePort()];
  const web = spawn(process.execPath, [WEB_ENTRY], {
    env: { ...webEnv(context), PORT: String(port), SDK_PORT: String(sdkPort) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  endWeb = () => web.kill("SIGKILL");
  webs = [stack.webUrl, `http://127.0.0.1:${port}`];
  while (!(await fetch(`${webs[1]}/health`).catch(() => undefined))?.ok) {
    expect(web.exitCode).toBeNull();
  }
  team = await newTeam("Two processes");
  const saga = `The lighthouse saga tells that ${Array.from({ length: 100 }, (_, i) => `keeper ${i} lit the lamp`).join(", then ")}.`;
  const knowledge = await newKnowledge(team, { "saga.md": saga }, { chunking: { maxTokens: 2000 } });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
});
afterAll(async () => {
  endWeb?.();
  await second?.end("SIGTERM");
});

async function call(url: string, method: string, path: string, body?: unknown, headers: object = {}) {
  const token = { Authorization: `Bearer ${team.owner.token}` };
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...token, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

test("two processes share a session until either ends it", async () => {
  const [one, other] = urls;
  const login = { email: team.owner.email, password: testPassword, deviceId: "app" };
  const session = (await call(one, "POST", "/v1/auth/login", login)).body;
  const headers = { Authorization: `Bearer ${session.accessToken}` };
  expect((await call(other, "GET", "/v1/auth/me", undefined, headers)).body).toMatchObject({
    id: team.owner.id,
  });
  const renewed = (await call(other, "POST", "/v1/auth/refresh", { token: session.refreshToken })).body;
  const fresh = { Authorization: `Bearer ${renewed.accessToken}` };
  expect((await call(one, "GET", "/v1/auth/me", undefined, fresh)).status).toBe(200);
  const { data } = (await call(one, "GET", "/v1/auth/sessions", undefined, fresh)).body;
  const { id } = data.find(({ current }: { current: boolean }) => current);
  expect((await call(one, "DELETE", `/v1/auth/sessions/${id}`, undefined, fresh)).status).toBe(204);
  for (const url of urls) expect((await call(url, "GET", "/v1/auth/me", undefined, fresh)).status).toBe(401);
});

test("two processes run a POST sent to both at once only once", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const answers = await Promise.all(
    urls.map((url) => call(url, "POST", `${team.path}/agents`, { name: "Once" }, headers)),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  const { body } = await call(urls[0], "GET", `${team.path}/agents?perPage=100`);
  expect(body.data.filter(({ name }: { name: string }) => name === "Once")).toHaveLength(1);
});

test("two processes count one limit together", async () => {
  const ticket = { email: uniqueEmail("often"), subject: "s", message: "m" };
  const statuses: number[] = [];
  for (let turn = 0; turn < 11; turn++) {
    statuses.push((await call(urls[turn % 2] ?? "", "POST", "/v1/support/tickets", ticket)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
});

describe("a reply that one of them writes", () => {
  test.each([
    ["one", "the other", 0, 1],
    ["the other", "one", 1, 0],
  ])("%s streams, %s stops", async (_writes, _stops, writes, stops) => {
    const chat = (await call(urls[0], "POST", `/v1/agents/${agentId}/chats`, {})).body;
    const path = `/v1/chats/${chat.id}/messages`;
    const stream = await fetch(`${urls[writes]}${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "text/event-stream",
        Authorization: `Bearer ${team.owner.token}`,
      },
      body: JSON.stringify({ content: "What does the lighthouse saga tell about each keeper?" }),
    });
    let last = { event: "", data: "" };
    let isStopped = false;
    for await (const found of serverEvents(stream)) {
      last = found;
      if (found.event !== "delta" || isStopped) continue;
      isStopped = true;
      const other = urls[stops] ?? "";
      const [, reply] = (await call(other, "GET", path)).body.data;
      expect(await call(other, "POST", `${path}/${reply.id}/stop`)).toMatchObject({ status: 202 });
    }
    const reply = JSON.parse(last.data);
    expect([last.event, reply.status]).toEqual(["done", "stopped"]);
    expect(reply.content).not.toContain("keeper 99");
    for (const url of urls) expect((await call(url, "GET", path)).body.data[1]).toEqual(reply);
  });
});

test("with REGISTRATION=invited, an address registers once a team has invited it, and nobody else does", async () => {
  const [, byInvitation] = urls;
  const email = uniqueEmail("guest");
  const register = () =>
    call(byInvitation, "POST", "/v1/auth/register", {
      name: "A guest",
      email: email.toUpperCase(),
      password: testPassword,
      deviceId: "app",
    });
  expect(await register()).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  const invitation = { email, roleId: systemRoleIds.viewer };
  const invited = await call(urls[0], "POST", `/v1/teamUsers/${team.id}/users`, invitation);
  expect(invited.status).toBe(201);
  expect(await register()).toMatchObject({ status: 201 });
});

test("a browser's session is valid at both web servers", async () => {
  const cookie = cookieOf(await postLogin({ email: team.owner.email, password: testPassword }));
  for (const web of webs) {
    const page = await fetch(`${web}/teams`, { headers: { cookie }, redirect: "manual" });
    expect([web, page.status]).toEqual([web, 200]);
    expect(await page.text()).toContain("Two processes");
    expect((await fetch(`${web}/teams`, { redirect: "manual" })).status).toBe(302);
  }
});

test("a session that one web server renews goes on at the other, though the browser never got the new cookie", async () => {
  const cookie = cookieOf(await postLogin({ email: team.owner.email, password: testPassword }));
  const old = withExpiredToken(cookie);
  for (const web of [...webs, ...webs]) {
    const page = await fetch(`${web}/teams`, { headers: { cookie: old }, redirect: "manual" });
    expect([web, page.status]).toEqual([web, 200]);
    expect(cookieOf(page)).toContain("sb-parley-auth-token");
  }
});

/** The same cookies once their access token has expired. */
function withExpiredToken(cookies: string): string {
  return cookies.replace(/(?<=sb-parley-auth-token=base64-)[^;]+/, (value) => {
    const session = JSON.parse(Buffer.from(value, "base64url").toString());
    const [head, payload, signature] = session.access_token.split(".");
    const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), exp: 1 };
    session.access_token = [head, encode(claims), signature].join(".");
    return encode(session);
  });
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
