// A question's cost in the database: statements before the first word, and saving replies while they stream.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeSpace, makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { type StatementLog, startStatementLog } from "../support/statement-log.ts";
import { actAs, rollBack } from "./acting.ts";

let database: TestPostgres;
let log: StatementLog;
let sql: Sql;
let openai: OpenAiFake;
let team: SearchableTeam;
let caller: Extract<import("../../edge-functions/_shared/requests/auth.ts").Caller, { kind: "user" }>;
let asking: typeof import("../../edge-functions/v1/messages/asking.ts");
let streams: typeof import("../../edge-functions/v1/streams/queries.ts");
let live: typeof import("../../edge-functions/v1/streams/live.ts");
let saver: typeof import("../../edge-functions/v1/messages/reply-saver.ts");

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  [log, openai] = await Promise.all([startStatementLog(database.port), startOpenAiFake()]);
  const settings = {
    DATABASE_URL: database.url("authenticator").replace(`:${database.port}/`, `:${log.port}/`),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "a key of this test alone which is long enough",
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: openai.baseUrl,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  asking = await import("../../edge-functions/v1/messages/asking.ts");
  streams = await import("../../edge-functions/v1/streams/queries.ts");
  live = await import("../../edge-functions/v1/streams/live.ts");
  saver = await import("../../edge-functions/v1/messages/reply-saver.ts");
  team = await makeTeam(sql);
  const space = await makeSpace(sql, "test-embedding", 8, (texts) =>
    texts.map(() => new Float32Array(8).fill(0.5)),
  );
  await makeKnowledge(sql, team, [{ title: "Sky", content: "The sky is blue." }], { space });
  const id = "sub" in team.owner ? (team.owner.sub ?? "") : "";
  caller = { kind: "user", id, claims: { role: "authenticated", sub: id }, token: "" };
});
afterAll(async () => {
  await (await import("../../edge-functions/_shared/database/db.ts")).closeDatabase();
  vi.unstubAllEnvs();
  await Promise.all([log?.stop(), openai?.stop()]);
  await database?.stop();
});
beforeEach(() => {
  log.statements.length = 0;
});

async function newChat(): Promise<string> {
  const id = randomUUID();
  await sql`insert into public.chats (id, team_id, agent_id, user_id) values (${id}, ${team.id}, ${team.agentId}, ${caller.id})`;
  return id;
}

/** The statements' purposes, without those that open and end a transaction. */
const purposes = () =>
  log.statements.flatMap((statement) => {
    // A connection's first statement reads the types of arrays.
    if (/^(begin|commit|rollback|set local)|set_config|pg_catalog\.pg_type/i.test(statement)) return [];
    return (
      /add_question|open_reply|search_chunks|ask_agent|begin_answer|reply_passages|document_ages|settle_model_cost/.exec(
        statement,
      )?.[0] ?? statement
    );
  });

test("a stored question takes one statement as its person, one as the platform and one search before the first word", async () => {
  const { running } = await asking.ask(caller, [], await newChat(), { content: "What colour is the sky?" });
  for await (const { type } of running.events) if (type === "delta") break;
  expect(purposes().slice(0, 3)).toEqual(["add_question", "open_reply", "search_chunks"]);
  const { reply } = await running.finished;
  expect(reply).toMatchObject({ status: "complete", citations: [{ title: "Sky" }] });
  // A slow machine saves the reply while it streams, and looks whether its reader may still have it.
  const atMostOnceASecond = /^(with written as|select agent_id from public.chats)/;
  expect(purposes().filter((purpose) => !atMostOnceASecond.test(purpose))).toEqual([
    "add_question",
    "open_reply",
    "search_chunks",
    "document_ages",
    "settle_model_cost",
    "reply_passages",
  ]);
});

/** How often a question looks up the teams of its person, which each policy on a table that they read or write does. It is rolled back. */
async function lookUpsOf(chat: string): Promise<number> {
  let lookUps = 0;
  await rollBack(sql, async (tx) => {
    const calls = async () => {
      const [row] = await tx<{ calls: number }[]>`
        select coalesce(sum(calls), 0)::int as calls from pg_stat_xact_user_functions where funcname = 'teams_with'`;
      return row?.calls ?? 0;
    };
    await tx`set local track_functions = 'all'`;
    const before = await calls();
    await actAs(
      tx,
      caller.claims,
      () => tx`select private.add_question(${chat}, 'Which sky?', 'Which sky?', null)`,
    );
    await tx`select private.open_reply(${chat}, null, false, 60, '{}', '{}', '{}', 0)`;
    lookUps = (await calls()) - before;
    const [named] = await tx`select title from public.chats where id = ${chat}`;
    expect(named?.title).not.toBe("");
  });
  return lookUps;
}

test("a chat's first question, which names the chat, asks for its person's rights as often as a later one", async () => {
  const [first, later] = [await newChat(), await newChat()];
  await sql`update public.chats set title = 'Named' where id = ${later}`;
  expect(await lookUpsOf(later)).toBeGreaterThan(0);
  expect(await lookUpsOf(first)).toBe(await lookUpsOf(later));
});

