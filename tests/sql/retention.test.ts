// Retention: rows past their limit are deleted, and nothing else; and every table is judged on its growth.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeSmallTeams, type SmallTeam } from "../native/teams.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller } from "./acting.ts";
import { growth } from "./growth.ts";

let database: TestPostgres;
let sql: Sql;
let team: SmallTeam;
let other: SmallTeam;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 2 });
});
afterAll(() => database.stop());

beforeEach(async () => {
  await sql`delete from public.teams`;
  await sql`update public.retention set days = 90`;
  const [one, two] = await makeSmallTeams(sql, 2);
  if (!one || !two) throw new Error("Two teams were to be made");
  [team, other] = [one, two];
});

const remove = async (most = 100): Promise<Record<string, number>> => {
  const rows = await asCaller(
    sql,
    { role: "service_role" },
    (tx) => tx<{ kind: string; removed: number }[]>`select * from private.remove_outgrown(${most})`,
  );
  return Object.fromEntries(rows.map(({ kind, removed }) => [kind, removed]));
};
const keepForever = (kind: string) => sql`update public.retention set days = null where kind = ${kind}`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function addTask(of: SmallTeam, status: string, endedDaysAgo: number | null): Promise<string> {
  const id = randomUUID();
  const ended = endedDaysAgo === null ? null : daysAgo(endedDaysAgo);
  await sql`insert into public.tasks (id, team_id, type, key, status, finished_at, created_at)
            values (${id}, ${of.id}, 'index', ${id}, ${status}, ${ended}, ${daysAgo(900)})`;
  await sql`insert into public.task_attempts (task_id, number, team_id, started_at) values (${id}, 1, ${of.id}, now())`;
  return id;
}
const tasksLeft = async () =>
  (await sql<{ id: string }[]>`select id from public.tasks`).map(({ id }) => id).sort();

async function addReply(of: SmallTeam, ageDays: number) {
  const [agent, chat, reply] = [randomUUID(), randomUUID(), randomUUID()];
  const citations = [
    { index: 1, documentId: randomUUID(), chunkId: randomUUID(), title: "T", url: null, quote: "Q" },
  ];
  await sql`insert into public.agents (id, team_id, name) values (${agent}, ${of.id}, 'Agent')`;
  await sql`insert into public.chats (id, team_id, agent_id, created_at)
            values (${chat}, ${of.id}, ${agent}, ${daysAgo(ageDays)})`;
  await sql`insert into public.messages (id, team_id, chat_id, role, content, citations, created_at)
            values (${reply}, ${of.id}, ${chat}, 'assistant', 'Said [1]', ${sql.json(citations)}, ${daysAgo(ageDays)})`;
  await sql`insert into public.reply_passages (message_id, team_id, candidates, created_at)
            values (${reply}, ${of.id}, '[]', ${daysAgo(ageDays)})`;
  return { agent, chat, reply };
}

async function addThread(of: SmallTeam, { chat, agent }: { chat: string; agent: string }, ageDays: number) {
  const app = randomUUID();
  await sql`insert into public.apps (id, team_id, name, agent_id) values (${app}, ${of.id}, 'App', ${agent})`;
  await sql`insert into private.slack_threads (workspace_id, channel, thread_ts, team_id, app_id, chat_id, created_at)
            values ('T1', 'C1', ${randomUUID()}, ${of.id}, ${app}, ${chat}, ${daysAgo(ageDays)})`;
}

