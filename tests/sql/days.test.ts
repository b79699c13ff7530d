// Days are those of a time zone: with 23 or 25 hours at a clock change, and each moment counted once.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readUsage } from "../../edge-functions/v1/models/queries.ts";
import { claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller } from "./acting.ts";
import { modelUsageRow } from "./content-rows.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
});
afterAll(() => database?.stop());

/** The starts of consecutive days. */
async function starts(zone: string, first: string, days: number): Promise<string[]> {
  const rows = await sql<{ at: string }[]>`
    select private.start_of_day(${first}::date + n, ${zone})::text as at from generate_series(0, ${days}::int) n order by n`;
  return rows.map(({ at }) => new Date(at).toISOString().slice(0, 16));
}

/** Chats by bucket. */
async function countChats(zone: string, first: string, last: string, grain: string) {
  const rows = await asCaller(
    sql,
    claimsOf("owner", world),
    (tx) => tx<{ date: string; chats: number }[]>`
      select to_char(date, 'YYYY-MM-DD') as date, chats::int
        from public.chat_insights(${world.team}, null, ${first}, ${last}, ${grain}, ${zone})`,
  );
  return rows.map(({ date, chats }) => [date, chats]);
}

/** Creates a chat in each quarter of an hour between two moments. */
async function chatEachQuarter(since: string, until: string): Promise<void> {
  await sql`delete from public.chats where team_id = ${world.team}`;
  await sql`
    insert into public.chats (team_id, agent_id, created_at)
    select ${world.team}, ${world.agent}, at
      from generate_series(${since}::timestamptz, ${until}::timestamptz - interval '1 minute', interval '15 minutes') at`;
}

test("a day starts at the first midnight of the reader's clock", async () => {
  expect(await starts("UTC", "2026-03-01", 1)).toEqual(["2026-03-01T00:00", "2026-03-02T00:00"]);
  expect(await starts("Europe/Paris", "2026-03-28", 2)).toEqual([
    "2026-03-27T23:00",
    "2026-03-28T23:00",
    "2026-03-29T22:00",
  ]);
  expect(await starts("Europe/Paris", "2026-10-25", 1)).toEqual(["2026-10-24T22:00", "2026-10-25T23:00"]);
  expect(await starts("Asia/Kathmandu", "2026-03-01", 0)).toEqual(["2026-02-28T18:15"]);
  // No midnight: clocks go from 0:00 to 1:00.
  expect(await starts("America/Santiago", "2026-09-06", 1)).toEqual(["2026-09-06T04:00", "2026-09-07T03:00"]);
  // Two midnights: clocks go from 1:00 back to 0:00.
  expect(await starts("Atlantic/Azores", "2026-10-25", 1)).toEqual(["2026-10-25T00:00", "2026-10-26T01:00"]);
});

test("insights count each day in full across a clock change", async () => {
  await chatEachQuarter("2026-03-26T00:00Z", "2026-04-01T00:00Z");
  expect(await countChats("Europe/Paris", "2026-03-28", "2026-03-30", "day")).toEqual([
    ["2026-03-28", 96],
    ["2026-03-29", 92],
    ["2026-03-30", 96],
  ]);
  await chatEachQuarter("2026-10-20T00:00Z", "2026-10-28T00:00Z");
  expect(await countChats("Europe/Paris", "2026-10-24", "2026-10-26", "day")).toEqual([
    ["2026-10-24", 96],
    ["2026-10-25", 100],
    ["2026-10-26", 96],
  ]);
  expect(await countChats("Atlantic/Azores", "2026-10-24", "2026-10-26", "day")).toEqual([
    ["2026-10-24", 96],
    ["2026-10-25", 100],
    ["2026-10-26", 96],
  ]);
  expect(await countChats("Europe/Paris", "2026-10-25", "2026-10-25", "range")).toEqual([
    ["2026-10-25", 100],
  ]);
});

test("insights of a zone of 5 hours and 45 minutes start at its quarter", async () => {
  await chatEachQuarter("2026-03-01T18:00Z", "2026-03-02T18:30Z");
  expect(await countChats("Asia/Kathmandu", "2026-03-01", "2026-03-03", "day")).toEqual([
    ["2026-03-01", 1],
    ["2026-03-02", 96],
    ["2026-03-03", 1],
  ]);
});

test("weeks and months use the reader's days, and the first and last are cut at the range", async () => {
  await chatEachQuarter("2026-03-27T00:00Z", "2026-04-03T00:00Z");
  // Friday to Wednesday; the week that starts on Monday the 30th has the 30th, the 31st and the 1st.
  expect(await countChats("Europe/Paris", "2026-03-28", "2026-04-01", "week")).toEqual([
    ["2026-03-23", 96 + 92],
    ["2026-03-30", 3 * 96],
  ]);
  expect(await countChats("Europe/Paris", "2026-03-28", "2026-04-01", "month")).toEqual([
    ["2026-03-01", 96 + 92 + 2 * 96],
    ["2026-04-01", 96],
  ]);
});

