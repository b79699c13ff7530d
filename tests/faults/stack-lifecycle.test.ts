// A running stack whose parts are killed, doubled, stopped and started again.
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isSeeded, recordSeed } from "../../supabase/local/preparation.ts";
import { seedHandbook } from "../../supabase/local/seed.ts";
import { eventually } from "../support/eventually.ts";
import {
  isFree,
  launch,
  makePlace,
  type Place,
  type RunningStack,
  start,
  stop,
} from "../support/local-stack.ts";
import { copyTemplate } from "../support/postgres.ts";
import { childrenOf, isAlive } from "../support/processes.ts";

const ONLY = "postgres,gateway,mailbox,models,functions-v1";
let place: Place;
let stack: RunningStack;

/** A place whose database is migrated: tests/run.mjs starts a new installation. */
async function makeMigratedPlace(): Promise<Place> {
  const made = await makePlace();
  const { folder, dataDir } = await copyTemplate();
  cpSync(dataDir, join(made.dataDir, "postgres"), { recursive: true });
  rmSync(folder, { recursive: true });
  return made;
}

beforeAll(async () => {
  place = await makeMigratedPlace();
  stack = await start(place, { only: ONLY });
});
afterAll(async () => {
  await stop(stack);
  place.remove();
});

const secrets = (of: Place) => JSON.parse(readFileSync(join(of.dataDir, "secrets.json"), "utf8"));

async function withDatabase<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const { postgresPassword } = secrets(place);
  const sql = postgres(
    `postgres://postgres:${postgresPassword}@127.0.0.1:${place.port("postgres")}/postgres`,
    {
      max: 1,
      connect_timeout: 60,
      onnotice: () => {},
    },
  );
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function healthy(): Promise<void> {
  for (const name of ["gateway", "mailbox", "models", "v1"] as const) {
    const response = await fetch(`http://127.0.0.1:${place.port(name)}/health`);
    expect(response.status, name).toBe(200);
  }
  const rows = await fetch(`http://127.0.0.1:${place.port("gateway")}/rest/v1/teams?select=id`, {
    headers: { apikey: secrets(place).serviceKey },
  });
  expect(rows.status).toBe(200);
}

it("the stack starts every part and prints its URL", async () => {
  await healthy();
  expect(stack.output()).toMatch(/^\[\d+\/\d+\] Database … ready in \d+\.\d s$/m);
  expect(stack.output()).toContain("demo@parley.test");
  expect(stack.output().trimEnd().split("\n").at(-1)).toBe(`ready http://127.0.0.1:${place.port("web")}`);
  expect(stack.errors()).toBe("");
});

it("the stack refuses a second copy on the same folder in one sentence", async () => {
  const second = launch(place, { only: ONLY, env: { PARLEY_PORT_OFFSET: String(place.offset + 1) } });
  expect(await second.ended).toBe(1);
  expect(second.errors().trim()).toMatch(
    new RegExp(`^Parley already runs on the data folder .* \\(process ${stack.pid}\\): .*\\.$`),
  );
  await healthy();
});

it("the stack runs beside a copy with its own folder and ports, with separate keys", async () => {
  const other = await makeMigratedPlace();
  const copy = await start(other, { only: "postgres,gateway" });
  try {
    await healthy();
    const ask = (at: Place, key: string) =>
      fetch(`http://127.0.0.1:${at.port("gateway")}/rest/v1/teams?select=id`, { headers: { apikey: key } });
    expect((await ask(other, secrets(other).serviceKey)).status).toBe(200);
    expect((await ask(other, secrets(place).serviceKey)).status).toBe(401);
    expect((await ask(place, secrets(other).serviceKey)).status).toBe(401);
  } finally {
    expect(await stop(copy)).toBe(0);
    other.remove();
  }
});

