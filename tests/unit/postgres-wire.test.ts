// The embedded Postgres for its clients: drivers, login, and protocol edge cases.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../supabase/local/postgres/limits.ts";
import { flush, int32, message, sync } from "../../supabase/local/postgres/protocol.ts";
import { startTestPostgres, type TestLogin, type TestPostgres } from "../support/postgres.ts";
import {
  bind,
  describe as describeMessage,
  errorIn,
  execute,
  parse,
  RawClient,
  rows,
  startup,
  types,
} from "../support/postgres-raw-client.ts";

let database: TestPostgres;
const limits = { connections: 30 };

beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits });
});
afterAll(() => database?.stop());

const login = async (user: TestLogin, settings?: Record<string, string>): Promise<RawClient> =>
  (await RawClient.login(database.port, user, database.passwords[user], settings)).client;

describe("drivers", () => {
  it.each([true, false])("postgres.js works with prepare: %s", async (prepare) => {
    const sql = database.connect("postgres", { max: 2, prepare });
    const [row] =
      await sql`select version(), ${[1, 2]}::int[] as list, ${"é\u{1f600}"} as text, ${null} as nothing`;
    expect(row).toMatchObject({ list: [1, 2], text: "é\u{1f600}", nothing: null });
    expect(row?.version).toMatch(/^PostgreSQL 18/);
    await expect(sql`select 1 / ${0}::int`).rejects.toMatchObject({ code: "22012" });
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, index) => sql`select ${index}::int as index`),
    );
    expect(many.map(([one]) => one?.index)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it("postgres.js has transactions, savepoints, cursors and COPY both ways", async () => {
    const sql = database.connect("postgres", { max: 3 });
    await sql`create table copied (id int primary key, word text)`;
    await pipeline(Readable.from(["1\tone\n", "2\ttwo\n"]), await sql`copy copied from stdin`.writable());
    await sql.begin(async (tx) => {
      await tx.savepoint((inner) => inner`insert into copied values (1, 'again')`).catch(() => {});
      await tx`insert into copied values (3, 'three')`;
    });
    let text = "";
    for await (const chunk of await sql`copy (select * from copied order by id) to stdout`.readable())
      text += chunk;
    expect(text).toBe("1\tone\n2\ttwo\n3\tthree\n");
    const seen: number[] = [];
    await sql.begin(async (tx) => {
      for await (const batch of tx`select generate_series(1, 25) as n`.cursor(10)) seen.push(batch.length);
    });
    expect(seen).toEqual([10, 10, 5]);
  });

  it("pg works with named and unnamed statements", async () => {
    const client = new pg.Client(database.url("authenticator"));
    await client.connect();
    const named = { name: "sum", text: "select $1::int + $2::int as sum" };
    expect((await client.query({ ...named, values: [1, 2] })).rows).toEqual([{ sum: 3 }]);
    expect((await client.query({ ...named, values: [3, 4] })).rows).toEqual([{ sum: 7 }]);
    expect((await client.query("select session_user")).rows).toEqual([{ session_user: "authenticator" }]);
    await client.end();
  });

  it("receive answers larger than one piece, and larger than the client has read", async () => {
    const sql = database.connect("postgres", { max: 1 });
    const [row] = await sql`select repeat('x', 20000000) as text`;
    expect(row?.text).toHaveLength(20_000_000);
    const client = await login("postgres");
    client.socket.pause();
    client.send(message("Q", "select repeat('y', 1000) from generate_series(1, 20000)"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    client.socket.resume();
    expect(rows(await client.until("Z"))).toHaveLength(20_000);
    client.destroy();
  });
});

describe("login", () => {
  it("rejects a wrong password, an unknown user and another database", async () => {
    const wrong = await RawClient.login(database.port, "postgres", "wrong");
    expect(errorIn(wrong.answers)).toMatchObject({ S: "FATAL", C: "28P01" });
    const unknown = await RawClient.login(database.port, "nobody", "wrong");
    expect(errorIn(unknown.answers)).toMatchObject({ S: "FATAL", C: "28P01" });
    const role = await RawClient.login(database.port, "service_role", "");
    expect(errorIn(role.answers)).toMatchObject({ S: "FATAL", C: "28P01" });
    const { answers } = await RawClient.login(database.port, "postgres", database.passwords.postgres, {
      database: "template1",
    });
    expect(errorIn(answers)).toMatchObject({ S: "FATAL", C: "3D000" });
  });

  it("answers SSL and GSS requests with N, and continues", async () => {
    const client = await RawClient.dial(database.port);
    client.send(int32(8, 80_877_103));
    expect(await client.nextByte()).toBe("N");
    client.send(int32(8, 80_877_104));
    expect(await client.nextByte()).toBe("N");
    client.send(startup({ user: "postgres", database: "postgres" }));
    expect((await client.next())?.type).toBe("R");
    client.destroy();
  });

  it("runs no query before the password", async () => {
    const client = await RawClient.dial(database.port);
    client.send(startup({ user: "postgres", database: "postgres" }), message("Q", "select 1"));
    const answers = await client.until("Z");
    expect(types(answers)).toBe("RE");
    expect(errorIn(answers)?.C).toBe("08P01");
  });

  it("reports the parameters that drivers need", async () => {
    const { client, answers } = await RawClient.login(
      database.port,
      "authenticator",
      database.passwords.authenticator,
      { TimeZone: "Europe/Paris", application_name: "a test" },
    );
    const reported = Object.fromEntries(
      answers.filter(({ type }) => type === "S").map(({ body }) => body.toString().split("\0").slice(0, 2)),
    );
    expect(reported).toMatchObject({
      client_encoding: "UTF8",
      integer_datetimes: "on",
      is_superuser: "off",
      session_authorization: "authenticator",
      standard_conforming_strings: "on",
      TimeZone: "Europe/Paris",
    });
    expect(reported.server_version).toMatch(/^18/);
    expect(
      rows(await client.query("select current_setting('timezone'), current_setting('application_name')")),
    ).toEqual([["Europe/Paris", "a test"]]);
    client.destroy();
  });

  it("fails with a setting that Postgres rejects", async () => {
    const { answers } = await RawClient.login(database.port, "postgres", database.passwords.postgres, {
      TimeZone: "Nowhere/None",
    });
    expect(errorIn(answers)).toMatchObject({ S: "FATAL", C: "22023" });
  });

  it("refuses one client above the limit, and reserves room for postgres", async () => {
    const clients: RawClient[] = [];
    let refused: Record<string, string> | null = null;
    while (!refused && clients.length <= limits.connections) {
      const { client, answers } = await RawClient.login(
        database.port,
        "authenticator",
        database.passwords.authenticator,
      );
      refused = errorIn(answers);
      clients.push(client);
    }
    expect(refused).toMatchObject({ S: "FATAL", C: "53300" });
    const spare = await login("postgres");
    expect(rows(await spare.query("select 1"))).toEqual([["1"]]);
    for (const client of [...clients, spare]) client.destroy();
    expect(defaultLimits.connections).toBe(100);
  });
});

describe("a malformed frame", () => {
  const broken: [string, Buffer][] = [
    ["noise", Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")],
    ["an endless frame", Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff, 0x20])],
    ["a negative length", Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff])],
    ["a statement name without an end", Buffer.concat([message("B", Buffer.from("abc")), sync])],
    ["half a frame", Buffer.from([0x51, 0, 0])],
  ];
  it.each(broken)("%s disconnects that client only", async (_, bytes) => {
    const [bad, good] = [await login("postgres"), await login("postgres")];
    await bad.query("begin");
    bad.send(bytes);
    bad.socket.end();
    expect(types(await bad.until("Z"))).not.toContain("Z");
    expect(bad.closed).toBe(true);
    expect(rows(await good.query("select 'here'"))).toEqual([["here"]]);
    good.destroy();
    const stranger = await RawClient.dial(database.port);
    stranger.send(bytes);
    stranger.socket.end();
    await stranger.until("Z");
    expect(stranger.closed).toBe(true);
  });

  it("in a series without Sync disconnects that client before it fills the memory", async () => {
    const client = await login("postgres");
    const large = parse("", `select '${"x".repeat(8 * 1024 * 1024)}'`);
    for (let sent = 0; sent < 20 && !client.closed; sent += 1) {
      client.send(large);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(errorIn(await client.until("Z"))).toMatchObject({ S: "FATAL", C: "54000" });
  });
});

