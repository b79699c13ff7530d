// Two processes that migrate one database at the same moment.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Migration, migrate } from "../../supabase/local/migrate.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
beforeAll(async () => {
  database = await startTestPostgres({ bare: true });
});
afterAll(() => database.stop());

const migrations: Migration[] = [
  { version: "20260101000000", name: "first", sql: "create table public.steps (n int);" },
  {
    version: "20260102000000",
    name: "slow",
    sql: "select pg_sleep(0.3); insert into public.steps values (1);",
  },
];

test("each migration runs once, and the later process waits for the earlier one", async () => {
  const ran = await Promise.all(
    Array.from({ length: 4 }, () => migrate(database.connect("postgres", { max: 1 }), migrations)),
  );
  expect(ran.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await database.connect("postgres")`select n from public.steps`).toEqual([{ n: 1 }]);
});
