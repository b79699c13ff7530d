// Computing over a table's cells, and for whom: the team's members and its agents, and nobody else.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Claims } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { asCaller } from "./acting.ts";

let database: TestPostgres;
let sql: Sql;
let login: Sql;
let team: SearchableTeam;
let stranger: SearchableTeam;
const table = randomUUID();
const cars: [kind: string, price: string, value: number | null][] = [
  ["Diesel", "10", 10],
  ["electric", "30,5", 30.5],
  [" diesel ", "20", 20],
  ["electric", "on request", null],
  ["hybrid", "10", 10],
];

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  login = database.connect("authenticator", { max: 1 });
  team = await makeTeam(sql);
  stranger = await makeTeam(sql);
  const knowledge = await makeKnowledge(sql, team, [{ title: "Cars", content: "words" }]);
  await makeKnowledge(sql, stranger, [{ title: "Other", content: "words" }]);
  const [document] = await sql<{ id: string }[]>`select id from public.documents where team_id = ${team.id}`;
  await sql`insert into public.document_indexes (team_id, knowledge_id, document_id)
            values (${team.id}, ${knowledge}, ${document?.id ?? ""}) on conflict do nothing`;
  await sql`insert into public.document_tables (id, team_id, knowledge_id, document_id, position, columns, rows_count)
            values (${table}, ${team.id}, ${knowledge}, ${document?.id ?? ""}, 0, '[]', ${cars.length})`;
  for (const [position, [kind, price, value]] of cars.entries()) {
    await sql`insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
              values (${team.id}, ${knowledge}, ${table}, ${position}, ${[kind, price]}, ${[null, value]}::float8[], ${position}, ${position + 1})`;
  }
});
afterAll(() => database.stop());

type Result = { rows: number; blanks: number; shown: { cells: string[]; start: number }[] } & Record<
  string,
  unknown
>;

async function compute(claims: Claims, op: string, column: number | null, wanted: object[] = []) {
  const [row] = await asCaller(
    login,
    claims,
    (tx) => tx<{ result: Result }[]>`
      select private.compute_table(${table}, ${op}, ${column}::int, ${JSON.stringify(wanted)}::text::jsonb) as result`,
  );
  return row?.result;
}
const diesel = { column: 0, op: "is", texts: ["DIESEL"] };

test("counts, sums, averages and extremes omit cells that are no number, and report their count", async () => {
  expect(await compute(team.agent, "sum", 1)).toMatchObject({
    rows: 5,
    blanks: 1,
    sum: 70.5,
    average: 17.625,
    smallest: 10,
    largest: 30.5,
  });
  const smallest = await compute(team.agent, "smallest", 1);
  expect(smallest?.shown.map(({ cells }) => cells[0])).toEqual(["Diesel", "hybrid"]);
  expect((await compute(team.agent, "largest", 1))?.shown).toEqual([
    { cells: ["electric", "30,5"], start: 1, end: 2 },
  ]);
});

test("rows with the lowest and highest numbers come in order, up to the requested number", async () => {
  const names = async (op: string) => (await compute(team.owner, op, 1))?.shown.map(({ cells }) => cells[1]);
  expect(await names("lowest")).toEqual(["10", "10", "20", "30,5"]);
  expect(await names("highest")).toEqual(["30,5", "20", "10", "10"]);
});

type Grouped = { rows: number; groups: number; blanks: number; shown: Record<string, unknown>[] };
async function group(claims: Claims, op: string, { wanted = [] as object[], most = 8 } = {}) {
  const [row] = await asCaller(
    login,
    claims,
    (tx) => tx<{ result: Grouped }[]>`
      select private.compute_groups(${table}, ${op}, 1, 0, 'value', ${JSON.stringify(wanted)}::text::jsonb, ${most}) as result`,
  );
  return row?.result;
}

