// Every write of a client, and those of the worker that triggers follow: none reads a whole table, whatever its triggers do. With whole reads
// forbidden to the planner, one that is left has no index that it could use. plans.test.ts judges reads.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Claims, claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, rollBack } from "./acting.ts";
import { places } from "./hostile-rows.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1, prepare: false });
  world = await makeWorld(sql);
  // Of the world's own writes.
  await sql`discard plans`;
});

afterAll(() => database.stop());

/** How often each table was read whole. Postgres counts earlier transactions in until it has written their counts down. */
async function readWhole(tx: TransactionSql): Promise<Map<string, number>> {
  const rows = await tx<{ name: string; times: number }[]>`
    select schemaname || '.' || relname as name, seq_scan::int as times
      from pg_catalog.pg_stat_xact_user_tables where seq_scan > 0`;
  return new Map(rows.map(({ name, times }) => [name, times]));
}

/** The tables that a statement reads whole. It is rolled back. @param claims of its caller; the platform's own without */
async function wholeReadsOf(statement: string, claims?: Claims, values: string[] = []): Promise<string[]> {
  let read: string[] = [];
  await rollBack(sql, async (tx) => {
    await tx`set local enable_seqscan = off`;
    const before = await readWhole(tx);
    const work = () => tx.unsafe(statement, values);
    await (claims ? actAs(tx, claims, work) : work());
    const after = await readWhole(tx);
    read = [...after.keys()].filter((table) => after.get(table) !== before.get(table));
  });
  return read;
}

test.each(Object.entries(places))("a client's writes of %s", async (table, place) => {
  const claims = claimsOf(place.actor, world);
  const there = place.there(world);
  const read: [string, string[]][] = [];
  const take = async (what: string, statement: string, row?: object) =>
    read.push([what, await wholeReadsOf(statement, claims, row ? [JSON.stringify(row)] : [])]);
  const row = place.newRow(world);
  const given = `jsonb_populate_record(null::public.${table}, $1::text::jsonb) r`;
  if (Object.keys(row).length > 0) {
    const names = Object.keys(row);
    const values = names.map((name) => `r.${name}`);
    await take("insert", `insert into public.${table} (${names}) select ${values} from ${given}`, row);
  }
  const changes = place.changes(world);
  for (const name of Object.keys(changes))
    await take(
      name,
      `update public.${table} t set ${name} = r.${name} from ${given} where ${there}`,
      changes,
    );
  const [may] = await sql<{ delete: boolean }[]>`
    select has_table_privilege('authenticated', ${`public.${table}`}, 'delete') as delete`;
  if (may?.delete) await take("delete", `delete from public.${table} t where ${there}`);
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter(([, tables]) => tables.length > 0)).toEqual([]);
});

const statuses = ["queued", "indexing", "ready", "stale", "failed", "stopping", "stopped"];

test.each([
  ["knowledges", () => world.knowledge, statuses],
  ["sources", () => world.source, statuses],
  ["documents", () => world.document, statuses],
  ["tasks", () => world.task, ["running", "succeeded", "failed", "stopped"]],
])("the worker's statuses of %s", async (table, idOf, all) => {
  const read: [string, string[]][] = [];
  for (const status of all)
    read.push([
      status,
      await wholeReadsOf(`update public.${table} set status = '${status}' where id = '${idOf()}'`),
    ]);
  expect(read.filter(([, tables]) => tables.length > 0)).toEqual([]);
});

test.each([
  ["public.sources", "private.queue_due_syncs()"],
  ["public.qa_entries", "private.end_expired_entries(100)"],
  ["private.unwanted_objects", "private.claim_unwanted_objects()"],
])("a tick reads what is due of %s, and not what is due later", async (table, call) => {
  await rollBack(sql, async (tx) => {
    await tx`set local enable_seqscan = off`;
    // As after a clean-up by Postgres, which finds the tables small.
    await tx.unsafe(`analyze ${table}`);
    await tx`
      insert into public.sources (team_id, type, name, schedule)
      select ${world.team}, 'file', 'Later ' || n, 'weekly' from generate_series(1, 300) n`;
    await tx`
      insert into public.qa_entries (team_id, source_id, question, answer, expires_at)
      select ${world.team}, ${world.qaSource}, 'Later?', 'Later.', now() + interval '1 day' from generate_series(1, 300)`;
    await tx`
      insert into private.unwanted_objects (path, removed_at, run_after)
      select 'teams/' || gen_random_uuid() || '/' || gen_random_uuid(), now(), now() + interval '1 hour'
        from generate_series(1, 300)`;
    const rowsRead = async () => {
      const [row] = await tx<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_catalog.pg_stat_xact_user_tables
         where relid = ${table}::regclass`;
      return row?.rows ?? 0;
    };
    const before = await rowsRead();
    await tx.unsafe(`select ${call}`);
    expect((await rowsRead()) - before).toBeLessThan(50);
  });
});

test("a read of a whole table is seen, after another too", async () => {
  await sql`select from public.tasks where error = 'none'`;
  expect(await wholeReadsOf("select from public.tasks where error = 'none'")).toEqual(["public.tasks"]);
});
