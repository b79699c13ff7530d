// Hostile values through PostgREST, with real tokens: some classes in every column that a client may write. Rejected with a 4xx in
// PostgREST's form, or stored where the column's line says so; never a 5xx, and no change in another team. tests/sql/hostile.test.ts tries
// every class in every column.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { places } from "../sql/hostile-rows.ts";
import { makeWorld, type World } from "../sql/world.ts";
import { removeWorlds } from "../sql/world-removal.ts";
import { keeps, type WritableColumn } from "../sql/writable-column.ts";
import { writableColumns } from "../sql/writable-columns.ts";
import { claimsOf } from "../support/actors.ts";
import { type HostileClass, hostileClasses, hostileValues, shorten } from "../support/hostile-values.ts";
import { findStack, type Stack } from "../support/stack.ts";
import { rowsOf } from "../support/team-rows.ts";

let stack: Stack;
let sql: Sql;
let world: World;
let foreign: World;
let before: string;

beforeAll(async () => {
  stack = await findStack();
  sql = stack.connect("postgres", { max: 1 });
  [world, foreign] = [await makeWorld(sql), await makeWorld(sql)];
  before = await rowsOf(ofForeign());
});

afterAll(async () => {
  await removeWorlds(sql, [world, foreign]);
  await sql.end();
});

const ofForeign = () => ({ id: foreign.team, owner: { id: foreign.people.owner } });

const atOnce = 4;

interface Case {
  table: string;
  command: "insert" | "update";
  name: string;
  column: WritableColumn;
  /** "foreign" for another team's values. */
  kind: HostileClass | "foreign";
  json: string;
}

/** A column is tried with one of so many classes, the next column with the ones after them. */
const classesApart = 3;
let columns = 0;
let turn = 0;
/** A different one each time: every value meets many columns, but not every column all of them. */
const oneOf = (values: readonly string[]): string => values[turn++ % values.length] ?? "null";

function casesOf(key: string, column: WritableColumn): Case[] {
  const [table = "", name = ""] = key.split(".");
  const place = placeOf(table);
  const others = place.foreign?.(foreign) ?? {};
  columns += 1;
  const values: [Case["kind"], string][] = hostileClasses
    .filter((_kind, at) => (at + columns) % classesApart === 0)
    .map((kind) => [kind, oneOf(hostileValues[kind])]);
  if (name in others) values.push(["foreign", JSON.stringify(others[name])]);
  const commands = (["insert", "update"] as const).filter(
    (command) => name in (command === "insert" ? place.newRow(world) : place.changes(world)),
  );
  // Inserts and updates alternate: Postgres treats their values alike, and tests/sql/hostile.test.ts tries all of them.
  return values.map(([kind, json], at) => {
    const command = commands[at % commands.length] ?? "insert";
    return { table, command, name, column, kind, json };
  });
}

async function send({ table, command, name, column, kind, json }: Case) {
  const value = column.isArray && kind !== "foreign" ? `[${json}]` : json;
  const rest =
    command === "insert"
      ? Object.entries(placeOf(table).newRow(world)).filter(([other]) => other !== name)
      : [];
  const fields = rest.map(([other, one]) => `${JSON.stringify(other)}:${JSON.stringify(one)}`);
  return write(table, command, `{${[...fields, `${JSON.stringify(name)}:${value}`].join()}}`);
}

function placeOf(table: string) {
  const place = places[table];
  if (!place) throw new Error(`No place for ${table}`);
  return place;
}

async function write(
  table: string,
  command: "insert" | "update",
  body: string,
): Promise<{ status: number; text: string }> {
  const place = placeOf(table);
  const conditions = [...place.there(world).matchAll(/t\.(\w+) = '([^']+)'/g)].map(
    ([, key, id]) => `${key}=eq.${id}`,
  );
  const filter = command === "update" ? `&${conditions.join("&")}` : "";
  const response = await fetch(`${stack.supabaseUrl}/rest/v1/${table}?select=created_at${filter}`, {
    method: command === "insert" ? "POST" : "PATCH",
    headers: {
      apikey: stack.anonKey,
      authorization: `Bearer ${await stack.token(claimsOf(place.actor, world))}`,
      "content-type": "application/json",
      prefer: "return=representation",
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** What is wrong with an answer, or undefined. */
function complaint({ column, kind, json }: Case, status: number, text: string): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 300) {
    const { alsoKeeps = {} } = column;
    const kept: readonly string[] = keeps[column.keeps];
    // A lone surrogate becomes U+FFFD before the embedded PostgREST gets it.
    const isMade = kind === "halfCharacter" && kept.includes("markup");
    const isKept = kept.includes(kind) || kind in alsoKeeps || isMade;
    return isKept || json === "null" || text === "[]" ? undefined : `${status}: kept`;
  }
  const body: unknown = JSON.parse(text);
  const isInForm = typeof body === "object" && body !== null && "code" in body && "message" in body;
  return isInForm ? undefined : `${status} in another form: ${text.slice(0, 200)}`;
}

test("a row with none of them is stored, so that a refusal is for the value", async () => {
  const tables = [...new Set(Object.keys(writableColumns).map((key) => key.split(".")[0] ?? ""))];
  for (const table of tables) {
    const row = placeOf(table).newRow(world);
    if (Object.keys(row).length === 0) continue;
    const { status, text } = await write(table, "insert", JSON.stringify(row));
    expect([table, status, text.slice(0, 200)]).toEqual([table, 201, expect.any(String)]);
  }
});

test("hostile values, in every column, are rejected or stored as declared", async () => {
  const queue = Object.entries(writableColumns).flatMap(([key, column]) => casesOf(key, column));
  const statuses = new Map<number, number>();
  const complaints: string[] = [];
  const count = queue.length;
  const kinds = new Set(queue.map(({ kind }) => kind));
  const work = async () => {
    for (let one = queue.pop(); one; one = queue.pop()) {
      const { status, text } = await send(one);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const wrong = complaint(one, status, text);
      if (wrong)
        complaints.push(
          `${one.command} ${one.table}.${one.name}, ${one.kind} ${shorten(one.json)}: ${wrong}`,
        );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(`Hostile values: ${count} cases through PostgREST: ${counts.join(", ")}`);
  expect(complaints).toEqual([]);
  expect(count).toBeGreaterThan(700);
  expect(kinds.size).toBe(hostileClasses.length + 1);
  // If all were stopped early, nothing would have been tested.
  expect(statuses.get(201) ?? 0).toBeGreaterThan(count / 20);
  expect(await rowsOf(ofForeign())).toBe(before);
});
