// Runs the matrix in SQL: every subject, actor and command. A table without a subject fails.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Actor, actors, claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { attempt, installAttempt } from "./acting.ts";
import { allowed, type Command, commands, matrix, type Subject } from "./matrix/index.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
let cases = 0;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  await installAttempt(sql);
});

afterAll(async () => {
  console.log(`Row-level security: ${cases} cases in SQL`);
  await database.stop();
});

/** The condition that finds a subject's row; compared as text, so that every key is written alike. */
function finding(subject: Subject): string {
  const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return Object.entries(subject.key(world))
    .map(([column, value]) => `t.${column}::text = ${quoted(value)}`)
    .join(" and ");
}

async function succeeds(subject: Subject, command: Command, actor: Actor): Promise<boolean> {
  cases += 1;
  const { table } = subject;
  const found = finding(subject);
  const row = `${table} t where ${found}`;
  const given = `jsonb_populate_record(null::${table}, $1::jsonb) r`;
  const claims = claimsOf(actor, world);
  switch (command) {
    case "select":
      return (await attempt(sql, claims, `select 1 from ${row}`, null, row)).affected > 0;
    case "insert": {
      const values = subject.insert.row(world);
      const names = Object.keys(values).join(", ");
      const statement = `insert into ${table} (${names}) select ${names} from ${given}`;
      const { before, after } = await attempt(sql, claims, statement, values, `${table} t`);
      return after.length > before.length;
    }
    case "update": {
      const values = subject.update.to(world);
      const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
      const statement = `update ${table} t set ${changes.join(", ")} from ${given} where ${found}`;
      const { before, after } = await attempt(sql, claims, statement, values, row);
      return JSON.stringify(before) !== JSON.stringify(after);
    }
    case "delete":
      return (await attempt(sql, claims, `delete from ${row}`, null, row)).after.length === 0;
  }
}

// A row that could not be there at all would show nothing about who may add it.
const unreachable = matrix.filter(({ table }) => table.startsWith("private."));
test.each(unreachable)("$table: the row to add is one that could be there", async (subject) => {
  const values = subject.insert.row(world);
  const names = Object.keys(values).join(", ");
  const undone = sql.begin(async (tx) => {
    await tx.unsafe(
      `insert into ${subject.table} (${names}) select ${names} from jsonb_populate_record(null::${subject.table}, $1::text::jsonb)`,
      [JSON.stringify(values)],
    );
    throw new Error("taken back");
  });
  await expect(undone).rejects.toThrow("taken back");
});

describe.each(matrix)("$table: $row", (subject) => {
  test.each(commands)("%s", async (command) => {
    const able: Actor[] = [];
    for (const actor of actors) if (await succeeds(subject, command, actor)) able.push(actor);
    expect(able).toEqual(actors.filter((actor) => allowed(subject, command).includes(actor)));
  });

  test("is there, for the superuser", async () => {
    const rows = await sql.unsafe(`select 1 from ${subject.table} t where ${finding(subject)}`);
    expect(rows.length).toBeGreaterThan(0);
  });
});

test("every table has a subject", async () => {
  const tables = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f')
       -- A view that no role of a door may read is a part of the functions that read it.
       and (c.relkind <> 'v' or exists (
         select 1 from unnest(array['anon', 'authenticated', 'service_role']) role
          where has_any_column_privilege(role, c.oid, 'select, insert, update, references')
             or has_table_privilege(role, c.oid, 'delete, truncate, trigger')))`;
  const ours = matrix.map((subject) => subject.table).filter((table) => /^(public|private)\./.test(table));
  expect(new Set(ours)).toEqual(new Set(tables.map((table) => table.name)));
});
