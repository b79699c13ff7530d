// Two concurrent questions in one chat, on real connections: exactly one starts, the other changes nothing, and no reply exists without its
// question.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { fromPostgres } from "../../edge-functions/_shared/requests/errors.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { rounds } from "./racing.ts";

let database: TestPostgres;
let sql: Sql;
let openai: OpenAiFake;
let team: SearchableTeam;
let owner: { role: "authenticated"; sub: string };
let asker: import("../../edge-functions/_shared/requests/auth.ts").Caller;
let asking: typeof import("../../edge-functions/v1/messages/asking.ts");
let beginning: typeof import("../../edge-functions/v1/messages/beginning.ts");
let replies: typeof import("../../edge-functions/v1/messages/replies.ts");
let db: typeof import("../../edge-functions/_shared/database/db.ts");

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 2 });
  openai = await startOpenAiFake();
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "a key of this test alone which is long enough",
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: openai.baseUrl,
    LIMIT_ANSWERS_PER_MEMBER: "1000000",
    LIMIT_ANSWERS_PER_TEAM: "1000000",
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  asking = await import("../../edge-functions/v1/messages/asking.ts");
  beginning = await import("../../edge-functions/v1/messages/beginning.ts");
  replies = await import("../../edge-functions/v1/messages/replies.ts");
  db = await import("../../edge-functions/_shared/database/db.ts");
  team = await makeTeam(sql);
  owner = { role: "authenticated", sub: team.owner.sub ?? "" };
  asker = { kind: "user", id: owner.sub, claims: owner, token: "" };
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  await openai?.stop();
  await database?.stop();
});

type Chat = { id: string; question: string };
type Outcome = { began: boolean; code?: string };

/** The owner's chat with one question and its reply. */
async function newChat(): Promise<Chat> {
  const id = randomUUID();
  await sql`insert into public.chats (id, team_id, agent_id, user_id, title)
            values (${id}, ${team.id}, ${team.agentId}, ${owner.sub}, 'A chat')`;
  const [asked] =
    await sql`insert into public.messages (chat_id, content) values (${id}, 'first') returning id`;
  await sql`insert into public.messages (chat_id, role, content) values (${id}, 'assistant', 'answered')`;
  return { id, question: asked?.id };
}

/** A machine that stands still lets a question time out; it has changed nothing then. */
const BUSY = "UNAVAILABLE";

/** Asks and waits for the end of the reply. */
async function ask(chat: Chat, replaces?: string): Promise<Outcome> {
  try {
    const { running } = await asking.ask(asker, [], chat.id, { content: `asked ${randomUUID()}`, replaces });
    await running.finished;
    return { began: true };
  } catch (error) {
    // As every route answers it.
    const told = fromPostgres(error) ?? error;
    if (told instanceof Error && "code" in told) return { began: false, code: String(told.code) };
    throw error;
  }
}

type Row = { role: string; status: string; superseded: boolean };

/** What is wrong with a chat after a race; empty when nothing is. */
async function faultsIn(chat: Chat, began: number): Promise<string[]> {
  const rows = await sql<Row[]>`
    select role, status, superseded from public.messages where chat_id = ${chat.id} order by id`;
  const told = JSON.stringify(rows.map(({ role, superseded }) => `${superseded ? "-" : "+"}${role}`));
  const shown = rows.filter(({ superseded }) => !superseded);
  const faults: string[] = [];
  if (rows.some(({ role }, i) => role !== (i % 2 === 0 ? "user" : "assistant")))
    faults.push(`out of turn: ${told}`);
  if (shown.some(({ role }, i) => role !== (i % 2 === 0 ? "user" : "assistant")))
    faults.push(`torn apart: ${told}`);
  if (shown.length === 0) faults.push(`nothing is left: ${told}`);
  if (rows.length !== 2 + 2 * began)
    faults.push(`${began} began, but there are ${rows.length} messages: ${told}`);
  if (rows.some(({ status }) => status === "streaming")) faults.push(`unfinished: ${JSON.stringify(rows)}`);
  return faults;
}

