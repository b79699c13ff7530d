// The foundation of all other files: ids, slugs, claims, sign-up, rate limits.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import fc from "../support/property-cases.ts";
import { asCaller, refusal } from "./acting.ts";
import { prefix } from "./prefix.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 4 });
});

afterAll(() => database.stop());

describe("private.uuid_v7()", () => {
  const make = async (count: number) =>
    (await sql<{ id: string }[]>`select private.uuid_v7()::text as id from generate_series(1, ${count})`).map(
      (row) => row.id,
    );

  test("has the version, the variant and the time of RFC 9562", async () => {
    const before = Date.now();
    const [id = ""] = await make(1);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const milliseconds = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
    expect(Math.abs(milliseconds - before)).toBeLessThan(5000);
  });

  test("returns ids that sort by creation, many in a millisecond", async () => {
    const ids = await make(20_000);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
  });

  test("continues when its counter wraps around", async () => {
    await sql`select setval('private.uuid_counter', 67108862)`;
    const ids = await make(4);
    expect(ids.every((id) => /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(4);
  });
});

describe("private.slug()", () => {
  const slug = async (name: string) => (await sql`select private.slug(${name}) as slug`)[0]?.slug;

  test.each([
    ["Équipe Démo & Co", "equipe-demo-co"],
    ["Česká škola", "ceska-skola"],
    ["  --A  b__c--  ", "a-b-c"],
    ["日本", ""],
    ["", ""],
    [`${"a".repeat(49)} b`, "a".repeat(49)],
  ])("%j is %j", async (name, expected) => {
    expect(await slug(name)).toBe(expected);
  });

  test("is empty or a codename, whatever the name", async () => {
    const names = fc.string({ unit: "binary", maxLength: 120 }).map((name) => name.replaceAll("\0", ""));
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        expect(await slug(name)).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?)?$/);
      }),
      { numRuns: 150 },
    );
  });
});

describe("claims", () => {
  const readClaim = async (claims: string, name: string) => {
    const rows = await sql.begin(async (tx) => {
      await tx`select set_config('request.jwt.claims', ${claims}, true)`;
      return await tx<{ id: string | null }[]>`select private.claim_id(${name}) as id`;
    });
    return rows[0]?.id;
  };

  test.each([
    "",
    "{}",
    '{"sub":null}',
    '{"sub":"no uuid"}',
    '{"sub":{"a":1}}',
    '{"sub":["x"]}',
    '{"sub":1}',
    '{"sub":"01a20985d31670aabd271bf6f150a3220000"}',
    '{"sub":"01a20985-d316-70aa-bd27-1bf6f150a32g"}',
    '{"sub":"-01a2098-d316-70aa-bd27-1bf6f150a322"}',
    '{"sub":"01a20985-d316-70aa-bd27-1bf6f150a322\\n"}',
  ])("%j identifies nobody", async (claims) => {
    expect(await readClaim(claims, "sub")).toBeNull();
  });

  test("a uuid identifies a caller", async () => {
    const id = randomUUID();
    expect(await readClaim(JSON.stringify({ sub: id.toUpperCase() }), "sub")).toBe(id);
  });
});

