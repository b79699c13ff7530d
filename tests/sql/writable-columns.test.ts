// Columns that a client may write are listed with what acts on them and what constrains them, and the list is complete.
import { readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectorTypes, declarations } from "../../edge-functions/indexing/connectors/registry.ts";
import { declaredSql } from "../../supabase/local/connectors/declared-sql.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { writableColumns } from "./writable-columns.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});

afterAll(() => database.stop());

test("every column that a client may write is listed, and no other", async () => {
  const rows = await sql<{ column: string }[]>`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname || '.' || a.attname as column
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname not in ('pg_catalog', 'information_schema') and c.relkind in ('r', 'p', 'v', 'f')
       and exists (select 1 from unnest(array['anon', 'authenticated']) role, unnest(array['insert', 'update']) command
                    where has_column_privilege(role, c.oid, a.attnum, command))`;
  const found = rows.map(({ column }) => column).sort();
  const advice =
    "tests/sql/writable-columns.ts says of each column what acts on its value and what checks it";
  expect(found, advice).toEqual(Object.keys(writableColumns).sort());
});

test.each(Object.entries(writableColumns))(
  "%s is constrained as its line says",
  async (column, { heldBy }) => {
    const [table = "", name = ""] = column.split(".");
    const names = heldBy.split(" ").filter((one) => one !== "rls");
    const there = await sql<{ name: string }[]>`
    select k.conname as name from pg_catalog.pg_constraint k
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
     where k.conrelid = ${`public.${table}`}::regclass and a.attname = ${name} and k.convalidated
    union
    select t.tgname from pg_catalog.pg_trigger t
     where t.tgrelid = ${`public.${table}`}::regclass and not t.tgisinternal and t.tgenabled = 'O'`;
    expect(there.map((one) => one.name)).toEqual(expect.arrayContaining(names));
    if (names.length === 0) expect(heldBy).toBe("rls");
  },
);

test("Postgres and the connectors have the same source types, settings and addresses", async () => {
  const [known] = await sql<{ types: string[] }[]>`select private.source_types() as types`;
  expect(known?.types).toEqual(connectorTypes);
  for (const { type, addresses } of declarations) {
    const [row] = await sql<{ names: string[] }[]>`select private.source_addresses(${type}) as names`;
    expect(row?.names).toEqual(addresses);
  }
  expect(readFileSync("sql/39_connectors.sql", "utf8")).toBe(declaredSql(declarations));
});
