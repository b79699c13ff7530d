// The functions' transactions: retries when Postgres aborts one in favour of another.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { collectGarbage } from "../support/collect-garbage.ts";
import { eventually } from "../support/eventually.ts";
import { stubSettings } from "../support/function-settings.ts";
import { type Fuse, startFuse } from "../support/fuse.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let fuse: Fuse;
let db: typeof import("../../edge-functions/_shared/database/db.ts");

beforeAll(async () => {
  database = await startTestPostgres({ bare: true });
  const url = new URL(database.url("authenticator"));
  fuse = await startFuse(Number(url.port));
  url.port = String(fuse.port);
  stubSettings({ DATABASE_URL: String(url), DATABASE_POOL_SIZE: "2" });
  db = await import("../../edge-functions/_shared/database/db.ts");
  const sql = database.connect("postgres", { max: 1 });
  await sql`create table ledger (entry int)`;
  await sql`grant select, insert on ledger to service_role`;
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  await fuse?.stop();
  await database?.stop();
});

/** Writes an entry and fails with `code` the first `failures` times. */
async function write(entry: number, code: string, failures: number): Promise<number> {
  let runs = 0;
  await db.asService(async (tx) => {
    runs += 1;
    await tx`insert into ledger values (${entry})`;
    if (runs <= failures) await tx.unsafe(`do $$ begin raise 'not now' using errcode = '${code}'; end $$`);
  });
  return runs;
}

const entries = (entry: number) =>
  db.asService((tx) => tx`select 1 from ledger where entry = ${entry}`).then((rows) => rows.length);

describe("a transaction", () => {
  it.each(["40P01", "40001"])(
    "that Postgres aborted with %s runs again, and takes effect once",
    async (code) => {
      const entry = Number.parseInt(code, 36);
      expect(await write(entry, code, 2)).toBe(3);
      expect(await entries(entry)).toBe(1);
    },
  );

  it("that never succeeds is given up, and leaves nothing", async () => {
    await expect(write(1, "40P01", 99)).rejects.toMatchObject({ code: "40P01" });
    expect(await entries(1)).toBe(0);
  });

  it("that waits for a connection gets one, though another's connection is lost meanwhile", async () => {
    const { poolUse } = await import("../../edge-functions/_shared/database/connections.ts");
    let waiting: Promise<number> | undefined;
    const lost = db.asService(async (tx) => {
      await tx`select 1`;
      waiting = entries(1);
      await eventually(() => expect(poolUse().waiting).toBe(1));
      fuse.cut();
      await new Promise(() => {});
    });
    await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(await waiting).toBe(0);
  });

  it.each(["begin", "insert", "commit"])(
    "whose %s is never answered fails after a minute, and the next one has another connection",
    async (message) => {
      const entry = message.length;
      expect(await entries(0)).toBe(0);
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
      const dropped = new Promise<void>((resolve) => fuse.burnAt(message, false, resolve));
      const silent = write(entry, "", 0);
      silent.catch(() => {});
      await dropped;
      await vi.advanceTimersByTimeAsync(59_000);
      const isOver = Promise.race([silent.catch(() => true), sleep(200).then(() => false)]);
      expect(await isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(10_000);
      await expect(silent).rejects.toMatchObject({ code: "CONNECTION_SILENT" });
      vi.useRealTimers();
      expect(await entries(entry)).toBe(0);
    },
  );

  it("fails after twenty seconds while a proxy closes every connection, and runs once the database is back", async () => {
    // Without a connection from before, which would report its loss.
    await db.closeDatabase();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    fuse.cut(true);
    const refused = entries(0);
    refused.catch(() => {});
    await sleep(300);
    await vi.advanceTimersByTimeAsync(19_000);
    const isOver = Promise.race([refused.catch(() => true), sleep(200).then(() => false)]);
    expect(await isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    await expect(refused).rejects.toMatchObject({ code: "UNAVAILABLE" });
    fuse.cut();
    vi.useRealTimers();
    expect(await entries(0)).toBe(0);
  });

  it("that waits on for its own reasons is not lost", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const waited = db.asService(async (tx) => {
      await tx`select 1`;
      await vi.advanceTimersByTimeAsync(200_000);
      const one = tx`select 2 as n`;
      const [row] = await one;
      return [row, (await one)[0]];
    });
    expect(await waited).toEqual([{ n: 2 }, { n: 2 }]);
    vi.useRealTimers();
  });

  it("is not kept open by Postgres for a client that says nothing any more", async () => {
    const name = "idle_in_transaction_session_timeout";
    const [row] = await db.asService((tx) => tx`select current_setting(${name}) as limit`);
    expect(row).toEqual({ limit: "1min" });
  });

  it("that failed for its own reason is not repeated", async () => {
    await expect(write(2, "23514", 1)).rejects.toMatchObject({ code: "23514" });
    expect(await entries(2)).toBe(0);
  });

  it("answers a statement until it is over, and not after", async () => {
    const [twice, late] = await db.asService(async (tx) => {
      const statement = tx<{ one: number }[]>`select 1 as one`;
      return [[await statement, await statement], { statement }] as const;
    });
    expect(twice).toMatchObject([[{ one: 1 }], [{ one: 1 }]]);
    await expect(async () => await late.statement).rejects.toThrow("after the end of its transaction");
  });

  it("leaves its rows to the garbage collector, though its statements are still there", async () => {
    const kept = await db.asService(async (tx) => {
      const statement = tx`select 1 as one`;
      return { statement, rows: new WeakRef(await statement) };
    });
    await sleep(0);
    collectGarbage();
    expect(kept.statement).toBeInstanceOf(Promise);
    expect(kept.rows.deref()).toBeUndefined();
  });
});
