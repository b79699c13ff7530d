// A hosted project's schedule: its jobs are created where pg_cron exists. Stands in for the extensions: our SQL is tested, not theirs.
import { readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  await sql.unsafe(`
    create schema cron;
    create schema net;
    create schema vault;
    create table vault.decrypted_secrets (name text, decrypted_secret text);
    create function net.http_post(url text) returns int language sql as 'select 1';
    create table cron.job (jobname text primary key, schedule text, command text);
    create table cron.job_run_details (runid int, end_time timestamptz);
    create function cron.schedule(job text, schedule text, command text) returns void language sql as $$
      insert into cron.job values (job, schedule, command)
      on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command $$`);
});
afterAll(() => database?.stop());

/** The part of the file that creates jobs; the function above it exists already. */
const jobsOf = (path: string) => readFileSync(path, "utf8").replace(/^[\s\S]*?(?=^do \$\$)/m, "");

test("the schema and the migrations create the same jobs", async () => {
  const jobs = () => sql`select jobname, schedule, command from cron.job order by 1`;
  await sql.unsafe(jobsOf("supabase/migrations/20261122000200_schedule.sql"));
  await sql.unsafe(jobsOf("supabase/migrations/20261122110302_schedule_history.sql"));
  const migrated = await jobs();
  await sql`delete from cron.job`;
  await sql.unsafe(jobsOf("sql/90_schedule.sql"));
  expect(migrated).toEqual(await jobs());
  expect(migrated.map(({ jobname }) => jobname)).toEqual([
    "parley-history",
    "parley-indexing",
    "parley-slack",
  ]);
});

test("pg_cron's history is deleted after a week", async () => {
  const [job] = await sql`select command from cron.job where jobname = 'parley-history'`;
  await sql`insert into cron.job_run_details values (1, now() - interval '8 days'), (2, now() - interval '6 days'), (3, null)`;
  await sql.unsafe(job?.command);
  expect(await sql`select runid from cron.job_run_details order by 1`).toEqual([{ runid: 2 }, { runid: 3 }]);
});
