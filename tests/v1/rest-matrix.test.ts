// Runs the matrix of tests/sql/matrix through PostgREST with real tokens: same rows, same answers.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowed, type Command, commands, matrix, type Subject } from "../sql/matrix/index.ts";
import { makeWorlds, type World } from "../sql/world.ts";
import { removeWorlds } from "../sql/world-removal.ts";
import { type Actor, actors, claimsOf } from "../support/actors.ts";
import { findStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let sql: Sql;
/** The world of the calls. */
let world: World;
let unused: World[] = [];
/** Worlds in which a case deleted something. */
const used: World[] = [];
const tokens = new WeakMap<World, Map<Actor, Promise<string>>>();
let cases = 0;

/** So many worlds are made together: each then takes a third of the time. */
const atATime = 10;

/** Takes a new world. */
async function begin() {
  if (unused.length === 0) unused = await makeWorlds(sql, atATime);
  world = unused.pop() as World;
}

/** An actor's token, signed at their first call in the world. */
function tokenOf(actor: Actor): Promise<string> {
  const known = tokens.get(world) ?? new Map<Actor, Promise<string>>();
  tokens.set(world, known);
  const token = known.get(actor) ?? stack.token(claimsOf(actor, world));
  known.set(actor, token);
  return token;
}

beforeAll(async () => {
  stack = await findStack();
  sql = stack.connect("postgres", { max: 1 });
  await begin();
});

afterAll(async () => {
  console.log(`Row-level security: ${cases} cases through PostgREST`);
  await removeWorlds(sql, [...used, world, ...unused]);
  await sql.end();
});

const METHODS: Record<Command, string> = { select: "GET", insert: "POST", update: "PATCH", delete: "DELETE" };

async function call(actor: Actor, command: Command, subject: Subject, body?: unknown): Promise<Response> {
  const [schema = "", table = ""] = subject.table.split(".");
  const key = subject.key(world);
  const filters =
    command === "insert" ? [] : Object.entries(key).map(([column, value]) => [column, `eq.${value}`]);
  const query = new URLSearchParams(filters);
  // The key's columns are readable wherever the row is; not every column is.
  if (command === "select") query.set("select", Object.keys(key).join(","));
  const token = await tokenOf(actor);
  const response = await fetch(`${stack.supabaseUrl}/rest/v1/${table}?${query}`, {
    method: METHODS[command],
    headers: {
      apikey: stack.anonKey,
      authorization: `Bearer ${token}`,
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

const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;

const asRow = (table: string, row: unknown) =>
  `jsonb_populate_record(null::${table}, ${quote(JSON.stringify(row))}::jsonb) r`;

const keyOf = (subject: Subject) =>
  Object.entries(subject.key(world)).map(([column, value]) => `t.${column}::text = ${quote(value)}`);

const matchColumns = (values: Record<string, unknown>) =>
  Object.keys(values).map((column) => `t.${column} is not distinct from r.${column}`);

/** The rows that show the outcome, as the superuser sees them: the subject's, or those with the values. */
function look(subject: Subject, values?: Record<string, unknown>): Promise<Rows> {
  const { table } = subject;
  if (!values)
    return sql.unsafe(`select to_jsonb(t) as row from ${table} t where ${keyOf(subject).join(" and ")}`);
  return sql.unsafe(
    `select to_jsonb(t) as row from ${table} t, ${asRow(table, values)} where ${matchColumns(values).join(" and ")}`,
  );
}

/** True when the subject's row has the values. The platform's own changes to a row meanwhile do not count as an update. */
async function holds(subject: Subject, values: Record<string, unknown>): Promise<boolean> {
  const found = await sql.unsafe(
    `select 1 from ${subject.table} t, ${asRow(subject.table, values)}
      where ${[...keyOf(subject), ...matchColumns(values)].join(" and ")}`,
  );
  return found.length > 0;
}

async function isShown(subject: Subject, actor: Actor): Promise<boolean> {
  const response = await call(actor, "select", subject);
  const rows: unknown = response.ok ? await response.json() : [];
  return Array.isArray(rows) && rows.length > 0;
}

/** Sends the call of each actor at once: the wait for one is most of its time. */
async function send(callers: Actor[], command: Command, subject: Subject, body?: unknown): Promise<void> {
  await Promise.all(
    callers.map(async (actor) => {
      await (await call(actor, command, subject, body)).body?.cancel();
    }),
  );
}

/** True when the call of at least one actor had an effect, which is undone. */
async function hasEffect(
  subject: Subject,
  command: Exclude<Command, "select">,
  callers: Actor[],
): Promise<boolean> {
  switch (command) {
    case "insert": {
      const values = subject.insert.row(world);
      await send(callers, command, subject, values);
      const made = await look(subject, values);
      for (const { row } of made)
        await sql.unsafe(
          `delete from ${subject.table} t where to_jsonb(t) = ${quote(JSON.stringify(row))}::jsonb`,
        );
      return made.length > 0;
    }
    case "update": {
      const values = subject.update.to(world);
      const [before] = await look(subject);
      await send(callers, command, subject, values);
      const [after] = await look(subject);
      const changed = JSON.stringify(before) !== JSON.stringify(after) && (await holds(subject, values));
      if (changed) {
        const changes = Object.keys(values).map((column) => `${column} = r.${column}`);
        await sql.unsafe(
          `update ${subject.table} t set ${changes.join(", ")} from ${asRow(subject.table, before?.row)}
            where to_jsonb(t) = ${quote(JSON.stringify(after?.row))}::jsonb`,
        );
      }
      return changed;
    }
    case "delete": {
      await send(callers, command, subject);
      const gone = (await look(subject)).length === 0;
      if (gone && !used.includes(world)) {
        used.push(world);
        await begin();
      }
      return gone;
    }
  }
}

/**
 * True when the actor deletes the row, in a world where others were deleted if its row is still there: few worlds then suffice. A row that
 * stays there is tried in a new world, since what the actor needs may be gone.
 */
async function hasDeleted(subject: Subject, actor: Actor): Promise<boolean> {
  const intact = world;
  for (const one of used) {
    world = one;
    const isThere = (await look(subject)).length > 0;
    const isDeleted = isThere && (await hasEffect(subject, "delete", [actor]));
    world = intact;
    if (isDeleted) return true;
    if (isThere) break;
  }
  return await hasEffect(subject, "delete", [actor]);
}

/** The actors whose call succeeds. Those who must be refused call together, and one by one only if one of them had an effect. */
async function findAble(subject: Subject, command: Command): Promise<Actor[]> {
  cases += actors.length;
  const able: Actor[] = [];
  if (command === "select") {
    const shown = await Promise.all(actors.map((actor) => isShown(subject, actor)));
    return actors.filter((_actor, at) => shown[at]);
  }
  const mayCall = allowed(subject, command);
  const refused = actors.filter((actor) => !mayCall.includes(actor));
  const areRefused = !(await hasEffect(subject, command, refused));
  for (const actor of areRefused ? actors.filter((one) => mayCall.includes(one)) : actors) {
    // Where something is missing, only an effect proves something.
    const isReused = command === "delete" && mayCall.includes(actor);
    if (await (isReused ? hasDeleted(subject, actor) : hasEffect(subject, command, [actor])))
      able.push(actor);
  }
  return able;
}

// The indexing tick adds changes of storage up and deletes them, and removes staged rows that no import will write, whoever calls.
const passing = ["private.storage_changes", "private.import_rows"];
const lasting = matrix.filter(({ table }) => !passing.includes(table));
describe.each(lasting)("$table: $row", (subject) => {
  test.each(commands)("%s", async (command) => {
    expect(await findAble(subject, command)).toEqual(
      actors.filter((actor) => allowed(subject, command).includes(actor)),
    );
  });
});

test("schemas other than public are not served", async () => {
  for (const subject of matrix.filter(({ table }) => !table.startsWith("public."))) {
    const response = await call("owner", "select", subject);
    expect([subject.table, response.ok]).toEqual([subject.table, false]);
    await response.body?.cancel();
  }
});
