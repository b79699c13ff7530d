// Keys of team tables without team_id are listed with their replacement, and the list is complete.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { foreignKeys, replacedByTeamAndId, uniqueKeys } from "./team-keys.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});
afterAll(() => database.stop());

/** Our tables with a team_id, and the number of that column. */
const teamTables = () => sql`
  select c.oid, a.attnum as team from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'team_id' and not a.attisdropped
   where n.nspname in ('public', 'private') and c.relkind in ('r', 'p')`;

const adviceOn = (list: string) => `${list} in tests/sql/team-keys.ts says what replaces each key`;

test("unique keys without team_id are listed", async () => {
  const rows = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from (${teamTables()}) t
      join pg_catalog.pg_index i on i.indrelid = t.oid
     where i.indisunique and not t.team = any (i.indkey::int2[])`;
  expect(rows.map(({ name }) => name).sort(), adviceOn("uniqueKeys")).toEqual(Object.keys(uniqueKeys).sort());
});

test("foreign keys without team_id are listed", async () => {
  const rows = await sql<{ name: string }[]>`
    select k.conname as name from (${teamTables()}) t
      join pg_catalog.pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
     where not t.team = any (k.conkey)`;
  expect(rows.map(({ name }) => name).sort(), adviceOn("foreignKeys")).toEqual(
    Object.keys(foreignKeys).sort(),
  );
});

test("each table that needs a key on (team_id, id) has it", async () => {
  const rows = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from (${teamTables()}) t
      join pg_catalog.pg_index i on i.indrelid = t.oid and i.indisprimary
     where exists (
       select from pg_catalog.pg_index twin
        where twin.indrelid = t.oid and twin.indisunique and twin.indpred is null
          and pg_get_indexdef(twin.indexrelid) like '%(team_id, id)')`;
  const replaced = Object.entries(uniqueKeys).filter(([, how]) => how === replacedByTeamAndId);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(replaced.map(([name]) => name)));
});
