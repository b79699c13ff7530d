// Opening a caller's transaction: in one message with its first statements, and never for another's session, key or team.
import { randomUUID } from "node:crypto";
import { connect, createServer, type Server } from "node:net";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Transaction } from "../../edge-functions/_shared/database/db.ts";
import { withinRequest } from "../../edge-functions/_shared/requests/request-context.ts";
import { addMembers, makeSmallTeams, makeUsers, type SmallTeam } from "../native/teams.ts";
import { stubSettings } from "../support/function-settings.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;
let relay: { server: Server; isHolding: boolean; pieces: number };
let db: typeof import("../../edge-functions/_shared/database/db.ts");
let team: SmallTeam;
let other: SmallTeam;
let viewer: string;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  relay = await startRelay(database.port);
  const address = new URL(database.url("authenticator"));
  const relayed = relay.server.address();
  address.port = String(typeof relayed === "object" && relayed?.port);
  stubSettings({ DATABASE_URL: address.href, DATABASE_PREPARE: "true", DATABASE_POOL_SIZE: "1" });
  db = await import("../../edge-functions/_shared/database/db.ts");
  [team, other] = (await makeSmallTeams(sql, 2)) as [SmallTeam, SmallTeam];
  [viewer] = (await makeUsers(sql, 1)) as [string];
  await addMembers(sql, [{ team: team.id, user: viewer, role: systemRoleIds.viewer }]);
  await sql`insert into public.agents (team_id, name) values (${team.id}, 'One'), (${other.id}, 'Another')`;
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  relay?.server.close();
  await database?.stop();
});

/** Forwards bytes, and counts the pieces in which they come; while it holds, the database receives none before the client's commit. */
async function startRelay(port: number) {
  const made = { server: createServer(), isHolding: false, pieces: 0 };
  made.server.on("connection", (client) => {
    const server = connect(port, "127.0.0.1");
    let held: Buffer[] = [];
    client.on("data", (bytes) => {
      made.pieces += 1;
      held.push(bytes);
      if (made.isHolding && !Buffer.concat(held).includes("commit\0")) return;
      server.write(Buffer.concat(held));
      held = [];
    });
    server.pipe(client);
    for (const [one, another] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => another.destroy());
    }
  });
  await new Promise<void>((resolve) => made.server.listen(0, "127.0.0.1", resolve));
  return made;
}

const release = () => {
  relay.isHolding = false;
};

