// Turns on the engine are fair by caller: one that asks for many at once does not hold up another.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Turns } from "../../supabase/local/postgres/turns.ts";
import { stubSettings } from "../support/function-settings.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
beforeAll(async () => {
  database = await startTestPostgres({ bare: true });
  stubSettings({
    DATABASE_URL: database.url("authenticator"),
    DATABASE_PREPARE: "true",
    DATABASE_POOL_SIZE: "1",
  });
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
  const take = vi.spyOn(Turns.prototype, "take");
  const callersOf = async (claims: Parameters<typeof readAsCaller>[0]) => {
    take.mockClear();
    await readAsCaller(claims, (tx) => tx`select 1`);
    return take.mock.calls.map(([, caller]) => caller);
  };
  try {
    expect(await callersOf({ role: "authenticated", sub: "a person" })).toContain("a person");
    expect(await callersOf({ role: "anon" })).not.toContain("a person");
  } finally {
    take.mockRestore();
    await closeDatabase();
  }
});
