// Keys of team tables without team_id are listed with their replacement, and the list is complete.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromPostgres } from "../../edge-functions/_shared/requests/errors.ts";
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

/** A call's path names what these refer to. */
const keysToPath = [
  "agent_tests_team_id_agent_id_fkey",
  "chats_team_id_agent_id_fkey",
  "handovers_team_id_chat_id_fkey",
  "messages_team_id_chat_id_fkey",
  "qa_entries_team_id_source_id_fkey",
];

test("a row whose team was deleted meanwhile, or what its path names, is refused as not found, and no other", async () => {
  const keys = await sql<{ name: string; isOfTeam: boolean }[]>`
    select k.conname as name,
           cardinality(k.conkey) = 1 and k.confrelid in ('public.teams'::regclass, 'private.roots'::regclass) and a.attname = 'team_id' as "isOfTeam"
      from pg_catalog.pg_constraint k
      join pg_catalog.pg_namespace n on n.oid = k.connamespace
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and n.nspname in ('public', 'private')`;
  const readRefusal = ({ name }: { name: string }) =>
    fromPostgres(Object.assign(new Error("insert or update"), { code: "23503", constraint_name: name }))
      ?.code;
  const ofTeams = keys.flatMap(({ name, isOfTeam }) => (isOfTeam ? name : []));
  expect(ofTeams.length).toBeGreaterThan(20);
  const found = keys.flatMap((key) => (readRefusal(key) === "NOT_FOUND" ? key.name : []));
  expect(found.sort()).toEqual([...ofTeams, ...keysToPath].sort());
  const team = randomUUID();
  const error =
    await sql`insert into public.roles (team_id, name, codename) values (${team}, 'Gone', 'gone')`.catch(
      (cause: unknown) => cause,
    );
  expect(fromPostgres(error)).toMatchObject({ code: "NOT_FOUND", status: 404 });
});