test("groups ignore case and spaces, the largest first, each with its first row", async () => {
  const sums = await group(team.agent, "sum");
  expect(sums).toMatchObject({ rows: 5, groups: 3, blanks: 1 });
  expect(sums?.shown).toEqual([
    { name: "electric", rows: 2, value: 30.5, start: 1, end: 2 },
    { name: "Diesel", rows: 2, value: 30, start: 0, end: 1 },
    { name: "hybrid", rows: 1, value: 10, start: 4, end: 5 },
  ]);
  expect(await group(team.agent, "count", { wanted: [diesel] })).toMatchObject({
    rows: 2,
    groups: 1,
    blanks: 0,
    shown: [{ name: "Diesel", value: 2 }],
  });
  expect(await group(team.agent, "average", { most: 1 })).toMatchObject({
    groups: 3,
    shown: [{ name: "electric", value: 30.5 }],
  });
  for (const other of [stranger.agent, stranger.owner]) {
    expect(await group(other, "sum")).toEqual({ rows: 0, groups: 0, blanks: 0, shown: [] });
  }
});

test("dates are grouped by month and year, in order", async () => {
  const days = randomUUID();
  await sql`insert into public.document_tables (id, team_id, knowledge_id, document_id, position, columns, rows_count)
            select ${days}, team_id, knowledge_id, document_id, 1, '[]', 3 from public.document_tables where id = ${table}`;
  for (const [position, day] of [20_547, 20_500, 20_513, null].entries()) {
    await sql`insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
              select team_id, knowledge_id, id, ${position}, '{x}', ${[day]}::float8[], 0, 1 from public.document_tables where id = ${days}`;
  }
  const by = async (part: string) => {
    const [row] = await asCaller(
      login,
      team.owner,
      (tx) =>
        tx<
          { result: Grouped }[]
        >`select private.compute_groups(${days}, 'count', null, 0, ${part}) as result`,
    );
    return row?.result.shown.map(({ name, value }) => `${name}: ${value}`);
  };
  expect(await by("month")).toEqual([": 1", "2026-02: 1", "2026-03: 1", "2026-04: 1"]);
  expect(await by("year")).toEqual([": 1", "2026: 3"]);
});

test("all conditions must hold: texts ignoring case and spaces, numbers within bounds, open or closed", async () => {
  expect(await compute(team.agent, "count", null, [diesel])).toMatchObject({ rows: 2, blanks: 0 });
  const under20 = { column: 1, op: "between", high: 20 };
  expect(await compute(team.agent, "list", 1, [under20])).toMatchObject({ rows: 2, sum: 20 });
  expect(await compute(team.agent, "list", 1, [{ ...under20, isHighIn: true }, diesel])).toMatchObject({
    rows: 2,
    sum: 30,
  });
  expect(await compute(team.agent, "list", 1, [{ column: 1, op: "between", low: 20 }])).toMatchObject({
    rows: 1,
  });
  expect(
    await compute(team.agent, "count", null, [{ column: 0, op: "contains", texts: ["elec", "hyb"] }]),
  ).toMatchObject({
    rows: 3,
  });
  expect(await compute(team.agent, "count", null, [{ column: 9, op: "is", texts: ["x"] }])).toMatchObject({
    rows: 0,
  });
  expect(await compute(team.agent, "count", null, [{ column: 0, op: "unknown" }])).toMatchObject({ rows: 0 });
});

test("only a team's members and its agent compute over its tables", async () => {
  for (const own of [team.owner, team.agent]) {
    expect(await compute(own, "count", null)).toMatchObject({ rows: 5 });
  }
  for (const other of [stranger.agent, stranger.owner]) {
    expect(await compute(other, "largest", 1)).toMatchObject({ rows: 0, largest: null, shown: [] });
  }
});

test("a table is deleted with its document's index", async () => {
  await sql
    .begin(async (tx) => {
      await tx`delete from public.document_indexes where team_id = ${team.id}`;
      expect(await tx`select 1 from public.table_rows where team_id = ${team.id}`).toEqual([]);
      throw new Error("back");
    })
    .catch((error: Error) => expect(error.message).toBe("back"));
});