describe("a pipeline", () => {
  it("gets an answer to every Sync in order, errors included", async () => {
    const client = await login("postgres");
    const step = (sql: string) => [parse("", sql), bind(""), describeMessage("P", ""), execute(), sync];
    client.send(
      Buffer.concat([...step("select 1"), ...step("select 1 / (random() * 0)::int"), ...step("select 3")]),
    );
    const answers = [await client.until("Z"), await client.until("Z"), await client.until("Z")];
    expect(answers.map(types)).toEqual(["12TDCZ", "12TEZ", "12TDCZ"]);
    expect(rows(answers[2] ?? [])).toEqual([["3"]]);
    client.destroy();
  });

  it("gets an answer to every batch of one packet: errors, COPY, and re-prepared statements", async () => {
    const [client, other] = [await login("postgres"), await login("postgres")];
    await client.query("create table joined (n int)");
    client.send(
      Buffer.concat([
        message("Q", "begin"),
        parse("bad", "no SQL"),
        bind("bad"),
        sync,
        parse("good", "select 'good'"),
        sync,
        message("Q", "rollback; select 'rolled back'"),
        parse("good", "select 'good'"),
        bind("good"),
        execute(),
        sync,
        message("Q", "copy joined from stdin"),
        message("d", Buffer.from("1\n2\n")),
        message("c"),
        message("Q", "select count(*) from joined"),
      ]),
    );
    const answers = [];
    for (let batch = 0; batch < 7; batch += 1) answers.push(await client.until("Z"));
    expect(answers.map(types)).toEqual(["CZ", "EZ", "EZ", "CTDCZ", "12DCZ", "GCZ", "TDCZ"]);
    expect(rows(answers[6] ?? [])).toEqual([["2"]]);
    await other.query("discard all");
    client.send(
      Buffer.concat([message("Q", "begin"), bind("good"), execute(), sync, message("Q", "commit")]),
    );
    const again = [await client.until("Z"), await client.until("Z"), await client.until("Z")];
    expect(again.map(types)).toEqual(["CZ", "2DCZ", "CZ"]);
    client.destroy();
    other.destroy();
  });

  it("gets an answer to Flush at once, and skips to Sync after an error", async () => {
    const client = await login("postgres");
    client.send(parse("", "select 7"), describeMessage("S", ""), flush);
    expect(types(await client.until("T"))).toBe("1tT");
    client.send(bind("nothing"), flush);
    expect((await client.until("E")).at(-1)?.type).toBe("E");
    client.send(execute(), sync);
    expect(types(await client.until("Z"))).toBe("Z");
    client.destroy();
  });

  it("stays complete while another client's statements are closed", async () => {
    const [client, other] = [await login("postgres"), await login("postgres")];
    await client.query("create table piped (n int)");
    other.send(parse("kept", "select 'kept'"), sync);
    await other.until("Z");
    client.send(parse("", "insert into piped values (1)"), bind(""), execute(), flush);
    expect(types(await client.until("C"))).toBe("12C");
    client.send(parse("", "select 'mine'"), bind(""), flush);
    expect(types(await client.until("2"))).toBe("12");
    other.send(message("X"));
    await other.until("none");
    client.send(execute(), flush);
    expect(rows(await client.until("C"))).toEqual([["mine"]]);
    client.send(parse("", "no SQL"), sync);
    expect(types(await client.until("Z"))).toBe("EZ");
    expect(rows(await client.query("select count(*) from piped"))).toEqual([["0"]]);
    client.destroy();
  });

  it("runs what a client sent before it disconnected", async () => {
    const [first, second] = [await login("postgres"), await login("postgres")];
    await second.query("create table farewell (word text)");
    first.send(message("Q", "insert into farewell values ('said')"), message("X"));
    first.socket.end();
    await first.until("Z");
    expect(rows(await second.query("select * from farewell"))).toEqual([["said"]]);
    second.destroy();
  });

  it("accepts COPY data through the extended protocol, and drops what follows a failure", async () => {
    const client = await login("postgres");
    await client.query("create table taken (n int)");
    client.send(parse("", "copy taken from stdin"), bind(""), execute(), sync);
    await client.until("G");
    client.send(message("d", Buffer.from("1\n2\n")), message("c"), sync);
    expect(types(await client.until("Z"))).toBe("CZ");
    client.send(message("Q", "copy taken from stdin"));
    await client.until("G");
    client.send(message("d", Buffer.from("not a number\n")));
    await client.until("Z");
    client.send(message("d", Buffer.from("3\n")), message("c"));
    expect(rows(await client.query("select count(*) from taken"))).toEqual([["2"]]);
    const confused = await login("postgres");
    confused.send(message("Q", "copy taken from stdin"));
    await confused.until("G");
    confused.send(message("Q", "select 1"));
    expect(errorIn(await confused.until("Z"))).toMatchObject({ S: "FATAL", C: "08P01" });
    client.send(message("Q", "copy taken from stdin"), message("f", "no"));
    expect(errorIn(await client.until("Z"))?.C).toBe("57014");
    client.destroy();
  });
});
