// Functions with expensive plans run without JIT: compiling takes longer than running.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeSmallTeams, type SmallTeam, user } from "./teams.ts";

let database: TestPostgres;
let sql: Sql;
const plans: string[] = [];

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", {
    max: 1,
    onnotice: ({ message }) => {
      if (message?.includes("plan:")) plans.push(message);
    },
  });
  [team] = await makeSmallTeams(sql, 1);
});

afterAll(() => database.stop());

/** The statements of a call that are JIT-compiled when every eligible one is. */
async function listCompiled(call: string, claims: object): Promise<string[]> {
  plans.length = 0;
  await sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
    await tx.unsafe(`
      load 'auto_explain';
      set local client_min_messages = log;
      set local auto_explain.log_min_duration = 0;
      set local auto_explain.log_nested_statements = on;
      set local auto_explain.log_analyze = on;
      set local jit_above_cost = 0`);
    await tx.unsafe(`select * from ${call}`);
  });
  const nested = plans.filter((plan) => !plan.includes(`select * from ${call}`));
  expect(nested.length).toBeGreaterThan(0);
  return nested.filter((plan) => plan.includes("JIT:"));
}

let team: SmallTeam | undefined;
const insights = () => `public.chat_insights('${team?.id}', null, '2026-01-01', '2026-02-01', 'day')`;
const cases = [
  ["private.claimable_tasks(timestamptz)", () => "private.claimable_tasks(now())"],
  [
    "public.search_chunks(uuid[], text, jsonb, int, text, text, text)",
    () => "public.search_chunks('{}', 'words', '[]')",
  ],
  ["public.chat_insights(uuid, uuid, date, date, text, text)", insights],
] as const;

test.each(cases)("%s compiles nothing, and a compilation would be detected", async (name, call) => {
  const claims = user(team?.owners[0] ?? "");
  expect(await listCompiled(call(), claims)).toEqual([]);
  await sql.unsafe(`alter function ${name} reset jit`);
  const seen = await listCompiled(call(), claims);
  // Some builds of Postgres have no JIT.
  const [row] = await sql`select pg_jit_available() as available`;
  expect(seen.length > 0).toBe(row?.available);
});
