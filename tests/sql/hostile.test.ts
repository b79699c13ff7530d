// Every hostile value in every column that a client may write: rejected with a client error, or stored where the column's line allows it;
// and nothing of another team changes.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimsOf } from "../support/actors.ts";
import { allHostile, type HostileClass, hostileClasses, shorten } from "../support/hostile-values.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { places } from "./hostile-rows.ts";
import { installTries, type Target, type Try, tryAll } from "./hostile-tries.ts";
import { makeWorld, type World } from "./world.ts";
import { keeps, type WritableColumn } from "./writable-column.ts";
import { writableColumns } from "./writable-columns.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
let foreign: World;
let cases = 0;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  [world, foreign] = [await makeWorld(sql), await makeWorld(sql)];
  await installTries(sql);
});

afterAll(async () => {
  console.log(`Hostile values: ${cases} cases in SQL`);
  await database.stop();
});

/** Values that Postgres cannot store, constraint violations, other callers' rows, missing rows. */
const clientsOwn = /^(22...|23...|54...|42501|PT4..|silent)$/;

const mayKeep = ({ keeps: kept, alsoKeeps = {} }: WritableColumn, kind: HostileClass): boolean =>
  (keeps[kept] as readonly HostileClass[]).includes(kind) || kind in alsoKeeps;

/** What is wrong with a value's outcome, or undefined. */
function complaint(column: WritableColumn, { at, code, harmed }: Try): string | undefined {
  const value = allHostile[at];
  const what = value ? `${value.kind} ${shorten(value.json)}` : "something of another team";
  if (harmed) return `${what}: changes another team`;
  if (code) return clientsOwn.test(code) ? undefined : `${what}: ${code}`;
  // Null is fine in a nullable column, and an empty list in a list.
  if (value && (mayKeep(column, value.kind) || value.json === "null")) return undefined;
  return `${what}: kept`;
}

/** A column within its table's row; undefined when this command does not write it. */
function targetOf(
  table: string,
  column: string,
  command: "insert" | "update",
): (Target & { fits: unknown }) | undefined {
  const place = places[table];
  if (!place) throw new Error(`tests/sql/hostile-rows.ts has no row of ${table} to try its columns in`);
  const written = command === "insert" ? place.newRow(world) : place.changes(world);
  if (!(column in written)) return undefined;
  const foreignRow = place.foreign?.(foreign) ?? {};
  return {
    claims: claimsOf(place.actor, world),
    table: `public.${table}`,
    column,
    shape: writableColumns[`${table}.${column}`]?.isArray ? "[%s]" : "%s",
    row: command === "insert" ? { insert: written } : { update: place.there(world) },
    fits: written[column],
    foreignTeam: foreign.team,
    foreignJson: column in foreignRow ? JSON.stringify(foreignRow[column]) : null,
  };
}

let turn = 0;
/** One value of each class, another one at each call. */
function oneOfEachClass(): number[] {
  turn += 1;
  return hostileClasses.map((kind) => {
    const all = [...allHostile.keys()].filter((at) => allHostile[at]?.kind === kind);
    return all[turn % all.length] ?? 0;
  });
}

test("every column is tested", () => {
  const tried = Object.entries(places).flatMap(([table, place]) =>
    [...Object.keys(place.newRow(world)), ...Object.keys(place.changes(world))].map(
      (column) => `${table}.${column}`,
    ),
  );
  expect([...new Set(tried)].sort(), "tests/sql/hostile-rows.ts tries each writable column").toEqual(
    Object.keys(writableColumns).sort(),
  );
});

describe.each(Object.entries(writableColumns))("%s", (key, column) => {
  const [table = "", name = ""] = key.split(".");
  test.each(["insert", "update"] as const)("%s", async (command) => {
    const target = targetOf(table, name, command);
    if (!target) return;
    // A column's checks are the same for both commands.
    const isAll = command === "insert" || !targetOf(table, name, "insert");
    const chosen = isAll ? [...allHostile.keys()] : oneOfEachClass();
    const tries = await tryAll(sql, target, chosen);
    cases += tries.length;
    expect(tries.length).toBeGreaterThanOrEqual(chosen.length);
    expect(tries.flatMap((one) => complaint(column, one) ?? [])).toEqual([]);
    // A column that rejects every value would prove nothing.
    const fitting = { ...target, shape: "%s", foreignJson: JSON.stringify(target.fits) };
    const own = (await tryAll(sql, fitting)).find(({ at }) => at === -1);
    expect([target.fits, own?.code]).toEqual([target.fits, null]);
  });
});

describe("a source's settings", () => {
  const settings: [type: string, shape: string, kept: HostileClass[]][] = [
    // An address is called only when outbound.ts finds it on the open internet.
    ["jira", '{"site":%s}', ["inside"]],
    ["shopify", '{"shop":%s}', ["inside"]],
    ["hubspot", '{"apiUrl":%s}', ["inside"]],
    ["github", '{"apiUrl":%s}', ["inside"]],
    ["github", '{"repositories":[%s]}', []],
    ["confluence", '{"site":%s}', ["inside"]],
    // It looks like a space's key.
    ["confluence", '{"spaces":[%s]}', ["wrongEnum", "number", "inherited"]],
    ["googleDrive", '{"apiUrl":%s}', ["inside"]],
    // It looks like a folder's id.
    ["googleDrive", '{"folders":[%s]}', ["inherited"]],
    ["notion", '{"apiUrl":%s}', ["inside"]],
    ["notion", '{"content":[%s]}', []],
    // It looks like a project's key.
    ["jira", '{"projects":[%s]}', ["wrongEnum"]],
    ["jira", '{"withoutComments":%s}', ["wrongType"]],
    ["jira", '{"unknown":%s}', []],
    ["file", '{"fileIds":[%s]}', []],
    ["file", '{"agentId":%s}', []],
    ["agentChat", '{"agentId":%s}', []],
    ["qa", '{"agentId":%s}', []],
    ["hubspot", '{"objects":[%s]}', []],
  ];

  test.each(settings)("%s: %s", async (type, shape, kept) => {
    const target = targetOf("sources", "config", "insert");
    if (!target || !("insert" in target.row)) throw new Error("Sources are inserted");
    const tries = await tryAll(sql, {
      ...target,
      shape,
      row: { insert: { ...target.row.insert, type } },
      foreignJson: JSON.stringify(type === "file" ? foreign.file : foreign.agent),
    });
    cases += tries.length;
    const wrong = tries.filter(
      ({ at, code, harmed }) =>
        harmed || (code ? !clientsOwn.test(code) : !kept.includes(allHostile[at]?.kind ?? "nothing")),
    );
    expect(wrong.map(({ at, code }) => [shorten(allHostile[at]?.json ?? "foreign"), code])).toEqual([]);
  });
});