test("compared insights have the first half of the range in one row, without visitors, and each day of the other", async () => {
  await chatEachQuarter("2026-03-26T00:00Z", "2026-04-01T00:00Z");
  await sql`
    insert into public.messages (chat_id, role, created_at)
    select id, 'user', created_at from public.chats where team_id = ${world.team}`;
  await sql`update public.messages set visitor_id = gen_random_uuid() where team_id = ${world.team}`;
  expect(await countChats("Europe/Paris", "2026-03-27", "2026-03-30", "compared")).toEqual([
    ["2026-03-27", 2 * 96],
    ["2026-03-29", 92],
    ["2026-03-30", 96],
  ]);
  expect(await countChats("Europe/Paris", "2026-03-29", "2026-03-29", "compared")).toEqual([
    ["2026-03-29", 92],
  ]);
  const visitors = (first: string) =>
    asCaller(
      sql,
      claimsOf("owner", world),
      (tx) => tx<{ visitors: number; messages: number }[]>`
        select visitors::int, messages::int
          from public.chat_insights(${world.team}, null, ${first}, '2026-03-30', 'compared', 'Europe/Paris')`,
    );
  expect(await visitors("2026-03-29")).toEqual([
    { visitors: 0, messages: 92 },
    { visitors: 96, messages: 96 },
  ]);
  expect(await visitors("2026-03-30")).toEqual([{ visitors: 96, messages: 96 }]);
});

test("replies by support are counted in the same days", async () => {
  await chatEachQuarter("2026-03-29T21:45Z", "2026-03-29T22:15Z");
  await sql`
    insert into public.messages (chat_id, role, support, created_at)
    select id, 'assistant', '{"state": "answered", "claims": [], "disagreement": []}', created_at
      from public.chats where team_id = ${world.team}`;
  const replies = (zone: string) =>
    asCaller(
      sql,
      claimsOf("owner", world),
      (tx) =>
        tx`select replies::int from private.count_support(${world.team}, null, '2026-03-29', '2026-03-29', ${zone})`,
    );
  expect(await replies("Europe/Paris")).toEqual([{ replies: 1 }]);
  expect(await replies("UTC")).toEqual([{ replies: 2 }]);
});

describe("model usage", () => {
  const usage = async (
    zone: string,
    first: string,
    last: string,
    group: "day" | "month" | "channel" = "day",
  ) => {
    const query = { dateStart: first, dateEnd: last, timeZone: zone, group };
    const { data, total } = await asCaller(sql, claimsOf("owner", world), (tx) =>
      readUsage(tx, world.team, query),
    );
    return { rows: data.map(({ date, calls }) => [date, calls]), calls: total.calls };
  };
  /** Records a call in each quarter of an hour of some days of UTC. */
  const callEachQuarter = async (first: string, last: string) => {
    await sql`delete from public.model_usage where team_id = ${world.team}`;
    const days = await sql<{ day: string }[]>`
      select to_char(d, 'YYYY-MM-DD') as day from generate_series(${first}::date, ${last}::date, '1 day') d`;
    const rows = days.flatMap(({ day }) =>
      Array.from({ length: 96 }, (_, quarter) => ({ ...modelUsageRow(world, "web"), day, quarter })),
    );
    await sql`insert into public.model_usage ${sql(rows)}`;
  };

  test("is reported by days of the reader's zone, across clock changes too", async () => {
    await callEachQuarter("2026-03-26", "2026-04-01");
    const paris = {
      rows: [
        ["2026-03-28", 96],
        ["2026-03-29", 92],
        ["2026-03-30", 96],
      ],
      calls: 284,
    };
    expect(await usage("Europe/Paris", "2026-03-28", "2026-03-30")).toEqual(paris);
    expect((await usage("Europe/Paris", "2026-03-28", "2026-03-30", "channel")).calls).toBe(284);
    expect((await usage("Asia/Kathmandu", "2026-03-28", "2026-03-28")).rows).toEqual([["2026-03-28", 96]]);
    expect((await usage("UTC", "2026-03-31", "2026-04-30", "month")).rows).toEqual([
      ["2026-03-01", 96],
      ["2026-04-01", 96],
    ]);
    await callEachQuarter("2026-10-23", "2026-10-27");
    expect((await usage("Europe/Paris", "2026-10-25", "2026-10-25")).calls).toBe(100);
  });

  test("is counted per quarter of an hour, and older daily rows count for that day", async () => {
    await sql`delete from public.model_usage where team_id = ${world.team}`;
    const settle = () =>
      sql`select private.settle_model_cost(null, ${world.team}, null, 'web', 'chat', 'model', 1, 1, 0, 0, 0)`;
    const before = Date.now();
    await settle();
    await settle();
    const after = Date.now();
    const rows = await sql<{ at: string; calls: number }[]>`
      select to_char(day + quarter * interval '15 minutes', 'YYYY-MM-DD"T"HH24:MI"Z"') as at, calls
        from public.model_usage where team_id = ${world.team}`;
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(2);
    for (const { at } of rows) {
      const quarter = new Date(at).getTime();
      expect(quarter % 900_000).toBe(0);
      expect(quarter).toBeGreaterThan(before - 900_000);
      expect(quarter).toBeLessThanOrEqual(after);
    }
    await sql`delete from public.model_usage where team_id = ${world.team}`;
    await sql`insert into public.model_usage ${sql(modelUsageRow(world, "web"))}`;
    for (const zone of ["UTC", "America/Los_Angeles", "Asia/Kathmandu", "Asia/Tokyo"]) {
      expect((await usage(zone, "2026-01-30", "2026-02-01")).rows).toEqual([["2026-01-31", 1]]);
    }
  });
});