async function newSession(user: string) {
  const session_id = randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${session_id}, ${user})`;
  return { role: "authenticated", sub: user, session_id } as const;
}

const agentsOf = (ref: { id: string } | { codename: string }, permission = "agents.read") =>
  newSession(viewer).then((claims) =>
    db.readAsCaller(
      claims,
      (tx, called) =>
        tx<
          { name: string }[]
        >`select name from public.agents where team_id = ${called} and name <> ${"Nobody"}`,
      { ...ref, permission },
    ),
  );

describe("a read in a team", () => {
  it("is one message, from begin to commit, also the first of its kind", async () => {
    await db.asService((tx) => tx`select 1`);
    relay.isHolding = true;
    expect(await agentsOf({ codename: team.codename }).finally(release)).toEqual([{ name: "One" }]);
  });

  it("is sent like a write of one statement: in one message", async () => {
    relay.isHolding = true;
    const write = (add: string) =>
      db.asService((tx) => tx`insert into public.agents (team_id, name) values (${other.id}, ${add})`);
    await write("Sent at once").finally(release);
    await expect(write("x".repeat(1000))).rejects.toMatchObject({ code: "23514" });
    const names = await sql`select name from public.agents where team_id = ${other.id} order by name`;
    expect(names.map(({ name }) => name)).toEqual(["Another", "Sent at once"]);
  });

  it("leaves in one piece, however long its statement", async () => {
    await db.asService((tx) => tx`select 1`);
    relay.pieces = 0;
    const long = "x".repeat(5000);
    const [row] = await db.readAsCaller(
      { role: "anon" },
      (tx) => tx<{ length: number }[]>`select length(${long}::text)`,
    );
    expect([row?.length, relay.pieces]).toEqual([5000, 1]);
  });

  it("compiles no plan, and nor does the service", async () => {
    const setting = "select current_setting('jit') as jit";
    const read = await db.readAsCaller({ role: "anon" }, (tx) => tx.unsafe(setting));
    const write = await db.asService((tx) => tx.unsafe(setting));
    expect([read[0]?.jit, write[0]?.jit]).toEqual(["off", "off"]);
  });

  it("accepts the team's id, too", async () => {
    expect(await agentsOf({ id: team.id })).toEqual([{ name: "One" }]);
  });

  it.each([
    ["a team of others", () => agentsOf({ codename: other.codename }), "PT404"],
    ["no team at all", () => agentsOf({ id: randomUUID() }), "PT404"],
    ["a permission that the role lacks", () => agentsOf({ id: team.id }, "agents.write"), "42501"],
  ])("is refused for %s", async (_what, read, code) => {
    await expect(read()).rejects.toMatchObject({ code });
  });

  it("sends nothing after its end", async () => {
    const read = db.readAsCaller({ role: "anon" }, async (tx) => {
      await tx`select 1`;
      await tx`select 2`;
    });
    await expect(read).rejects.toThrow("after the end of its transaction");
  });
});

describe("an ended session", () => {
  it("gets no answer, and the statements sent with its opening change nothing", async () => {
    const claims = await newSession(team.owners[0]);
    await sql`delete from auth.sessions where id = ${claims.session_id}`;
    const add = () =>
      db.asCaller(claims, (tx) => tx`insert into public.agents (team_id, name) values (${team.id}, 'Late')`);
    await expect(add()).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
    expect(await sql`select 1 from public.agents where name = 'Late'`).toHaveLength(0);
  });
});

describe("concurrent statements", () => {
  it("fail with the first failure's reason", async () => {
    const work = db.asService(async (tx) => {
      // Each function in between delays its rejection past the second's.
      const one = async () => await tx`select 1 / 0`;
      const two = async () => await one();
      const three = async () => await two();
      await Promise.all([three(), tx`select 'second'`]);
    });
    await expect(work).rejects.toMatchObject({ code: "22012" });
  });

  it("run as the service together with its writes", async () => {
    const written = db.asCallerThenService(
      { role: "anon" },
      async (tx) => (await tx<{ role: string }[]>`select current_setting('role') as role`)[0]?.role,
      async (tx, before) => [before, (await tx`select current_setting('role') as role`)[0]?.role],
    );
    expect(await written).toEqual(["anon", "service_role"]);
  });

  it("cost no trip where the service has nothing to write", async () => {
    const done = db.asCallerThenService(
      { role: "anon" },
      async (tx) => {
        await tx`select 1`;
        relay.isHolding = true;
      },
      async () => "done",
    );
    expect(await done.finally(release)).toBe("done");
  });
});

describe("a statement of the caller and one of the service", () => {
  const role = (tx: Transaction) => tx<{ role: string }[]>`select current_setting('role') as role`;
  const fail = (tx: Transaction) => tx<{ role: string }[]>`select (1 / ${0})::text as role`;
  const add = (name: string) => (tx: Transaction) =>
    tx<{ name: string }[]>`
    insert into public.agents (team_id, name) values (${other.id}, ${name}) returning name`;
  const isThere = async (name: string) =>
    (await sql`select 1 from public.agents where name = ${name}`).length > 0;

  it("are one message, each in its own role", async () => {
    await db.asService((tx) => tx`select 1`);
    relay.isHolding = true;
    const both = db.askThenServe({ role: "anon" }, { ask: role, serve: role });
    expect(await both.finally(release)).toEqual([{ role: "anon" }, { role: "service_role" }]);
  });

  it("admit and count a search in one message, which counts nothing for a knowledge base out of sight", async () => {
    const { beginSearch } = await import("../../edge-functions/v1/knowledges/searching.ts");
    const claims = await newSession(viewer);
    const caller = { kind: "user", id: viewer, claims, token: "" } as const;
    const asked = { id: team.id, permission: "knowledges.read" };
    const knowledges = await sql<{ id: string }[]>`
      insert into public.knowledges (team_id, name) values (${team.id}, 'Seen'), (${other.id}, 'Unseen') returning id`;
    const [seen = "", unseen = ""] = knowledges.map(({ id }) => id);
    const searches = async () =>
      (
        await sql<
          { hits: number }[]
        >`select hits from private.rate_limits where key like ${`search:%${viewer}`}`
      )[0]?.hits;
    relay.isHolding = true;
    expect(await beginSearch(caller, seen, asked).finally(release)).toMatchObject({
      teamId: team.id,
      spaces: [],
      stored: { connections: [] },
    });
    await expect(beginSearch(caller, unseen, asked)).rejects.toMatchObject({ code: "PT404" });
    expect(await searches()).toBe(1);
  });

  it("fail together, with the reason of the first", async () => {
    const late = db.askThenServe({ role: "anon" }, { ask: fail, serve: add("Behind a refusal") });
    await expect(late).rejects.toMatchObject({ code: "22012" });
    const first = db.askThenServe({ role: "service_role" }, { ask: add("Before one"), serve: fail });
    await expect(first).rejects.toMatchObject({ code: "22012" });
    expect([await isThere("Behind a refusal"), await isThere("Before one")]).toEqual([false, false]);
  });

  it("wait for the caller's further checks, and for what the service keeps", async () => {
    const said: unknown[] = [];
    const kept = db.askThenServe(
      { role: "anon" },
      {
        ask: role,
        serve: add("Checked"),
        check: async (tx, asked) => void said.push(asked?.role, (await role(tx))[0]?.role),
        keep: async (tx, asked, served) =>
          void said.push(asked?.role, served?.name, (await role(tx))[0]?.role),
      },
    );
    await kept;
    expect(said).toEqual(["anon", "anon", "anon", "Checked", "service_role"]);
    const check = async () => {
      throw new Error("no");
    };
    const unwanted = db.askThenServe({ role: "anon" }, { ask: role, serve: add("Unchecked"), check });
    await expect(unwanted).rejects.toThrow("no");
    expect([await isThere("Checked"), await isThere("Unchecked")]).toEqual([true, false]);
  });
});

describe("a statement prepared before its table changed", () => {
  const read = (tx: Transaction) => tx`select * from public.changing where one = ${1}`;
  let columns = 1;

  beforeAll(async () => {
    await sql`create table public.changing (one int)`;
    await sql`grant select on public.changing to service_role`;
    await sql`insert into public.changing values (1)`;
  });

  async function change(): Promise<void> {
    await db.asService(read);
    columns += 1;
    await sql.unsafe(`alter table public.changing add column c${columns} int`);
  }

  it("is prepared again", async () => {
    await change();
    expect(Object.keys((await db.asService(read))[0] ?? {})).toHaveLength(columns);
  });

  it("leaves the statements beside it, and the next transaction, their own answers", async () => {
    await change();
    const both = db.asService((tx) =>
      Promise.all([read(tx), tx`select ${"beside"} as word`, tx`select 3 as three`]),
    );
    const next = db.asService((tx) => tx`select ${"next"} as word`);
    expect(await both).toMatchObject([[{ one: 1 }], [{ word: "beside" }], [{ three: 3 }]]);
    expect(await next).toEqual([{ word: "next" }]);
  });
});

describe("a value whose type only its statement determines", () => {
  const values: [type: string, value: unknown][] = [
    ["text[]", ['a "quoted" one', "back\\slash", "", "null", "{comma,}", "é\n"]],
    ["uuid[]", []],
    ["int[]", [1, -2]],
    [
      "int[]",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["bool", false],
    ["jsonb", { list: ["a", 1], none: null }],
    ["float8", 0.5],
    ["text", null],
  ];
  it.each(values)("%s arrives unchanged", async (type, value) => {
    // Prepared after the first time, when the package knows the type.
    for (const _time of ["first", "second"]) {
      const [row] = await db.asService((tx) => tx`select ${value as never}::${tx.unsafe(type)} as value`);
      expect(row?.value).toEqual(value);
    }
  });
});

describe("a time zone that Postgres does not know", () => {
  it("is replaced by its offset in a second attempt, which a caller does not notice", async () => {
    const { zoneForPostgres } = await import("../../edge-functions/_shared/database/new-zones.ts");
    // Stands for a zone that is younger than the time zone data of this Postgres.
    const refuse = `do $$ begin raise exception 'time zone "Asia/Kathmandu" not recognized' using errcode = '22023'; end $$`;
    let attempts = 0;
    const [row] = await db.asService(async (tx) => {
      attempts += 1;
      const zone = zoneForPostgres("Asia/Kathmandu");
      if (zone === "Asia/Kathmandu") await tx.unsafe(refuse);
      return tx`select ('2026-03-01 00:00Z'::timestamptz at time zone ${zone})::text as clock`;
    });
    expect(row?.clock).toBe("2026-03-01 05:45:00");
    expect(attempts).toBe(2);
  });
});

describe("a request with an Idempotency-Key", () => {
  /** Claims a key for a request; a second claim of it takes it over. */
  async function claimKey(key: string): Promise<string> {
    const [row] = await sql<{ claim: string }[]>`
      insert into private.idempotency_keys as k (caller, route, key, body_hash) values ('c', 'r', ${key}, 'h')
      on conflict (caller, route, key) do update set claim = gen_random_uuid() returning claim`;
    return row?.claim ?? "";
  }
  const tookEffect = async (key: string) =>
    (await sql`select took_effect from private.idempotency_keys where key = ${key}`)[0]?.took_effect;
  const rename = (name: string) => (tx: Transaction) =>
    tx`update public.teams set name = ${name} where id = ${team.id}`;

  it("notes that it takes effect with its first change, in the same message", async () => {
    const claims = await newSession(team.owners[0]);
    const key = randomUUID();
    await withinRequest({ requestId: "r", claim: await claimKey(key) }, async () => {
      await db.readAsCaller(claims, (tx) => tx`select 1`);
      expect(await tookEffect(key)).toBe(false);
      await expect(
        db.asCaller(claims, async (tx) => {
          await rename("Undone")(tx);
          throw new Error("refused");
        }),
      ).rejects.toThrow("refused");
      expect(await tookEffect(key)).toBe(false);
      const before = relay.pieces;
      await db.asCaller(claims, rename("Renamed"));
      expect(relay.pieces - before).toBe(1);
      expect(await tookEffect(key)).toBe(true);
    });
  });

  it("changes nothing once another request has its key", async () => {
    const claims = await newSession(team.owners[0]);
    const key = randomUUID();
    const claim = await claimKey(key);
    await claimKey(key);
    const work = [
      () => db.asCaller(claims, rename("Twice")),
      () => db.asCallerIn({ id: team.id, permission: "team.update" }, claims, rename("Twice")),
      () => db.asCallerThenService(claims, rename("Twice"), async () => {}),
      () => db.askThenServe(claims, { ask: rename("Twice"), serve: rename("Twice") }),
      () => db.asService(async (tx) => [await db.noteEffect(tx), await rename("Twice")(tx)]),
    ];
    for (const change of work) {
      await withinRequest({ requestId: "r", claim }, () =>
        expect(change()).rejects.toMatchObject({ code: "PT409" }),
      );
    }
    expect((await sql`select name from public.teams where id = ${team.id}`)[0]?.name).not.toBe("Twice");
    expect(await tookEffect(key)).toBe(false);
  });
});