/** Rounds of a race; resolves with the faults and the losers' errors. */
async function race(compete: (chat: Chat) => Promise<Outcome[]>) {
  const faults: string[] = [];
  const codes = new Set<string>();
  let contested = 0;
  for (let round = 0; round < rounds; round++) {
    const chat = await newChat();
    const outcomes = await compete(chat);
    const began = outcomes.filter(({ began }) => began).length;
    if (began === 1) contested += 1;
    if (began === 0) faults.push("nobody won");
    for (const { code } of outcomes) if (code) codes.add(code);
    faults.push(...(await faultsIn(chat, began)));
  }
  return { faults: faults.slice(0, 5), codes: [...codes], contested };
}

describe("two at once", () => {
  test.each<[string, (chat: Chat) => Promise<Outcome[]>]>([
    ["ask and ask", (chat) => Promise.all([ask(chat), ask(chat)])],
    ["ask and ask again", (chat) => Promise.all([ask(chat), ask(chat, chat.question)])],
    ["ask again and ask", (chat) => Promise.all([ask(chat, chat.question), ask(chat)])],
    ["ask again, twice", (chat) => Promise.all([ask(chat, chat.question), ask(chat, chat.question)])],
  ])(
    "%s: one starts, the other gets a conflict and changes nothing",
    async (_what, compete) => {
      const { faults, codes, contested } = await race(compete);
      expect(faults).toEqual([]);
      expect(codes.filter((code) => code !== BUSY)).toEqual(["CONFLICT"]);
      expect(contested).toBeGreaterThan(0);
    },
    120_000,
  );
});

test("ask and stop: the next question starts or gets a conflict", async () => {
  const faults: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const chat = await newChat();
    openai.next({ how: "stall", after: 1 });
    const first = await asking.ask(asker, [], chat.id, { content: "goes on and on" });
    for await (const { type } of first.running.events) if (type === "delta") break;
    const [answers] =
      await sql`select id from public.messages where chat_id = ${chat.id} and status = 'streaming'`;
    const stop = async () => {
      await sql`update public.messages set stop_requested = true where id = ${answers?.id}`;
      replies.stopRunning(answers?.id);
      const { reply } = await first.running.finished;
      return reply.status;
    };
    const [ended, outcome] = await Promise.all([stop(), ask(chat)]);
    if (ended !== "stopped") faults.push(`ended as ${ended}`);
    if (!outcome.began && outcome.code !== "CONFLICT" && outcome.code !== BUSY)
      faults.push(`told ${outcome.code}`);
    faults.push(...(await faultsIn(chat, outcome.began ? 2 : 1)));
  }
  expect(faults).toEqual([]);
});

test("ask and delete the chat: nothing of either remains", async () => {
  const codes = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const chat = await newChat();
    const [outcome] = await Promise.all([ask(chat), sql`delete from public.chats where id = ${chat.id}`]);
    if (outcome.code) codes.add(outcome.code);
    expect(await sql`select 1 from public.messages where chat_id = ${chat.id}`).toHaveLength(0);
  }
  expect([...codes].filter((code) => code !== "NOT_FOUND")).toEqual([]);
});

test.each(["check", "keep"] as const)(
  "a connection lost at “%s” leaves the chat unchanged and usable",
  async (moment) => {
    const chat = await newChat();
    const before = await sql`select * from public.messages where chat_id = ${chat.id} order by id`;
    const die = async (tx: import("../../edge-functions/_shared/database/db.ts").Transaction) => {
      const [self] = await tx`select pg_backend_pid() as pid`;
      await sql`select pg_terminate_backend(${self?.pid})`;
      await tx`select 1`;
    };
    const asked = { content: "again", replaces: chat.question };
    await expect(beginning.beginQuestion(owner, chat.id, asked, { [moment]: die })).rejects.toThrow();
    expect(await sql`select * from public.messages where chat_id = ${chat.id} order by id`).toEqual(before);
    expect(await ask(chat, chat.question)).toEqual({ began: true });
    expect(await faultsIn(chat, 1)).toEqual([]);
  },
);