describe("finished tasks", () => {
  test("past their limit are deleted with their attempts, and no other task is", async () => {
    const gone = await Promise.all([
      addTask(team, "succeeded", 91),
      addTask(team, "failed", 400),
      addTask(team, "stopped", 91),
    ]);
    const stay = await Promise.all([
      addTask(team, "succeeded", 89),
      addTask(team, "queued", null),
      addTask(team, "waiting", null),
      addTask(other, "succeeded", 1),
    ]);
    expect(await remove()).toMatchObject({ tasks: gone.length });
    expect(await tasksLeft()).toEqual(stay.sort());
    const attempts = await sql<{ id: string }[]>`select task_id as id from public.task_attempts`;
    expect(attempts.map(({ id }) => id).sort()).toEqual(stay);
  });

  test("stay when kept forever", async () => {
    const old = await addTask(team, "succeeded", 4000);
    await keepForever("tasks");
    expect(await remove()).not.toHaveProperty("tasks");
    expect(await tasksLeft()).toEqual([old]);
  });

  test("are deleted in bounded batches, the oldest first", async () => {
    const ages = [300, 200, 100];
    const ids = await Promise.all(ages.map((days) => addTask(team, "succeeded", days)));
    expect(await remove(2)).toMatchObject({ tasks: 2 });
    expect(await tasksLeft()).toEqual([ids[2]]);
    expect(await remove(2)).toMatchObject({ tasks: 1 });
  });

  test("with a long list beside them are deleted after the list, piece by piece", async () => {
    const id = await addTask(team, "failed", 100);
    const source = randomUUID();
    await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team.id}, 'file', 'S')`;
    await sql`insert into private.listings (task_id, source_id, team_id) values (${id}, ${source}, ${team.id})`;
    await sql`insert into private.listed_items select ${id}, ${source}, n::text from generate_series(1, 25) n`;
    const items = async () => (await sql`select from private.listed_items`).length;
    await remove(1);
    expect([await items(), await tasksLeft()]).toEqual([15, [id]]);
    await remove(1);
    await remove(1);
    expect([await items(), await tasksLeft()]).toEqual([0, []]);
  });
});

describe("a reply's search candidates", () => {
  test("are deleted, and the reply stays with its citations", async () => {
    const { reply } = await addReply(team, 91);
    const young = await addReply(other, 1);
    const read = () => sql`select to_jsonb(m) as row from public.messages m where id = ${reply}`;
    const before = await read();
    expect(await remove()).toMatchObject({ replyPassages: 1 });
    expect(await sql`select message_id from public.reply_passages`).toEqual([{ message_id: young.reply }]);
    expect(await read()).toEqual(before);
  });
});

describe("Slack threads", () => {
  test("are deleted after a period without messages; chats and messages stay", async () => {
    const silent = await addReply(team, 200);
    await addThread(team, silent, 200);
    const alive = await addReply(team, 5);
    await addThread(team, alive, 200);
    const young = await addReply(other, 1);
    await addThread(other, young, 1);
    expect(await remove()).toMatchObject({ slackThreads: 1 });
    const left = await sql<{ id: string }[]>`select chat_id as id from private.slack_threads`;
    expect(left.map(({ id }) => id).sort()).toEqual([alive.chat, young.chat].sort());
    expect(await sql`select from public.chats`).toHaveLength(3);
    expect(await sql`select from public.messages`).toHaveLength(3);
  });
});

describe("handovers", () => {
  test("that are closed lose the person's data, and stay counted; open ones wait for their answer", async () => {
    const add = async (status: string, days: number) => {
      const { chat } = await addReply(team, days);
      const [row] = await sql<{ id: string }[]>`
        insert into public.handovers (team_id, chat_id, status, email, message, summary, consent_version, updated_at)
        values (${team.id}, ${chat}, ${status}, 'ada@example.com', 'Call me', 'Asked', '1', ${daysAgo(days)}) returning id`;
      await sql`insert into private.handover_deliveries (team_id, handover_id, kind, email, status)
                values (${team.id}, ${row?.id ?? ""}, 'teamMail', 'owner@example.com', 'delivered')`;
      return row?.id ?? "";
    };
    const [closed, open, young] = [await add("closed", 91), await add("open", 91), await add("answered", 5)];
    expect(await remove()).toMatchObject({ handovers: 1 });
    expect(await remove()).toMatchObject({ handovers: 0 });
    const rows = await sql`select id, email, message, summary from public.handovers order by id`;
    const left = { email: "ada@example.com", message: "Call me", summary: "Asked" };
    expect(rows.find(({ id }) => id === closed)).toMatchObject({ email: null, message: "", summary: "" });
    for (const id of [open, young]) expect(rows.find((row) => row.id === id)).toMatchObject(left);
    const deliveries = await sql`select handover_id from private.handover_deliveries`;
    expect(deliveries.map((row) => row.handover_id).sort()).toEqual([open, young].sort());
  });
});

test("a new installation keeps a year, and no limit is shorter than a week", async () => {
  const fresh = await startTestPostgres();
  try {
    const read = fresh.connect("postgres", { max: 1 });
    expect(await read`select distinct days from public.retention`).toEqual([{ days: 365 }]);
    await expect(read`update public.retention set days = 6`).rejects.toThrow("retention_days_check");
  } finally {
    await fresh.stop();
  }
});

test("every removal has an index", async () => {
  const indexes = await sql<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_catalog.pg_index where indisvalid`;
  const names = indexes.map(({ name }) => name);
  for (const [table, { removedBy }] of Object.entries(growth))
    if (removedBy) expect(names, table).toContain(removedBy.index);
});

test("every table is judged on its growth", async () => {
  const tables = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') order by 1`;
  expect(Object.keys(growth).sort(), "tests/sql/growth.ts says of each table why it stays bounded").toEqual(
    tables.map(({ name }) => name),
  );
});
