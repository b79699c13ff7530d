// What one client can do to the others: hold the database, sleep in a transaction, not read, not send. Each has a limit with an error that
// names it, while the rest go on. Production's code with shorter limits.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../../supabase/local/postgres/limits.ts";
import { flush, int32, message, sync } from "../../supabase/local/postgres/protocol.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { bind, errorIn, execute, parse, RawClient, rows, types } from "../support/postgres-raw-client.ts";

const limits = { turnMs: 1500, idleInTransactionMs: 1000, statementMs: 3000, loginMs: 1000 };
let database: TestPostgres;

beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits });
  const client = await login();
  await client.query("create table kept (n int primary key)");
  client.destroy();
});
afterAll(() => database?.stop());

beforeEach(async () => {
  const client = await login();
  await client.query("truncate kept");
  client.destroy();
});

const login = async (): Promise<RawClient> =>
  (await RawClient.login(database.port, "postgres", database.passwords.postgres)).client;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Never reads the clock or a file, where a cancel could take effect. */
const endless = "do $$ begin loop end loop; end $$";

/** Sends a client's cancel request, as psql does on Ctrl-C. */
async function cancel(of: RawClient, secret = of.secret): Promise<void> {
  const messenger = await RawClient.dial(database.port);
  messenger.send(int32(16, 80_877_102, of.processId, secret));
  await messenger.until("none");
}

it("Postgres has the documented limits", () => {
  expect(defaultLimits).toMatchObject({ turnMs: 15_000, idleInTransactionMs: 10_000, statementMs: 30_000 });
});

it("Postgres rejects JSON that is nested too deeply, and continues", async () => {
  // The engine takes seconds to find a million levels, so this test has a longer statement limit.
  const patient = await startTestPostgres({ bare: true, limits: { ...limits, statementMs: 120_000 } });
  const { client } = await RawClient.login(patient.port, "postgres", patient.passwords.postgres);
  for (const depth of [30_000, 1_000_000]) {
    const answers = await client.query(`select '${"[".repeat(depth)}${"]".repeat(depth)}'::jsonb`);
    expect(errorIn(answers)).toMatchObject({ C: "54001" });
  }
  expect(rows(await client.query("select 'mine'"))).toEqual([["mine"]]);
  client.destroy();
  await patient.stop();
});

describe("a client that waits for its turn", () => {
  it("gets an error after a while, and stays usable", async () => {
    const [holder, waiter, piper] = [await login(), await login(), await login()];
    const held = holder.query("select pg_sleep(2.5)");
    await sleep(100);
    piper.send(parse("", "select 1"), flush);
    const answers = await waiter.query("select 'mine'");
    expect(errorIn(answers)).toMatchObject({ S: "ERROR", C: "55P03" });
    expect(types(answers)).toBe("EZ");
    expect(errorIn(await piper.until("E"))).toMatchObject({ C: "55P03" });
    piper.send(bind(""), execute(), sync);
    expect(types(await piper.until("Z"))).toBe("Z");
    await held;
    expect(rows(await waiter.query("select 'mine'"))).toEqual([["mine"]]);
    expect(rows(await piper.query("select 'too'"))).toEqual([["too"]]);
    for (const client of [holder, waiter, piper]) client.destroy();
  });

  it("is served in order of arrival", async () => {
    const [holder, ...waiters] = await Promise.all(Array.from({ length: 6 }, login));
    const held = holder?.query("select pg_sleep(0.5)");
    await sleep(100);
    const served: number[] = [];
    const all = waiters.map(async (waiter, index) => {
      await sleep(index * 30);
      await waiter.query("select 1");
      served.push(index);
    });
    await Promise.all([held, ...all]);
    expect(served).toEqual([0, 1, 2, 3, 4]);
    for (const client of [holder, ...waiters]) client?.destroy();
  });

  it("can be cancelled while it waits", async () => {
    const [holder, waiter] = [await login(), await login()];
    const held = holder.query("select pg_sleep(1)");
    await sleep(100);
    const waiting = waiter.query("select 1");
    await sleep(100);
    await cancel(waiter);
    expect(errorIn(await waiting)).toMatchObject({ S: "ERROR", C: "57014" });
    expect(errorIn(await held)).toBeNull();
    holder.destroy();
    waiter.destroy();
  });
});

describe("a client that holds the database idle", () => {
  const idle: [string, (client: RawClient) => Promise<unknown>][] = [
    ["in a transaction", (client) => client.query("begin; insert into kept values (1)")],
    ["in a failed transaction", (client) => client.query("begin; select 1/0")],
    [
      "before its Sync",
      async (client) => {
        client.send(parse("", "insert into kept values (1)"), bind(""), execute(), flush);
        await client.until("C");
      },
    ],
    [
      "in a COPY",
      async (client) => {
        client.send(message("Q", "copy kept from stdin"));
        await client.until("G");
        client.send(message("d", Buffer.from("1\n")));
      },
    ],
  ];
  it.each(idle)("%s is disconnected and rolled back", async (_, start) => {
    const [sleeper, other] = [await login(), await login()];
    await start(sleeper);
    const since = Date.now();
    const next = other.query("select * from kept");
    expect(errorIn(await sleeper.until("none"))).toMatchObject({ S: "FATAL", C: "25P03" });
    expect(sleeper.closed).toBe(true);
    expect(rows(await next)).toEqual([]);
    expect(Date.now() - since).toBeGreaterThan(limits.idleInTransactionMs * 0.9);
    other.destroy();
  });

  it("in a transaction goes on after a standstill of the machine", async () => {
    const client = await login();
    await client.query("begin; insert into kept values (1)");
    // The server and its client run in this thread.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.idleInTransactionMs * 1.5);
    expect(rows(await client.query("select n from kept"))).toEqual([["1"]]);
    client.destroy();
  });

  it("outside a transaction may stay idle", async () => {
    const client = await login();
    await sleep(limits.idleInTransactionMs * 1.5);
    expect(rows(await client.query("select 1"))).toEqual([["1"]]);
    client.destroy();
  });

  it("and never logs in is disconnected", async () => {
    const client = await RawClient.dial(database.port);
    expect((await client.until("none")).length).toBeLessThanOrEqual(1);
    expect(client.closed).toBe(true);
  });
});

