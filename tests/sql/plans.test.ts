// Plans of the API's lists under row-level security: the team check once per statement, every large table through an index, a bounded
// number of queries. Examines plans, never time. The crowd is a fifth of that of tests/bench/lists.ts (100,000 chats, 100,000 documents):
// the plans are the same, and it is built in seconds.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Transaction } from "../../edge-functions/_shared/database/db.ts";
import { listChats } from "../../edge-functions/v1/chats/queries.ts";
import type { Claims } from "../support/actors.ts";
import { stubSettings } from "../support/function-settings.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller } from "./acting.ts";
import { type Crowd, makeCrowd } from "./crowd.ts";
import { adminLists, lists, PER_PAGE } from "./lists.ts";

let database: TestPostgres;
let sql: Sql;
let crowd: Crowd;
let large: Set<string>;
let heard: { query: string; parameters: unknown[] }[] = [];

beforeAll(async () => {
  stubSettings();
  database = await startTestPostgres();
  sql = database.connect("postgres", {
    max: 1,
    prepare: false,
    debug: (_connection, query, parameters) => heard.push({ query, parameters }),
  });
  crowd = await makeCrowd(sql, { teams: 200, membersPerTeam: 8, rowsPerTeam: 100 });
  const tables = await sql<{ name: string; rows: number }[]>`
    select relname as name, reltuples::int as rows from pg_catalog.pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  large = new Set(tables.filter((table) => table.rows >= 1000).map((table) => table.name));
});

afterAll(() => database.stop());

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Parent Relationship"?: string;
  "Subplan Name"?: string;
  "Actual Loops": number;
  "Actual Rows": number;
  Filter?: string;
  Output?: string[];
  Plans?: PlanNode[];
}

function* nodes(plan: PlanNode): Generator<PlanNode> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodes(inner);
}

/** Runs work as a caller, then its statements again under EXPLAIN, as the same caller. */
async function plansOf(claims: Claims, work: (tx: Transaction) => Promise<unknown>): Promise<PlanNode[]> {
  return await asCaller(sql, claims, async (tx: TransactionSql) => {
    heard = [];
    await work(tx);
    const statements = heard.filter(({ query }) => /^\s*select\b/i.test(query));
    const plans: PlanNode[] = [];
    for (const { query, parameters } of statements) {
      const [row] = await tx.unsafe(
        `explain (analyze, verbose, timing off, format json) ${query}`,
        // Sent once, so it can be sent again.
        parameters as string[],
      );
      plans.push(row?.["QUERY PLAN"][0].Plan);
    }
    return plans;
  });
}

const describeNode = (node: PlanNode) =>
  `${node["Node Type"]} ${node["Relation Name"] ?? ""}: ${node["Actual Rows"]} rows, ${node["Actual Loops"]} times`;

const owner = (): Claims => ({ role: "authenticated", sub: crowd.owner });
const viewer = (): Claims => ({ role: "authenticated", sub: crowd.viewer });
const platformAdmin = (): Claims => ({ role: "authenticated", sub: crowd.admin, admin: true });
const apiKey = (): Claims => ({ role: "authenticated", api_key_id: crowd.apiKey, team_id: crowd.team });

describe.each([
  ["a member", viewer],
  ["an owner", owner],
  ["an API key", apiKey],
] as const)("%s lists", (_who, claims) => {
  test.each(Object.entries(lists))("%s", async (_what, list) => {
    const plans = await plansOf(claims(), (tx) => list(tx, crowd));
    // A question beside the list, such as whether a source is being cleared, is one call of a function.
    const readings = plans.filter((plan) => plan["Node Type"] !== "Result");
    expect(readings.length).toBeGreaterThan(0);
    expect(readings.length).toBeLessThanOrEqual(2);
    for (const plan of readings) {
      const all = [...nodes(plan)];
      const read = all.filter(
        (node) => node["Node Type"] === "Seq Scan" && large.has(node["Relation Name"] ?? ""),
      );
      expect(read.map((node) => node["Relation Name"])).toEqual([]);
      // Team checks are InitPlans, which run once; per-row work runs only for the page's rows.
      const repeated = all.filter((node) =>
        node["Parent Relationship"] === "InitPlan"
          ? node["Actual Loops"] > 1
          : node["Parent Relationship"] === "SubPlan" && node["Actual Loops"] > PER_PAGE + 1,
      );
      expect(repeated.map((node) => `${node["Subplan Name"]}: ${node["Actual Loops"]}`)).toEqual([]);
      // No more rows are read from a large table than the team has.
      const wide = all.filter((node) => large.has(node["Relation Name"] ?? "") && node["Actual Rows"] > 101);
      expect(wide.map((node) => `${node["Relation Name"]}: ${node["Actual Rows"]}`)).toEqual([]);
    }
  });
});

/** Ordered by name for every caller, so that a platform admin's page sorts everybody: through an index, in one statement. */
const sortedByName = /^every (team|user)/;

describe("an acting platform admin lists", () => {
  test.each(Object.entries(adminLists))("%s", async (what, list) => {
    const plans = await plansOf(platformAdmin(), (tx) => list(tx, crowd));
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.length).toBeLessThanOrEqual(2);
    // The total is counted over every team; a page is not.
    const pages = plans.flatMap((plan) => [...nodes(plan)].filter((node) => node["Node Type"] === "Limit"));
    expect(pages.length).toBeGreaterThan(0);
    for (const plan of pages) {
      const ofLarge = [...nodes(plan)].filter((node) => large.has(node["Relation Name"] ?? ""));
      expect(ofLarge.filter((node) => node["Node Type"] === "Seq Scan").map(describeNode)).toEqual([]);
      if (sortedByName.test(what)) continue;
      const wide = ofLarge.filter((node) => node["Actual Rows"] * node["Actual Loops"] > 2 * PER_PAGE + 1);
      expect(wide.map(describeNode)).toEqual([]);
      // The rows before the page count: Postgres computes their columns too.
      const repeated = [...nodes(plan)].filter((node) => node["Actual Loops"] > 2 * PER_PAGE + 1);
      expect(repeated.map(describeNode)).toEqual([]);
    }
  });
});

test("the counted tables are large, and a list without an index would be detected", async () => {
  for (const name of [
    "users",
    "team_users",
    "agents",
    "files",
    "file_versions",
    "sources",
    "knowledges",
    "documents",
    "tasks",
    "chats",
    "messages",
    "handovers",
    "api_keys",
    "support_tickets",
    "suppressions",
  ])
    expect(large).toContain(name);
  const [plan] = await plansOf(viewer(), (tx) => tx`select id from public.chats where title like '%1%'`);
  expect(plan).toBeDefined();
  const [scan] = await plansOf(
    { role: "service_role" },
    (tx) => tx`select id from public.chats where title like '%1%'`,
  );
  expect([...nodes(scan as PlanNode)].some((node) => node["Node Type"] === "Seq Scan")).toBe(true);
});

test("a caller's rows are found by index even when the query names no team", async () => {
  // Only where it matters: over a small table a full scan is right.
  for (const table of ["documents", "chats", "messages"]) {
    const [plan] = await plansOf(viewer(), (tx) => tx.unsafe(`select count(*) from public.${table}`));
    const scans = [...nodes(plan as PlanNode)].filter(
      (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === table,
    );
    expect([table, scans.length]).toEqual([table, 0]);
  }
});

test("handovers are counted without their chats", async () => {
  const plans = await plansOf(
    owner(),
    (tx) => lists.handovers?.(tx, crowd) ?? Promise.reject(new Error("No such list")),
  );
  const chats = plans.flatMap((plan) => [...nodes(plan)]).filter((node) => node["Relation Name"] === "chats");
  expect(chats.length).toBeGreaterThan(0);
  expect(chats.reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0)).toBe(PER_PAGE);
});

test("insights are counted from an index, not from the heap of messages, and each message once", async () => {
  // As autovacuum does: an index-only scan needs rows visible to everybody.
  await sql`vacuum public.messages`;
  await asCaller(sql, owner(), async (tx) => {
    const rows = async () => {
      const [counted] = await tx<{ heap: number; entries: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as heap,
               pg_stat_get_xact_tuples_returned('public.messages_team_created_idx'::regclass)::int as entries
          from pg_catalog.pg_stat_xact_user_tables where schemaname = 'public' and relname = 'messages'`;
      return counted ?? { heap: 0, entries: 0 };
    };
    const before = await rows();
    const days =
      await tx`select messages from public.chat_insights(${crowd.team}, null, current_date - 30, current_date, 'day')`;
    const messages = days.reduce((sum, day) => sum + Number(day.messages), 0);
    expect(messages).toBeGreaterThan(0);
    const after = await rows();
    expect(after).toEqual({ heap: before.heap, entries: before.entries + messages });
  });
});