test("a question without a chat takes as many, and stores nothing", async () => {
  const addresses = [{ address: "203.0.113.7", shared: false }];
  await streams.beginAnswer(caller, addresses, team.agentId);
  log.statements.length = 0;
  // Again: the driver now knows the types of the parameters.
  const { agent } = await streams.beginAnswer(caller, addresses, team.agentId);
  const said: string[] = [];
  for await (const { type } of live.liveReply(
    agent,
    [{ role: "user", content: "What colour is the sky?" }],
    "api",
    caller.claims,
  ))
    said.push(type);
  expect(said).toEqual(expect.arrayContaining(["delta", "citations", "done"]));
  // A slow machine looks again whether the reader may ask the agent.
  expect(purposes().filter((purpose, at) => purpose !== "ask_agent" || at === 0)).toEqual([
    "ask_agent",
    "begin_answer",
    "search_chunks",
    "document_ages",
    "settle_model_cost",
  ]);
});

test("a model that may compute over the tables found is asked after the same statements", async () => {
  await sql`
    insert into public.document_tables (team_id, knowledge_id, document_id, position, caption, columns, rows_count)
    select team_id, knowledge_id, document_id, 0, 'Colours', '[{ "name": "Colour", "kind": "text" }]', 60
      from public.document_indexes where team_id = ${team.id}`;
  const { agent } = await streams.beginAnswer(caller, [], team.agentId);
  log.statements.length = 0;
  openai.requests.length = 0;
  const question = { role: "user" as const, content: "What colour is the sky?" };
  for await (const { type } of live.liveReply(agent, [question], "api", caller.claims))
    if (type === "delta") break;
  const asked = openai.requests.find(({ path }) => path.endsWith("/chat/completions"))?.body;
  expect(asked).toMatchObject({ tools: [{ function: { name: "query_table" } }] });
  expect(JSON.stringify(asked)).toContain("T1: “Sky”, Colours, 60 rows. Columns: “Colour” text");
  const usual = ["search_chunks", "document_ages", "settle_model_cost", "ask_agent"];
  expect(purposes()).toContain("search_chunks");
  expect(purposes().filter((purpose) => !usual.includes(purpose))).toEqual([]);
  await sql`delete from public.document_tables where team_id = ${team.id}`;
});

/** A streaming reply, its text so far, and why it was stopped. */
async function growing(content: string) {
  const chat = await newChat();
  const [row] = await sql<{ id: string }[]>`
    insert into public.messages (chat_id, role, status) values (${chat}, 'assistant', 'streaming') returning id`;
  const told: string[] = [];
  const id = row?.id ?? "";
  const draft = { content };
  const end = saver.keepSaved({ id, draft, stop: (why) => told.push(why) });
  const readStored = async () =>
    (await sql`select content from public.messages where id = ${id}`)[0]?.content;
  return { id, draft, told, end, stored: readStored };
}

test("concurrent streaming replies are saved by one statement, repeatedly", async () => {
  const replies = await Promise.all([growing("one"), growing("two"), growing("")]);
  const [one, two, silent] = replies;
  log.statements.length = 0;
  await eventually(async () => expect(await two.stored()).toBe("two"));
  expect(await one.stored()).toBe("one");
  one.draft.content = "one and more";
  await eventually(async () => expect(await one.stored()).toBe("one and more"));
  for (const { end } of replies) end();
  expect(silent.told).toEqual([]);
  expect(one.told).toEqual([]);
  const saves = log.statements.filter((statement) => /set content/.test(statement));
  expect(saves.length).toBeLessThanOrEqual(3);
});

test("a save of a growing reply writes no index", async () => {
  const reply = await growing("");
  const [before, after] = await sql.begin(async (tx) => {
    // Of this connection's earlier transactions, too, until Postgres has written their counts down.
    const countSaves = async () => {
      const [row] = await tx<{ saved: number; inPlace: number }[]>`
        select pg_stat_get_xact_tuples_updated(t)::int as saved, pg_stat_get_xact_tuples_hot_updated(t)::int as "inPlace"
          from (select 'public.messages'::regclass as t) of`;
      return row ?? { saved: 0, inPlace: 0 };
    };
    const before = await countSaves();
    await tx`update public.messages set content = 'The sky is' where id = ${reply.id} and status = 'streaming'`;
    return [before, await countSaves()];
  });
  reply.end();
  expect(after).toEqual({ saved: before.saved + 1, inPlace: before.inPlace + 1 });
});

test("a stopped reply is told to stop, silent or not; an abandoned or deleted one that it is lost", async () => {
  const [talking, silent, given, deleted] = await Promise.all([
    growing("words"),
    growing(""),
    growing("words"),
    growing(""),
  ]);
  await sql`update public.messages set stop_requested = true where id in (${talking.id}, ${silent.id})`;
  await sql`update public.messages set status = 'failed' where id = ${given.id}`;
  await sql`delete from public.messages where id = ${deleted.id}`;
  const all = [talking, silent, given, deleted];
  await eventually(() => expect(all.map(({ told }) => told[0])).toEqual(["stop", "stop", "lost", "lost"]));
  for (const { end } of all) end();
});