describe("sign-up", () => {
  const signUp = async (metadata: string | null, email = `${prefix()}@Sign-Up.test`) => {
    const id = randomUUID();
    await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${email}, ${metadata}::text::jsonb)`;
    const [user] = await sql`select name, email, locale, is_admin from public.users where id = ${id}`;
    return user;
  };

  test.each<[string | null, string, string]>([
    ['{"name":"Ann","locale":"fr"}', "Ann", "fr"],
    [JSON.stringify('{"name":"Ann","locale":"fr"}'), "Ann", "fr"],
    ['{"name":"  ","locale":"xx"}', "someone", "en"],
    [null, "someone", "en"],
    ['"no json"', "someone", "en"],
    ["[1,2]", "someone", "en"],
    ["3", "someone", "en"],
    ['{"name":{"a":1},"is_admin":true}', '{"a": 1}', "en"],
    [JSON.stringify({ name: "n".repeat(300) }), "n".repeat(200), "en"],
  ])("%s", async (metadata, name, locale) => {
    const user = await signUp(metadata, `someone@${prefix()}.test`);
    expect(user).toMatchObject({ name, locale, is_admin: false });
  });

  test("is found by its id, as text or as an object, and by no other", async () => {
    const find = async (email: string, id: string) => {
      const [row] = await sql`select private.account_of_sign_up(${email}, ${id}) is not null as is_there`;
      return row?.is_there;
    };
    for (const metadata of ['{"sign_up_id":"one"}', JSON.stringify('{"sign_up_id":"one"}')]) {
      const email = `${prefix()}@sign-up.test`;
      await signUp(metadata, email);
      expect([await find(email, "one"), await find(email, "two")]).toEqual([true, false]);
      expect(await find(`${prefix()}@sign-up.test`, "one")).toBe(false);
    }
  });

  test("follows a changed email", async () => {
    const user = await signUp("{}");
    const email = `${prefix()}@changed.test`;
    await sql`update auth.users set email = ${email} where email = ${user?.email}`;
    expect((await sql`select 1 from public.users where email = ${email}`).length).toBe(1);
  });
});

describe("public.create_team()", () => {
  const newUser = async () => {
    const id = randomUUID();
    await sql`insert into auth.users (id, email) values (${id}, ${`${id}@teams.test`})`;
    return { role: "authenticated", sub: id } as const;
  };
  const create = async (name: string, codename?: string) =>
    asCaller(sql, await newUser(), async (tx) => {
      const [team] = codename
        ? await tx`select * from public.create_team(${name}, ${codename})`
        : await tx`select * from public.create_team(${name})`;
      const members = await tx`select role_id, status from public.team_users`;
      return { team, members };
    });

  test("makes the caller its owner", async () => {
    const { team, members } = await create("Équipe Une");
    expect(team).toMatchObject({ name: "Équipe Une", codename: "equipe-une" });
    expect(members).toEqual([{ role_id: "00000000-0000-7000-8000-000000000001", status: "accepted" }]);
  });

  test("derives a codename for a second team of the same name, and for a name without letters", async () => {
    await create("Same name");
    const { team } = await create("Same name");
    expect(team?.codename).toMatch(/^same-name-[0-9a-f]{6}$/);
    expect((await create("日本")).team?.codename).toMatch(/^team/);
  });

  test("rejects a taken or invalid codename, and callers who are no users", async () => {
    await create("Taken", "taken");
    expect(await refusal(create("Other", "taken"))).toBe("23505");
    expect(await refusal(create("Other", "No codename"))).toBe("23514");
    const nobody = asCaller(
      sql,
      { role: "authenticated", sub: randomUUID() },
      (tx) => tx`select public.create_team('x')`,
    );
    expect(await refusal(nobody)).toBe("42501");
    const visitor = asCaller(sql, { role: "anon" }, (tx) => tx`select public.create_team('x')`);
    expect(await refusal(visitor)).toBe("42501");
  });

  test("creates 30 teams of one person an hour, and as many of another", async () => {
    const person = await newUser();
    // The next window too: this may run into it.
    await sql`insert into private.rate_limits (key, window_start, hits)
              select ${`team:by:${person.sub}`}, date_trunc('hour', now()) + make_interval(hours => n), 29
                from generate_series(0, 1) n`;
    const another = (as: typeof person) => asCaller(sql, as, (tx) => tx`select public.create_team('Many')`);
    await another(person);
    expect(await refusal(another(person))).toBe("PT429");
    await another(await newUser());
  });

  test("creates as many teams of one person a day as the operator allows, deleted ones included", async () => {
    await sql`update private.operator_limits set teams_per_day = 2`;
    try {
      const person = await newUser();
      // The next day too: this may run into it.
      await sql`insert into private.rate_limits (key, window_start, hits)
                select ${`team:day:${person.sub}`}, date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + make_interval(days => n), 1
                  from generate_series(0, 1) n`;
      const create = () => asCaller(sql, person, (tx) => tx`select (public.create_team('Daily')).id`);
      const [made] = await create();
      await asCaller(sql, person, (tx) => tx`delete from public.teams where id = ${made?.id}`);
      expect(await refusal(create())).toBe("PT429");
    } finally {
      await sql`update private.operator_limits set teams_per_day = null`;
    }
  });
});

describe("private.take_hit()", () => {
  const take = (key: string, max: number, seconds = 3600) =>
    asCaller(sql, { role: "service_role" }, async (tx) => {
      const [row] = await tx`select private.take_hit(${key}, ${max}, ${seconds}) as wait`;
      return row?.wait;
    });

  test("admits the maximum, then returns the seconds to wait", async () => {
    const key = prefix();
    expect([await take(key, 2), await take(key, 2)]).toEqual([0, 0]);
    const wait = await take(key, 2);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(3600);
    expect(await take(prefix(), 2)).toBe(0);
  });

  test("starts again with the next window", async () => {
    const key = prefix();
    await take(key, 1);
    expect(await take(key, 1)).toBeGreaterThan(0);
    await sql`update private.rate_limits set window_start = window_start - interval '1 hour' where key = ${key}`;
    expect(await take(key, 1)).toBe(0);
  });

  test("counts each of many concurrent hits", async () => {
    const key = prefix();
    const waits = await Promise.all(Array.from({ length: 12 }, () => take(key, 5)));
    expect(waits.filter((wait) => wait === 0).length).toBe(5);
  });

  test("takes many keys in one call, and names the full ones", async () => {
    const [full, roomy] = [prefix(), prefix()];
    const takeAll = () =>
      asCaller(
        sql,
        { role: "service_role" },
        (tx) => tx`select key, seconds from private.take_hits(${[roomy, full]}, ${[5, 1]}, ${[60, 3600]})`,
      );
    expect(await takeAll()).toEqual([]);
    expect(await takeAll()).toEqual([{ key: full, seconds: expect.any(Number) }]);
  });

  test("is service only", async () => {
    const call = asCaller(sql, { role: "anon" }, (tx) => tx`select private.take_hit('x', 1, 1)`);
    expect(await refusal(call)).toBe("42501");
  });
});