describe("a client that does not read its results", () => {
  it("is disconnected before the statement limit", async () => {
    const patient = await startTestPostgres({ bare: true, limits: { ...limits, statementMs: 120_000 } });
    const dial = async () =>
      (await RawClient.login(patient.port, "postgres", patient.passwords.postgres)).client;
    const [deaf, other] = [await dial(), await dial()];
    deaf.socket.pause();
    deaf.send(message("Q", "select repeat('x', 100000) from generate_series(1, 2000)"));
    await sleep(300);
    const since = Date.now();
    let next = await other.query("select 'served'");
    while (errorIn(next)?.C === "55P03") next = await other.query("select 'served'");
    expect(rows(next)).toEqual([["served"]]);
    expect(Date.now() - since).toBeLessThan(100_000);
    deaf.socket.resume();
    expect(types(await deaf.until("Z"))).not.toContain("Z");
    other.destroy();
    await patient.stop();
  });
});

describe("an endless statement", () => {
  it("is cancelled on request, and the client continues", async () => {
    const client = await login();
    for (const sql of ["select pg_sleep(100)", endless]) {
      const running = client.query(sql);
      await sleep(200);
      await cancel(client, client.secret ^ 1);
      await cancel(client);
      expect(errorIn(await running)).toMatchObject({ S: "ERROR", C: "57014" });
      expect(rows(await client.query("select 'still here'"))).toEqual([["still here"]]);
    }
    client.destroy();
  });

  it("is ended by the watchdog; other clients continue, with their prepared statements", async () => {
    const [greedy, other] = [await login(), await login()];
    await other.query("insert into kept values (7)");
    other.send(parse("mine", "select n + $1::int from kept where n = 7"), sync);
    await other.until("Z");
    const since = Date.now();
    const running = greedy.query(endless);
    expect(errorIn(await running)).toMatchObject({ S: "ERROR", C: "57014" });
    expect(Date.now() - since).toBeGreaterThan(limits.statementMs * 0.9);
    other.send(bind("mine", ["1"]), execute(), sync);
    const answers = await other.until("Z");
    if (errorIn(answers)) {
      // The database may take longer than this test's short limit to restart.
      expect(errorIn(answers)?.C).toBe("55P03");
      other.send(bind("mine", ["1"]), execute(), sync);
      expect(rows(await other.until("Z"))).toEqual([["8"]]);
    } else {
      expect(rows(answers)).toEqual([["8"]]);
    }
    expect(rows(await greedy.query("delete from kept returning n"))).toEqual([["7"]]);
    greedy.destroy();
    other.destroy();
  });

  it("ends at the client's own statement_timeout; postgres may allow itself more", async () => {
    const options = { statement_timeout: "300ms" };
    const { client: hasty } = await RawClient.login(
      database.port,
      "authenticator",
      database.passwords.authenticator,
      options,
    );
    const since = Date.now();
    expect(errorIn(await hasty.query("select pg_sleep(100)"))?.C).toBe("57014");
    expect(Date.now() - since).toBeLessThan(limits.statementMs);
    const patient = await login();
    await patient.query(`set statement_timeout = '${limits.statementMs * 10}ms'`);
    expect(errorIn(await patient.query(`select pg_sleep(${(limits.statementMs * 1.3) / 1000})`))).toBeNull();
    hasty.destroy();
    patient.destroy();
  });

  it("inside a transaction ends the connection, so that the rest of the transaction cannot run alone", async () => {
    const [greedy, other] = [await login(), await login()];
    await greedy.query("begin");
    await greedy.query("insert into kept values (8)");
    greedy.send(message("Q", endless), message("Q", "insert into kept values (9)"), message("Q", "commit"));
    expect(errorIn(await greedy.until("none"))).toMatchObject({ S: "FATAL", C: "57014" });
    expect(greedy.closed).toBe(true);
    let seen = await other.query("select * from kept");
    while (errorIn(seen)?.C === "55P03") seen = await other.query("select * from kept");
    expect(types(seen)).toBe("TCZ");
    other.destroy();
  });

  it("inside a transaction, where it can be cancelled, leaves the transaction failed", async () => {
    const client = await login();
    await client.query("begin");
    expect(errorIn(await client.query("select pg_sleep(100)"))).toMatchObject({ S: "ERROR", C: "57014" });
    expect(errorIn(await client.query("select 1"))?.C).toBe("25P02");
    await client.query("rollback");
    expect(rows(await client.query("select 1"))).toEqual([["1"]]);
    client.destroy();
  });

  it("does not outlive its client", async () => {
    const [gone, other] = [await login(), await login()];
    gone.send(message("Q", "insert into kept select 100 from pg_sleep(60)"));
    await sleep(200);
    gone.destroy();
    let seen = await other.query("select * from kept");
    while (errorIn(seen)?.C === "55P03") seen = await other.query("select * from kept");
    expect(types(seen)).toBe("TCZ");
    other.destroy();
  });
});
