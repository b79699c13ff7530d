// Runs the matrix in SQL: every subject, actor and command. A table without a subject fails.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actors } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { installAttempt, rollBack } from "./acting.ts";
import {
  commandsNamingPermissions,
  deleteRoots,
  findNeedless,
  findReaching,
  isReachedByAll,
  type Root,
  roots,
} from "./matrix/conditions.ts";
import { allowed, commands, matrix } from "./matrix/index.ts";
import { findAble, finding, findSweeping, mayNotSweep } from "./matrix/tries.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
let cases = 0;
/** The tables and commands with a policy, as "public.chats update". */
let judged: Set<string>;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  await installAttempt(sql);
  const policies = await sql<{ name: string }[]>`
    select schemaname || '.' || tablename || ' ' || command as name
      from pg_catalog.pg_policies, unnest(array['update', 'delete']) as command where cmd in ('ALL', upper(command))`;
  judged = new Set(policies.map(({ name }) => name));
});

afterAll(async () => {
  console.log(`Row-level security: ${cases} cases in SQL`);
  await database.stop();
});

// A row that is invalid anyway would prove nothing about who may insert it.
const unreachable = matrix.filter(({ table }) => table.startsWith("private."));
test.each(unreachable)("$table: the row to insert is valid", async (subject) => {
  const values = subject.insert.row(world);
  const names = Object.keys(values).join(", ");
  const undone = sql.begin(async (tx) => {
    // The one row of the installation is always there.
    await tx`delete from private.operator_limits`;
    await tx.unsafe(
      `insert into ${subject.table} (${names}) select ${names} from jsonb_populate_record(null::${subject.table}, $1::text::jsonb)`,
      [JSON.stringify(values)],
    );
    throw new Error("taken back");
  });
  await expect(undone).rejects.toThrow("taken back");
});

/** A whole run tests the other tables on this engine through PostgREST, and all of them in SQL on a native Postgres. */
const subjects = process.env.MATRIX_WITHOUT_REST
  ? matrix.filter(({ table }) => !table.startsWith("public."))
  : matrix;

describe.each(subjects)("$table: $row", (subject) => {
  test.each(commands)("%s", async (command) => {
    const able = await findAble(sql, world, subject, command);
    cases += actors.length;
    expect(able).toEqual(actors.filter((actor) => allowed(subject, command).includes(actor)));
    // Without a policy for the command, its reach need not be tested.
    const canSweep =
      (command === "update" || command === "delete") && judged.has(`${subject.table} ${command}`);
    if (!canSweep) return;
    const others = mayNotSweep(subject, command);
    cases += others.length;
    expect(await findSweeping(sql, world, subject, command, others)).toEqual([]);
  });

  test("exists, for the superuser", async () => {
    const rows = await sql.unsafe(`select 1 from ${subject.table} t where ${finding(subject, world)}`);
    const advice = "no row of the world has this key: rowsOfTheTeam() in tests/sql/content-rows.ts adds one";
    expect(rows.length, advice).toBeGreaterThan(0);
  });
});

const named = subjects.filter((subject) => commandsNamingPermissions(subject).length > 0);
test.each(named)("$table: $row needs every permission that its cells name", async (subject) => {
  for (const command of commandsNamingPermissions(subject))
    await rollBack(sql, async (tx) => {
      expect([command, await findNeedless(tx, world, subject, command)]).toEqual([command, []]);
      expect([command, await isReachedByAll(tx, world, subject, command)]).toEqual([command, true]);
    });
});

test.each(Object.keys(roots) as Root[])("what hangs on deleted %s reaches nobody", async (root) => {
  await rollBack(sql, async (tx) => {
    await deleteRoots(tx, world, root);
    for (const subject of matrix.filter(({ table }) => roots[root].tables.includes(table))) {
      const { table, row } = subject;
      expect([table, row, await findReaching(tx, world, subject)]).toEqual([table, row, []]);
      const left = await tx.unsafe(`select 1 from ${table} t where ${finding(subject, world)}`);
      expect([table, row, left.length]).toEqual([table, row, 1]);
    }
  });
});

test("every table has a subject", async () => {
  const tables = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f')
       -- A view that no API role may read is a part of the functions that read it.
       and (c.relkind <> 'v' or exists (
         select 1 from unnest(array['anon', 'authenticated', 'service_role']) role
          where has_any_column_privilege(role, c.oid, 'select, insert, update, references')
             or has_table_privilege(role, c.oid, 'delete, truncate, trigger')))`;
  const ours = matrix.map((subject) => subject.table).filter((table) => /^(public|private)\./.test(table));
  const advice = "tests/sql/matrix/index.ts says of each table who may do what";
  expect(new Set(ours), advice).toEqual(new Set(tables.map((table) => table.name)));
});
