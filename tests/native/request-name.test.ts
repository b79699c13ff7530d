// The application name of a request's transaction, and the pool's report of running and waiting work.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const size = 3;
let database: TestPostgres;
let sql: Sql;
let shared: {
  asService: typeof import("../../edge-functions/_shared/database/db.ts")["asService"];
  poolUse: typeof import("../../edge-functions/_shared/database/connections.ts")["poolUse"];
  closeDatabase: typeof import("../../edge-functions/_shared/database/connections.ts")["closeDatabase"];
  withinRequest: typeof import("../../edge-functions/_shared/requests/request-context.ts")["withinRequest"];
};

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    DATABASE_POOL_SIZE: String(size),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "x".repeat(32),
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  shared = {
    ...(await import("../../edge-functions/_shared/database/db.ts")),
    ...(await import("../../edge-functions/_shared/database/connections.ts")),
    ...(await import("../../edge-functions/_shared/requests/request-context.ts")),
  };
});

afterAll(async () => {
  await shared.closeDatabase();
  await database.stop();
  vi.unstubAllEnvs();
});

/** The application names of this database's connections that run a request. */
const names = async () =>
  (
    await sql<{ name: string }[]>`
      select application_name as name from pg_stat_activity
       where datname = current_database() and application_name like 'parley %' order by 1`
  ).map(({ name }) => name);

test("each transaction has its request's name while it runs; above the pool's size, the rest waits", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ids = ["request-a", "request-b", "request-c", "request-d", "request-e"];
  let begun = 0;
  const work = ids.map((requestId) =>
    shared.withinRequest({ requestId }, () =>
      shared.asService(async (tx) => {
        await tx`select 1`;
        begun += 1;
        await gate;
        return requestId;
      }),
    ),
  );
  await eventually(() => expect(begun).toBe(size));
  expect(shared.poolUse()).toEqual({ size, running: size, waiting: ids.length - size });
  const running = await names();
  expect(running).toHaveLength(size);
  expect(running).toEqual(ids.slice(0, size).map((id) => `parley ${id}`));
  open();
  expect(await Promise.all(work)).toEqual(ids);
  expect(shared.poolUse()).toEqual({ size, running: 0, waiting: 0 });
  expect(await names()).toEqual([]);
});

test("work outside a request has the product's name, and a failure releases its connection", async () => {
  const seen = await shared.asService(async (tx) => {
    const [row] = await tx<{ name: string }[]>`select current_setting('application_name') as name`;
    return row?.name;
  });
  expect(seen).toBe("parley");
  await expect(shared.asService((tx) => tx`select 1 / 0`)).rejects.toThrow("division by zero");
  expect(shared.poolUse()).toEqual({ size, running: 0, waiting: 0 });
});
