// kill -9 of the API while it serves a POST with an Idempotency-Key: once the next process runs, the repeated POST is served at once if the
// first had no effect, and refused if it had.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { makeSmallTeams } from "../native/teams.ts";
import { spawnDenoFunction } from "../support/deno-function.ts";
import { startOpenAiFake } from "../support/fakes/openai.ts";
import { startTestPostgres } from "../support/postgres.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Never answers. @returns its address, and how often it was called */
async function startSilentAuth() {
  const calls: string[] = [];
  const server = createServer((request) => void calls.push(request.url ?? ""));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the auth server has no port");
  return { url: `http://127.0.0.1:${address.port}`, calls };
}

/** A public agent, and processes of the API on one database with a model that falls silent, and an auth server that always is. */
async function startStand() {
  const database = await startTestPostgres();
  stops.push(() => database.stop());
  const openai = await startOpenAiFake();
  stops.push(() => openai.stop());
  openai.next({ how: "stall", after: 2 });
  const auth = await startSilentAuth();
  const sql = database.connect("postgres", { max: 1 });
  const [team] = await makeSmallTeams(sql, 1);
  const agent = randomUUID();
  await sql`insert into public.agents (id, team_id, name, visibility) values (${agent}, ${team?.id ?? ""}, 'Agent', 'public')`;
  const spawn = async (isOnly: boolean) => {
    const api = await spawnDenoFunction("local", {
      DATABASE_URL: database.url("authenticator"),
      SUPABASE_URL: auth.url,
      SUPABASE_ANON_KEY: "anon",
      SUPABASE_SERVICE_ROLE_KEY: "service",
      JWT_SECRET: "x".repeat(32),
      WEB_URL: "http://127.0.0.1:3000",
      SECRETS_KEY: "x".repeat(32),
      OPENAI_API_KEY: "test",
      OPENAI_BASE_URL: openai.baseUrl,
      OPENAI_MODEL: "gpt-test",
      ONLY_API_PROCESS: String(isOnly),
    });
    stops.push(() => api.end("SIGKILL"));
    return api;
  };
  return { sql, auth, agent, spawn };
}

/** Sends a POST whose answer a kill may cut off. */
function post(url: string, body: object, headers: Record<string, string>) {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}

it("a POST without an effect is served again once the next process runs", async () => {
  const { sql, auth, spawn } = await startStand();
  const headers = { "Idempotency-Key": randomUUID() };
  const body = { name: "Ada", email: "ada@parley.test", password: "correct-horse-1", deviceId: "app" };
  const first = await spawn(true);
  void post(`${first.url}/v1/auth/register`, body, headers);
  await expect.poll(() => auth.calls.length).toBe(1);
  await first.end("SIGKILL");

  const second = await spawn(true);
  await expect
    .poll(() => sql`select 1 from private.idempotency_keys where is_abandoned`.then(({ length }) => length))
    .toBe(1);
  void post(`${second.url}/v1/auth/register`, body, headers);
  await expect.poll(() => auth.calls.length).toBe(2);
});

it("a POST that took effect is not served again, and says so", async () => {
  const { sql, agent, spawn } = await startStand();
  const first = await spawn(true);
  const chat = await (await post(`${first.url}/v1/agents/${agent}/chats`, {}, {}))?.json();
  const question = { content: "Hello, who are you?" };
  const headers = { "X-Visitor-Token": chat.visitorToken, "Idempotency-Key": randomUUID() };
  const ask = (url: string) => post(`${url}/v1/chats/${chat.id}/messages`, question, headers);
  const countQuestions = async () =>
    (await sql`select 1 from public.messages where role = 'user' and content = ${question.content}`).length;
  void ask(first.url);
  await expect.poll(countQuestions).toBe(1);
  await first.end("SIGKILL");

  const second = await spawn(true);
  await expect
    .poll(() => sql`select 1 from private.idempotency_keys where is_abandoned`.then(({ length }) => length))
    .toBe(1);
  const answer = await ask(second.url);
  expect([answer?.status, await answer?.json()]).toMatchObject([
    409,
    { code: "CONFLICT", message: expect.stringMatching(/took effect/) },
  ]);
  expect(await countQuestions()).toBe(1);
});

it("a start beside other processes leaves their keys alone", async () => {
  const { sql, auth, spawn } = await startStand();
  const first = await spawn(false);
  const body = { name: "Ada", email: "ada@parley.test", password: "correct-horse-1", deviceId: "app" };
  void post(`${first.url}/v1/auth/register`, body, { "Idempotency-Key": randomUUID() });
  await expect.poll(() => auth.calls.length).toBe(1);
  const second = await spawn(false);
  // It has served a call, which is after its start.
  void post(`${second.url}/v1/auth/register`, body, { "Idempotency-Key": randomUUID() });
  await expect.poll(() => auth.calls.length).toBe(2);
  expect(await sql`select 1 from private.idempotency_keys where is_abandoned`).toEqual([]);
});
