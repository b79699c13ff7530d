// kill -9 of the API while it streams a reply: the process that starts after it ends the reply, with the text that was saved, unless other
// processes may be writing in the same database.
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { makeSmallTeams } from "../native/teams.ts";
import { spawnDenoFunction } from "../support/deno-function.ts";
import { startOpenAiFake } from "../support/fakes/openai.ts";
import { startTestPostgres } from "../support/postgres.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A public agent, and processes of the API on one database with a model that falls silent. */
async function startStand() {
  const database = await startTestPostgres();
  stops.push(() => database.stop());
  const openai = await startOpenAiFake();
  stops.push(() => openai.stop());
  const sql = database.connect("postgres", { max: 1 });
  const [team] = await makeSmallTeams(sql, 1);
  const agent = randomUUID();
  await sql`insert into public.agents (id, team_id, name, visibility) values (${agent}, ${team?.id ?? ""}, 'Agent', 'public')`;
  const spawn = async (isOnly: boolean) => {
    const api = await spawnDenoFunction("local", {
      DATABASE_URL: database.url("authenticator"),
      SUPABASE_URL: "http://127.0.0.1:9",
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
  const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response;
  };
  /** Asks, and reads the stream until the first words are stored. @returns the chat */
  const ask = async (url: string): Promise<string> => {
    openai.next({ how: "stall", after: 2 });
    const chat = await (await post(`${url}/v1/agents/${agent}/chats`, {})).json();
    const response = await post(
      `${url}/v1/chats/${chat.id}/messages`,
      { content: "Hello, who are you?" },
      { "X-Visitor-Token": chat.visitorToken, Accept: "text/event-stream" },
    );
    // Cut off by the kill.
    void response.text().catch(() => {});
    await expect.poll(async () => (await replyOf(chat.id))?.content).toBeTruthy();
    return chat.id;
  };
  const replyOf = async (chat: string) => {
    const [row] = await sql<{ status: string; content: string }[]>`
      select status, content from public.messages where chat_id = ${chat} and role = 'assistant'`;
    return row;
  };
  return { spawn, ask, replyOf };
}

it("a start ends the reply of a killed process, keeps its text, and leaves its own replies alone", async () => {
  const { spawn, ask, replyOf } = await startStand();
  const first = await spawn(true);
  const chat = await ask(first.url);
  const words = (await replyOf(chat))?.content;
  await first.end("SIGKILL");
  expect(await replyOf(chat)).toEqual({ status: "streaming", content: words });

  const second = await spawn(true);
  // No lease ends it here: no worker runs, and nobody opens the chat.
  await expect.poll(async () => await replyOf(chat)).toEqual({ status: "failed", content: words });
  const next = await ask(second.url);
  expect(await replyOf(next)).toMatchObject({ status: "streaming" });
});

it("a start beside other processes leaves their replies alone", async () => {
  const { spawn, ask, replyOf } = await startStand();
  const first = await spawn(false);
  const chat = await ask(first.url);
  const second = await spawn(false);
  // The second has served a question, which is after its start.
  await ask(second.url);
  expect(await replyOf(chat)).toMatchObject({ status: "streaming" });
});
