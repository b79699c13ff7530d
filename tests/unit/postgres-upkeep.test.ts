// Upkeep of the embedded Postgres: rows that are written again and again take no more room than the live ones, nor does their log.
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkpointDue, vacuumDue } from "../../supabase/local/upkeep.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits: {} });
  sql = postgres(database.url("postgres"), { max: 1, fetch_types: false, onnotice: () => {} });
  await sql`create table public.counted (id int primary key, n int, filler text)`;
  await sql`create index on public.counted (n)`;
  await sql`create table public.quiet (id int)`;
});
afterAll(async () => {
  await sql?.end();
  await database?.stop();
});

const pages = async (): Promise<number> => {
  const [row] = await sql<{ pages: number }[]>`
    select (pg_total_relation_size('public.counted') / current_setting('block_size')::int)::int as pages`;
  return row?.pages ?? 0;
};
const changeRows = async (): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await sql`update public.counted set n = n + 1`;
  // By default, changes are reported once a second.
  await sql`select pg_stat_force_next_flush()`;
};

it("gives the room of dead rows to the next ones", async () => {
  await sql`insert into public.counted select i, i, repeat('x', 200) from generate_series(1, 200) i`;
  await changeRows();
  await vacuumDue(sql);
  const after = await pages();
  for (let day = 0; day < 3; day += 1) {
    await changeRows();
    await vacuumDue(sql);
  }
  expect(await pages()).toBeLessThan(after * 1.5);
});

it("counts rows for the planner, and leaves tables alone that did not change", async () => {
  const counts = await sql<{ relname: string; vacuums: number; analyzes: number; rows: number }[]>`
    select c.relname, s.vacuum_count::int as vacuums, s.analyze_count::int as analyzes, c.reltuples::int as rows
      from pg_class c join pg_stat_all_tables s on s.relid = c.oid
     where c.relname in ('counted', 'quiet') order by 1`;
  expect(counts).toEqual([
    { relname: "counted", vacuums: 4, analyzes: 4, rows: 200 },
    { relname: "quiet", vacuums: 0, analyzes: 0, rows: -1 },
  ]);
});

it("goes on behind a table that cannot be vacuumed, and leaves it alone for an hour", async () => {
  await sql`create table public.refusing (id int)`;
  await sql`create function public.refuse(id int) returns int language sql immutable as 'select 1 / (id - id)'`;
  await sql`insert into public.refusing select generate_series(1, 100)`;
  await sql`create statistics public.refused on (public.refuse(id)), id from public.refusing`;
  const [before] = await sql`select vacuum_count from pg_stat_all_tables where relname = 'counted'`;
  const refusals: string[] = [];
  const resting = new Map<string, number>();
  const vacuum = async () => {
    await changeRows();
    await vacuumDue(sql, resting, (table, code) => refusals.push(`${table} ${code}`));
  };
  await vacuum();
  await vacuum();
  expect(refusals).toEqual(["public.refusing 22012"]);
  const [after] = await sql`select vacuum_count from pg_stat_all_tables where relname = 'counted'`;
  expect(Number(after?.vacuum_count)).toBe(Number(before?.vacuum_count) + 2);

  resting.set("public.refusing", Date.now());
  await vacuum();
  expect(refusals).toHaveLength(2);
});

it("starts the log anew once it is long, and not before", async () => {
  const lastCheckpoint = async () => (await sql`select redo_lsn from pg_control_checkpoint()`)[0]?.redo_lsn;
  await sql`checkpoint`;
  const first = await lastCheckpoint();
  await sql`insert into public.quiet select generate_series(1, 1000)`;
  await checkpointDue(sql);
  expect(await lastCheckpoint()).toBe(first);
  await sql`insert into public.quiet select generate_series(1, 300000)`;
  await checkpointDue(sql);
  expect(await lastCheckpoint()).not.toBe(first);
});
