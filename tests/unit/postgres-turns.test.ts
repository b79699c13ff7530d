// Turns on the engine are fair by caller: one that asks for many at once does not hold up another.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Turns } from "../../supabase/local/postgres/turns.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
beforeAll(async () => {
  database = await startTestPostgres({ bare: true });
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    DATABASE_PREPARE: "true",
    DATABASE_POOL_SIZE: "6",
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "a key of this test alone that is long enough",
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database?.stop();
});

/** Takes turns of so many ms at once, some of them during the third turn, and returns the callers in the order in which they had theirs. */
async function order(first: string[], duringThird: string[] = [], ms = 20): Promise<string[]> {
  const turns = new Turns(60_000);
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const had: string[] = [];
  const ask = async (caller: string): Promise<unknown> => {
    const owner = {};
    await turns.take(owner, caller);
    had.push(caller);
    now += ms;
    const asked = had.length === 3 ? duringThird.map(ask) : [];
    turns.give(owner);
    return Promise.all(asked);
  };
  await Promise.all(first.map(ask)).finally(() => clock.mockRestore());
  return had;
}

it("gives the next turn to the caller that has used the engine least", async () => {
  expect((await order(["large", "large", "large", "large", "small", "small"])).join()).toBe(
    "large,small,large,small,large,large",
  );
});

it("lets no caller save up turns while it is away", async () => {
  const busy = ["busy", "busy", "busy", "busy", "busy"];
  expect((await order(busy, ["new", "new", "new"])).join()).toBe("busy,busy,busy,new,busy,new,busy,new");
});

it("lets nobody wait long for callers that have used less", async () => {
  expect((await order(["busy", "busy", "a", "b", "c", "d"], [], 900)).join()).toBe("busy,a,b,busy,c,d");
});

it("knows the caller of a transaction of the functions", async () => {
  const { closeDatabase, readAsCaller } = await import("../../edge-functions/_shared/database/db.ts");
  const done: string[] = [];
  const ask = async (sub: string, numbers: number) => {
    await readAsCaller(
      { role: "authenticated", sub },
      (tx) => tx`select count(*) from generate_series(1, ${numbers}::int)`,
    );
    done.push(sub);
  };
  const holder = database.connect("postgres", { max: 1 });
  await Promise.all(Array.from({ length: 6 }, () => ask("warm", 1)));
  done.length = 0;
  await holder.begin(async (tx) => {
    await tx`select 1`;
    for (let i = 0; i < 5; i++) void ask("large", 200_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    void ask("small", 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  await expect.poll(() => done.length, { timeout: 30_000 }).toBe(6);
  expect(done.indexOf("small")).toBeLessThanOrEqual(1);
  await closeDatabase();
});
