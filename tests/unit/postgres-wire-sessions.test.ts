// The embedded Postgres's single session, shared by all clients: one client's state is invisible to the next, and no login becomes another.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { int32, message, sync } from "../../supabase/local/postgres/protocol.ts";
import { startTestPostgres, type TestLogin, type TestPostgres } from "../support/postgres.ts";
import { bind, errorIn, execute, parse, RawClient, rows, types } from "../support/postgres-raw-client.ts";

let database: TestPostgres;
const limits = { connections: 30 };

beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits });
});
afterAll(() => database?.stop());

const login = async (user: TestLogin, settings?: Record<string, string>): Promise<RawClient> =>
  (await RawClient.login(database.port, user, database.passwords[user], settings)).client;

describe("sessions", () => {
  it("keep statements with one name apart, unnamed ones included", async () => {
    const [one, two] = [await login("postgres"), await login("authenticator")];
    const prepare = async (client: RawClient, name: string, sql: string) => {
      client.send(parse(name, sql), sync);
      expect(types(await client.until("Z"))).toBe("1Z");
    };
    const run = async (client: RawClient, name: string) => {
      client.send(bind(name), execute(), sync);
      return rows(await client.until("Z"));
    };
    for (const name of ["s", ""]) {
      await prepare(one, name, "select 'one'");
      await prepare(two, name, "select 'two'");
      expect(await run(one, name)).toEqual([["one"]]);
      expect(await run(two, name)).toEqual([["two"]]);
    }
    await two.query("discard all");
    expect(await run(one, "s")).toEqual([["one"]]);
    two.send(bind("s"), sync);
    expect(errorIn(await two.until("Z"))?.C).toBe("26000");
    one.destroy();
    two.destroy();
  });

  it("prepare a statement anew for a client that prepares it again after its table changed", async () => {
    const [owner, ...clients] = [await login("postgres"), await login("postgres"), await login("postgres")];
    await owner.query("create table outdated (n int); insert into outdated values (1)");
    for (const client of clients)
      client.send(parse("s", "select * from outdated"), bind("s"), execute(), sync);
    for (const client of clients) expect(rows(await client.until("Z"))).toEqual([["1"]]);
    await owner.query("alter table outdated add column more int");
    for (const client of clients) {
      client.send(bind("s"), execute(), sync);
      const answers = await client.until("Z");
      expect(errorIn(answers)?.C).toBe(client === clients[0] ? "0A000" : "26000");
      client.send(
        message("C", Buffer.from("S"), "s"),
        parse("s", "select * from outdated"),
        bind("s"),
        execute(),
        sync,
      );
      expect(rows(await client.until("Z"))).toEqual([["1", null]]);
      client.destroy();
    }
    owner.destroy();
  });

  it("leave at most 500 statements in the backend, also after clients leave", async () => {
    for (let client = 0; client < 3; client += 1) {
      const one = await login("postgres");
      for (let at = 0; at < 200; at += 1) one.send(parse("", `select ${client * 200 + at}`), sync);
      for (let at = 0; at < 200; at += 1) await one.until("Z");
      for (let at = 0; at < 200; at += 1) one.send(parse(`s${at}`, `select 's', ${client * 200 + at}`), sync);
      for (let at = 0; at < 200; at += 1) await one.until("Z");
      one.destroy();
    }
    const last = await login("postgres");
    last.send(
      message(
        "Q",
        "select count(*) <= 500 from pg_prepared_statements where name like 'p%' and not from_sql",
      ),
    );
    expect(rows(await last.until("Z"))).toEqual([["t"]]);
    last.destroy();
  });

  it("keep a statement over a temporary table apart from others' with the same text", async () => {
    const [owner, one, two] = [await login("postgres"), await login("postgres"), await login("postgres")];
    await owner.query("create table shadowed (n int); insert into shadowed values (1)");
    await one.query("create temp table shadowed as select 'mine' as word");
    for (const [client, expected] of [
      [one, "mine"],
      [two, "1"],
    ] as const) {
      client.send(parse("s", "select * from shadowed"), bind("s"), execute(), sync);
      expect(rows(await client.until("Z"))).toEqual([[expected]]);
    }
    for (const client of [owner, one, two]) client.destroy();
  });

  it("do not have a statement that an earlier error skipped", async () => {
    const client = await login("postgres");
    client.send(parse("bad", "no SQL"), parse("late", "select 'late'"), sync);
    expect(types(await client.until("Z"))).toBe("EZ");
    client.send(bind("late"), sync);
    expect(errorIn(await client.until("Z"))?.C).toBe("26000");
    client.send(parse("late", "select 'late'"), bind("late"), execute(), sync);
    expect(rows(await client.until("Z"))).toEqual([["late"]]);
    client.destroy();
  });

  it("reject a name in use", async () => {
    const client = await login("postgres");
    client.send(parse("s", "select 1"), sync, parse("s", "select 1"), sync);
    await client.until("Z");
    expect(errorIn(await client.until("Z"))?.C).toBe("42P05");
    client.destroy();
  });

  it("hide one client's settings, objects and channels from the next, and restore them for it", async () => {
    const [one, two] = [await login("postgres"), await login("postgres", { TimeZone: "Asia/Tokyo" })];
    await one.query(
      "set timezone = 'Europe/Rome'; set my.claim = 'mine'; create temp table mine (n int); listen news",
    );
    await one.query("prepare plan as select 'mine'");
    await one.query("declare c cursor with hold for select 1; select pg_advisory_lock(42); set role anon");
    const look =
      "select current_setting('timezone'), coalesce(current_setting('my.claim', true), ''), to_regclass('mine')::text, " +
      "(select count(*) from pg_listening_channels()), (select count(*) from pg_cursors), current_user, " +
      "(select count(*) from pg_locks where locktype = 'advisory')";
    expect(rows(await two.query(look))).toEqual([["Asia/Tokyo", "", null, "0", "0", "postgres", "0"]]);
    expect(errorIn(await two.query("execute plan"))?.C).toBe("26000");
    expect(errorIn(await two.query("prepare plan as select 'other'; deallocate plan"))).toBeNull();
    expect(rows(await one.query("select current_setting('timezone'), current_user"))).toEqual([
      ["Europe/Rome", "anon"],
    ]);
    await one.query("reset role; reset timezone");
    await two.query("select 1");
    expect(rows(await one.query("select current_setting('timezone'), current_user"))).toEqual([
      ["UTC", "postgres"],
    ]);
    one.destroy();
    two.destroy();
  });

  it.each([
    ["a setting", "set my.trace = 'left'"],
    ["a setting by a function", "select set_config('my.trace', 'left', false)"],
    ["a setting behind other statements", "select 1;/**/set my.trace = 'left'"],
    ["a setting within a transaction", "begin; set session my.trace = 'left'; commit"],
    ["a setting by a block", "do $$ begin perform set_config('my.trace', 'left', false); end $$"],
    ["a role", "set role anon"],
    ["a lock", "select pg_advisory_lock(43)"],
    ["a cursor", "begin; declare c cursor with hold for select 1; commit"],
    ["a temporary table", "create temp table trace (n int)"],
    ["a setting by the view", "update pg_settings set setting = 'left' where name = 'application_name'"],
  ])("hide %s from a client of the same login", async (_what, trace) => {
    const [one, two] = [await login("postgres"), await login("postgres")];
    await one.query("select 1");
    await two.query("select 1");
    expect(errorIn(await one.query(trace))).toBeNull();
    const look =
      "select coalesce(current_setting('my.trace', true), '') || current_setting('application_name'), current_user, to_regclass('trace')::text, " +
      "(select count(*) from pg_cursors), (select count(*) from pg_locks where locktype = 'advisory')";
    expect(rows(await two.query(look))).toEqual([["", "postgres", null, "0", "0"]]);
    one.destroy();
    two.destroy();
  });

  it("hide what a call of a function by its number leaves", async () => {
    const [one, two] = [await login("postgres"), await login("postgres")];
    await one.query("select 1");
    await two.query("select 1");
    const call = (oid: number, ...values: Buffer[]) =>
      message(
        "F",
        int32(oid),
        Buffer.from([0, 1, 0, 1, 0, values.length]),
        ...values.flatMap((value) => [int32(value.length), value]),
        Buffer.from([0, 1]),
      );
    const [setConfig, lock] = [2078, 2880];
    one.send(call(setConfig, Buffer.from("my.trace"), Buffer.from("left"), Buffer.from([0])));
    one.send(call(lock, Buffer.alloc(8, 1)));
    expect(types([...(await one.until("Z")), ...(await one.until("Z"))])).toBe("VZVZ");
    const look =
      "select coalesce(current_setting('my.trace', true), ''), (select count(*) from pg_locks where locktype = 'advisory')";
    expect(rows(await two.query(look))).toEqual([["", "0"]]);
    one.destroy();
    two.destroy();
  });

  it.each([
    "set timezone = 'Asia/Tokyo'",
    "select set_config('timezone', 'Asia/Tokyo', false)",
    "do $$ begin set timezone = 'Asia/Tokyo'; end $$",
    "begin; set timezone = 'Asia/Tokyo'; commit",
    "update pg_settings set setting = 'Asia/Tokyo' where name = 'TimeZone'",
  ])("restore a setting after another client's turn: %s", async (sql) => {
    const [one, two] = [await login("postgres"), await login("authenticator")];
    const zone = async (client: RawClient) => rows(await client.query("select current_setting('timezone')"));
    await one.query(sql);
    expect(await zone(two)).toEqual([["UTC"]]);
    expect(await zone(one)).toEqual([["Asia/Tokyo"]]);
    await one.query("reset timezone");
    one.send(parse("s", sql.replace("begin; ", "").replace("; commit", "")), sync);
    await one.until("Z");
    await two.query("select 1");
    one.send(bind("s"), execute(), sync);
    await one.until("Z");
    expect(await zone(two)).toEqual([["UTC"]]);
    expect(await zone(one)).toEqual([["Asia/Tokyo"]]);
    one.destroy();
    two.destroy();
  });

  it("reset SET LOCAL at the end of the transaction", async () => {
    const client = await login("authenticator");
    await client.query("begin; set local role authenticated; set local request.jwt.claims = '{}'; commit");
    expect(
      rows(await client.query("select current_user, current_setting('request.jwt.claims', true)")),
    ).toEqual([["authenticator", ""]]);
    client.destroy();
  });

  const ways = [
    "set session authorization postgres",
    "set session authorization default; reset session authorization",
    "select set_config('session_authorization', 'postgres', false)",
    "do $$ begin execute 'set session ' || 'authorization postgres'; end $$",
    "set role postgres",
    "discard all",
    "alter role authenticator superuser",
    "grant postgres to authenticator",
    "update pg_authid set rolsuper = true where rolname = 'authenticator'",
    "copy (select 1) to program 'id'",
    "begin; set local role service_role; set session authorization postgres; commit",
    "set role service_role; reset session authorization",
  ];
  it.each(ways)("do not let authenticator become postgres: %s", async (way) => {
    const [client, other] = [await login("authenticator"), await login("postgres")];
    await client.query(way);
    await client.query("rollback; reset role");
    const who = "select session_user, current_user, current_setting('is_superuser')";
    expect(rows(await client.query(who))).toEqual([["authenticator", "authenticator", "off"]]);
    expect(errorIn(await client.query("create table public.mine ()"))?.C).toBe("42501");
    expect(rows(await other.query(who))).toEqual([["postgres", "postgres", "on"]]);
    expect(rows(await client.query(who))).toEqual([["authenticator", "authenticator", "off"]]);
    client.destroy();
    other.destroy();
  });

  it("let authenticator become Supabase's three roles", async () => {
    const client = await login("authenticator");
    for (const role of ["anon", "authenticated", "service_role"]) {
      const answers = await client.query(`begin; set local role ${role}; select current_user; commit`);
      expect(rows(answers)).toEqual([[role]]);
    }
    client.destroy();
  });
});