/** The rows of chats and messages that work reads, beyond entries of indexes. */
async function rowsRead(claims: Claims, work: (tx: Transaction) => Promise<unknown>) {
  return await asCaller(sql, claims, async (tx) => {
    const count = async () => {
      const [row] = await tx<{ chats: number; messages: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch) filter (where relname = 'chats')::int as chats,
               sum(seq_tup_read + idx_tup_fetch) filter (where relname = 'messages')::int as messages
          from pg_catalog.pg_stat_xact_user_tables where schemaname = 'public'`;
      return row ?? { chats: 0, messages: 0 };
    };
    const before = await count();
    await work(tx);
    const after = await count();
    return { chats: after.chats - before.chats, messages: after.messages - before.messages };
  });
}

test("chats are found by a channel or a support state that few have, not among all of the team's", async () => {
  const few = sql`select id from public.chats where team_id = ${crowd.team} order by id limit 3`;
  await sql`update public.chats set channel = 'slack' where id in (${few})`;
  await sql`update public.messages set support = '{"state": "disagree"}' where chat_id in (${few})`;
  await sql`analyze public.chats, public.messages`;
  const ways = [
    [{ channel: "slack" }, { chats: 3 }],
    // Of a small team all chats may be read, but not their replies.
    [{ support: "disagree" }, { messages: 3 }],
  ] as const;
  for (const [filter, read] of ways) {
    const list = (tx: Transaction) =>
      listChats(tx, { teamId: crowd.team }, { perPage: PER_PAGE, timeZone: "UTC", ...filter });
    expect((await asCaller(sql, owner(), list)).data).toHaveLength(3);
    expect(await rowsRead(owner(), list)).toMatchObject(read);
  }
});

test("insights look up the chats of rated replies alone", async () => {
  await sql`
    update public.messages set role = 'assistant', rating = 'down'
     where id in (select id from public.messages where team_id = ${crowd.team} order by id limit 3)`;
  await sql`vacuum analyze public.messages`;
  const [counted] = await sql`
    select (select count(*) from public.chats where team_id = ${crowd.team})::int as chats,
           (select count(*) from public.handovers where team_id = ${crowd.team})::int as handovers`;
  const read = await rowsRead(
    owner(),
    (tx) =>
      tx`select * from public.chat_insights(${crowd.team}, null, current_date - 1, current_date + 1, 'day')`,
  );
  // Each chat once for its own figures.
  expect(read.chats).toBe(counted?.chats + counted?.handovers + 3);
});
