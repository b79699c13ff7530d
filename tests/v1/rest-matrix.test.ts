// Runs the matrix of tests/sql/matrix through PostgREST with real tokens: the same rows, the same answers, another door.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowed, type Command, commands, matrix, type Subject } from "../sql/matrix/index.ts";
import { makeWorld, removeWorld, type World } from "../sql/world.ts";
import { type Actor, actors, claimsOf } from "../support/actors.ts";
import { findStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let sql: Sql;
let world: World;
let tokens: Map<Actor, string>;
let cases = 0;

/** A new world, after a case that took something out of the last one. */
async function begin() {
  world = await makeWorld(sql);
  tokens = new Map();
  for (const actor of actors) tokens.set(actor, await stack.token(claimsOf(actor, world)));
}

beforeAll(async () => {
  stack = await findStack();
  sql = stack.connect("postgres", { max: 1 });
  await begin();
});

afterAll(async () => {
  console.log(`Row-level security: ${cases} cases through PostgREST`);
  await removeWorld(sql, world);
  await sql.end();
});

const METHODS: Record<Command, string> = { select: "GET", insert: "POST", update: "PATCH", delete: "DELETE" };

async function call(actor: Actor, command: Command, subject: Subject, body?: unknown): Promise<Response> {
  const [schema = "", table = ""] = subject.table.split(".");
  const key = subject.key(world);
  const filters =
    command === "insert" ? [] : Object.entries(key).map(([column, value]) => [column, `eq.${value}`]);
  const query = new URLSearchParams(filters);
  // The columns of the key are readable wherever the row is; not every column is.
  if (command === "select") query.set("select", Object.keys(key).join(","));
  const response = await fetch(`${stack.supabaseUrl}/rest/v1/${table}?${query}`, {
    method: METHODS[command],
    headers: {
      apikey: stack.anonKey,
      authorization: `Bearer ${tokens.get(actor)}`,
      "content-type": "application/json",
      prefer: "return=minimal",
      ...(schema === "public" ? {} : { "accept-profile": schema, "content-profile": schema }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status >= 500) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

type Rows = { row: Record<string, unknown> }[];

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;

const given = (table: string, row: unknown) =>
  `jsonb_populate_record(null::${table}, ${quoted(JSON.stringify(row))}::jsonb) r`;

const keyOf = (subject: Subject) =>
  Object.entries(subject.key(world)).map(([column, value]) => `t.${column}::text = ${quoted(value)}`);

const heldIn = (values: Record<string, unknown>) =>
  Object.keys(values).map((column) => `t.${column} is not distinct from r.${column}`);

/** The rows that tell what happened, as the superuser finds them: the subject's, or those that hold the values. */
function look(subject: Subject, values?: Record<string, unknown>): Promise<Rows> {
  const { table } = subject;
  if (!values)
    return sql.unsafe(`select to_jsonb(t) as row from ${table} t where ${keyOf(subject).join(" and ")}`);
  return sql.unsafe(
    `select to_jsonb(t) as row from ${table} t, ${given(table, values)} where ${heldIn(values).join(" and ")}`,
  );
}

/** Whether the subject's row holds the values. What the platform does with a row meanwhile is nobody's update. */
async function holds(subject: Subject, values: Record<string, unknown>): Promise<boolean> {
  const found = await sql.unsafe(
    `select 1 from ${subject.table} t, ${given(subject.table, values)}
      where ${[...keyOf(subject), ...heldIn(values)].join(" and ")}`,
  );
  return found.length > 0;
}

async function succeeds(subject: Subject, command: Command, actor: Actor): Promise<boolean> {
  cases += 1;
  switch (command) {
    case "select": {
      const response = await call(actor, command, subject);
      const rows: unknown = response.ok ? await response.json() : [];
      return Array.isArray(rows) && rows.length > 0;
    }
    case "insert": {
      const values = subject.insert.row(world);
      await (await call(actor, command, subject, values)).body?.cancel();
      const made = await look(subject, values);
      for (const { row } of made)
        await sql.unsafe(
          `delete from ${subject.table} t where to_jsonb(t) = ${quoted(JSON.stringify(row))}::jsonb`,
        );
      return made.length > 0;
    }
    case "update": {
      const values = subject.update.to(world);
      const [before] = await look(subject);
      await (await call(actor, command, subject, values)).body?.cancel();
      const [after] = await look(subject);
      const changed = JSON.stringify(before) !== JSON.stringify(after) && (await holds(subject, values));
      if (changed) {
        const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
        await sql.unsafe(
          `update ${subject.table} t set ${changes.join(", ")} from ${given(subject.table, before?.row)}
            where to_jsonb(t) = ${quoted(JSON.stringify(after?.row))}::jsonb`,
        );
      }
      return changed;
    }
    case "delete": {
      await (await call(actor, command, subject)).body?.cancel();
      const gone = (await look(subject)).length === 0;
      if (gone) {
        await removeWorld(sql, world);
        await begin();
      }
      return gone;
    }
  }
}

describe.each(matrix)("$table: $row", (subject) => {
  test.each(commands)("%s", async (command) => {
    const able: Actor[] = [];
    for (const actor of actors) if (await succeeds(subject, command, actor)) able.push(actor);
    expect(able).toEqual(actors.filter((actor) => allowed(subject, command).includes(actor)));
  });
});

test("schemas other than public are not served", async () => {
  for (const subject of matrix.filter(({ table }) => !table.startsWith("public."))) {
    const response = await call("owner", "select", subject);
    expect([subject.table, response.ok]).toEqual([subject.table, false]);
    await response.body?.cancel();
  }
});