it("a later release does not create again what was deleted of the demo data", async () => {
  const url = `postgres://postgres:${secrets(place).postgresPassword}@127.0.0.1:${place.port("postgres")}/postgres`;
  const gateway = `http://127.0.0.1:${place.port("gateway")}`;
  const filesOf = (sql: postgres.Sql) =>
    sql`select id from public.files where team_id = '019a0000-0000-7000-8000-000000000003'`;
  expect(await isSeeded(url)).toBe(false);
  await recordSeed(url);
  // As an earlier release recorded it.
  await withDatabase((sql) => sql`update supabase_migrations.seeded set fingerprint = 'of another release'`);
  expect(await isSeeded(url)).toBe(true);
  expect(await seedHandbook(gateway, true)).toBeUndefined();
  expect(await withDatabase(filesOf)).toEqual([]);
});

it("the stack restarts each killed part, and leaves the others alone", async () => {
  await withDatabase((sql) => sql`create table public.kept (n int)`);
  const parts = [...childrenOf(stack.pid).keys()];
  expect(parts).toHaveLength(5);
  for (const part of parts) {
    await withDatabase((sql) => sql`insert into public.kept values (1)`);
    const before = childrenOf(stack.pid);
    process.kill(before.get(part) ?? 0, "SIGKILL");
    await eventually(() => {
      const pid = childrenOf(stack.pid).get(part);
      expect(pid && pid !== before.get(part), part).toBeTruthy();
    });
    await eventually(healthy);
    for (const [name, pid] of childrenOf(stack.pid))
      if (name !== part) expect(pid, name).toBe(before.get(name));
  }
  const [row] = await withDatabase((sql) => sql`select count(*)::int as count from public.kept`);
  expect(row?.count).toBe(parts.length);
  await withDatabase((sql) => sql`drop table public.kept`);
});

it("the stack ends with all its parts when killed outright, and the next start recovers", async () => {
  await withDatabase((sql) => sql`create table public.survivor as select 42 as n`);
  const parts = [...childrenOf(stack.pid).values()];
  process.kill(stack.pid, "SIGKILL");
  await stack.ended;
  // At once: the old processes are still ending, and must not block the start.
  stack = await start(place, { only: ONLY });
  for (const pid of parts) expect(isAlive(pid)).toBe(false);
  await healthy();
  const [row] = await withDatabase((sql) => sql`select n from public.survivor`);
  expect(row?.n).toBe(42);
});

it("the stack ends completely on SIGTERM, and releases every port", async () => {
  const parts = [...childrenOf(stack.pid).values()];
  expect(parts).toHaveLength(5);
  const began = Date.now();
  expect(await stop(stack)).toBe(0);
  expect(Date.now() - began).toBeLessThan(12_000);
  for (const pid of parts) expect(isAlive(pid)).toBe(false);
  for (const name of ["gateway", "postgres", "mailbox", "smtp", "models", "v1"] as const) {
    expect(await isFree(place.port(name)), name).toBe(true);
  }
  expect(stack.errors()).toBe("");
});

it("the stack ends on a signal during a start", async () => {
  const starting = launch(place, { only: ONLY });
  await eventually(() => expect(childrenOf(starting.pid).size).toBeGreaterThan(2));
  const parts = [...childrenOf(starting.pid).values()];
  starting.process.kill("SIGINT");
  expect(await starting.ended).toBe(0);
  for (const pid of parts) expect(isAlive(pid)).toBe(false);
  expect(starting.output()).not.toMatch(/^ready http/m);
  expect(starting.errors()).toBe("");
});

it("the stack ends when only npm is signalled: npm's shell dies of SIGTERM without forwarding it", async () => {
  const own = await makePlace();
  const viaNpm = await start(own, { only: "mailbox", npm: true });
  const { pid } = JSON.parse(readFileSync(join(own.dataDir, "supervisor.lock"), "utf8"));
  const parts = [...childrenOf(pid).values()];
  expect(parts).toHaveLength(1);
  viaNpm.process.kill("SIGTERM");
  await eventually(() => expect([pid, ...parts].filter(isAlive)).toEqual([]));
  own.remove();
});
