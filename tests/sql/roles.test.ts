// Roles: the seeded ones match the permission table, a team's own stay within their author's rights, nobody promotes themselves.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Actor, actors, claimsOf } from "../support/actors.ts";
import { permissions, rolePermissions, systemRoleIds, systemRoles } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";
import { prefix } from "./prefix.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 2 });
  world = await makeWorld(sql);
});

afterAll(() => database.stop());

const as = <Result>(actor: Actor, work: (tx: TransactionSql) => Promise<Result>) =>
  asCaller(sql, claimsOf(actor, world), work);

describe("the permission table", () => {
  test("has every permission", async () => {
    const rows = await sql<{ name: string }[]>`select name from public.permissions`;
    expect(rows.map((row) => row.name).sort()).toEqual([...permissions].sort());
  });

  test.each(systemRoles)("lists what the %s may do", async (role) => {
    const [row] = await sql<{ permissions: string[]; codename: string; team_id: string | null }[]>`
      select permissions, codename, team_id from public.roles where id = ${systemRoleIds[role]}`;
    expect(row?.codename).toBe(role);
    expect(row?.team_id).toBeNull();
    expect(row?.permissions.sort()).toEqual([...rolePermissions[role]].sort());
  });

  test("matches teams_with() for each member", async () => {
    for (const role of systemRoles) {
      const held = await as(
        role,
        (tx) => tx<{ name: string }[]>`
          select p.name from unnest(${[...permissions]}::text[]) p (name)
           where ${world.team} = any ((select private.teams_with(p.name))::uuid[])`,
      );
      expect(held.map((row) => row.name).sort()).toEqual([...rolePermissions[role]].sort());
    }
  });
});

describe("the permissions that a caller may grant", () => {
  test.each(actors)("are those of teams_with() for the %s", async (actor) => {
    for (const team of [world.team, world.otherTeam, randomUUID()]) {
      const compare = as(
        actor,
        (tx) => tx`
          select private.permissions_in(${team}) as held, array(
                   select p.name from unnest(${[...permissions]}::text[]) p (name)
                    where ${team} = any (private.teams_with(p.name)) order by p.name) as tested`,
      );
      if (claimsOf(actor, world).role === "anon") {
        expect(await refusal(compare)).toBe("42501");
        continue;
      }
      const [row] = await compare;
      expect(row?.held).toEqual(row?.tested);
    }
  });
});

describe("system roles", () => {
  const writers: Actor[] = ["owner", "admin", "platform admin at work"];
  test.each(writers)("cannot be changed by the %s", async (actor) => {
    const before = await sql`select * from public.roles where team_id is null order by id`;
    await as(actor, (tx) => tx`update public.roles set permissions = '{}' where team_id is null`);
    await as(actor, (tx) => tx`delete from public.roles where team_id is null`);
    expect(await sql`select * from public.roles where team_id is null order by id`).toEqual(before);
  });

  test("do not share their codenames with a team's roles", async () => {
    const add = as(
      "owner",
      (tx) =>
        tx`insert into public.roles (team_id, name, codename, permissions) values (${world.team}, 'Mine', 'owner', '{}')`,
    );
    expect(await refusal(add)).toBe("23505");
    const rename = as(
      "owner",
      (tx) => tx`update public.roles set codename = 'admin' where id = ${world.spareRole}`,
    );
    expect(await refusal(rename)).toBe("23505");
  });
});

describe("a team's own roles", () => {
  test("have known permissions only", async () => {
    const add = as(
      "owner",
      (tx) =>
        tx`insert into public.roles (team_id, name, codename, permissions)
           values (${world.team}, 'New', ${prefix()}, '{agents.read,everything}')`,
    );
    expect(await refusal(add)).toBe("23514");
  });

  test("never have what their author lacks, one permission at a time", async () => {
    for (const permission of permissions) {
      const add = as(
        "admin",
        (tx) =>
          tx`insert into public.roles (team_id, name, codename, permissions)
             values (${world.team}, 'New', ${`r-${prefix()}`}, ${[permission]})`,
      );
      const expected = rolePermissions.admin.includes(permission) ? undefined : "42501";
      expect([permission, await refusal(add)]).toEqual([permission, expected]);
    }
  });

  test("are not deleted while assigned", async () => {
    const remove = as("owner", (tx) => tx`delete from public.roles where id = ${world.customRole}`);
    expect(await refusal(remove)).toBe("23503");
  });

  test("cannot be used in another team", async () => {
    const invite = as(
      "owner",
      (tx) =>
        tx`insert into public.team_users (team_id, email, role_id)
           values (${world.team}, ${`${prefix()}@matrix.test`}, ${world.otherRole})`,
    );
    expect(await refusal(invite)).toBe("23503");
    // The service, too, past row-level security.
    const give = sql`update public.team_users set role_id = ${world.otherRole} where user_id = ${world.people.viewer}`;
    expect(await refusal(give)).toBe("23503");
    const key = sql`update public.api_keys set role_id = ${world.otherRole} where id = ${world.apiKey}`;
    expect(await refusal(key)).toBe("23503");
  });

  test("change their holders' rights at once", async () => {
    const agents = () => as("custom role", (tx) => tx`select id from public.agents`);
    const setPermissions = (list: string) =>
      sql`update public.roles set permissions = ${list}::text[] where id = ${world.customRole} returning permissions`;
    const [before] = await sql`select permissions from public.roles where id = ${world.customRole}`;
    expect((await agents()).length).toBe(2);
    await setPermissions("{team.read}");
    expect(await agents()).toEqual([]);
    await sql`update public.roles set permissions = ${before?.permissions} where id = ${world.customRole}`;
  });
});

describe("nobody promotes themselves", () => {
  const ownerRole = systemRoleIds.owner;
  const own = (actor: Actor) => claimsOf(actor, world).sub ?? "";
  const invitation = (role: string) => (tx: TransactionSql) =>
    tx`insert into public.team_users (team_id, email, role_id)
       values (${world.team}, ${`${prefix()}@matrix.test`}, ${role})`;

  /** Every way to more permissions; each leaves the rows unchanged. */
  const attempts: [string, Actor, (tx: TransactionSql) => PromiseLike<unknown>][] = [
    [
      "by their own row",
      "admin",
      (tx) => tx`update public.team_users set role_id = ${ownerRole} where user_id = ${own("admin")}`,
    ],
    [
      "by their own row",
      "editor",
      (tx) => tx`update public.team_users set role_id = ${ownerRole} where user_id = ${own("editor")}`,
    ],
    [
      "by their own row",
      "viewer",
      (tx) =>
        tx`update public.team_users set role_id = ${systemRoleIds.editor} where user_id = ${own("viewer")}`,
    ],
    [
      "by their own row",
      "custom role",
      (tx) =>
        tx`update public.team_users set role_id = ${systemRoleIds.viewer} where user_id = ${own("custom role")}`,
    ],
    [
      "by a role that holds more",
      "admin",
      (tx) => tx`update public.team_users set role_id = ${world.strongRole} where user_id = ${own("admin")}`,
    ],
    [
      "by the role that they have",
      "custom role",
      (tx) => tx`update public.roles set permissions = ${[...permissions]} where id = ${world.customRole}`,
    ],
    [
      "by answering their invitation",
      "invited",
      (tx) =>
        tx`update public.team_users set status = 'accepted', role_id = ${ownerRole} where user_id = ${own("invited")}`,
    ],
    [
      "by answering after all",
      "rejected",
      (tx) => tx`update public.team_users set status = 'accepted' where user_id = ${own("rejected")}`,
    ],
    ["by inviting themselves anew", "admin", invitation(systemRoleIds.owner)],
    ["by an invitation with a role that holds more", "custom role", invitation(systemRoleIds.viewer)],
    [
      "by an API key",
      "admin",
      (tx) =>
        tx`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash) values (${world.team}, 'Key', ${ownerRole}, ${prefix()}, ${Buffer.alloc(32)})`,
    ],
    [
      "by the role of an API key",
      "admin",
      (tx) => tx`update public.api_keys set role_id = ${ownerRole} where id = ${world.apiKey}`,
    ],
    [
      "by its own row",
      "API key",
      (tx) => tx`update public.api_keys set role_id = ${systemRoleIds.admin} where id = ${world.apiKey}`,
    ],
    [
      "by taking another's row",
      "admin",
      (tx) => tx`update public.team_users set user_id = ${own("admin")} where user_id = ${own("owner")}`,
    ],
    [
      "by the flag",
      "platform admin",
      (tx) => tx`update public.users set is_admin = true where id = ${own("platform admin")}`,
    ],
    ["by the flag", "owner", (tx) => tx`update public.users set is_admin = true where id = ${own("owner")}`],
    [
      "by lifting the ban",
      "banned",
      (tx) => tx`update public.users set banned_at = null where id = ${own("banned")}`,
    ],
    [
      "by demoting the owner",
      "admin",
      (tx) =>
        tx`update public.team_users set role_id = ${systemRoleIds.viewer} where user_id = ${own("owner")}`,
    ],
    [
      "by removing the owner",
      "admin",
      (tx) => tx`delete from public.team_users where user_id = ${own("owner")}`,
    ],
  ];

  const powers = async () => [
    ...(await sql`select * from public.team_users where team_id = ${world.team} order by id`),
    ...(await sql`select * from public.api_keys where team_id = ${world.team} order by id`),
    ...(await sql`select * from public.roles where team_id = ${world.team} order by id`),
    ...(await sql`select id, is_admin, banned_at from public.users order by id`),
  ];

  test.each(attempts)("%s (%s)", async (_how, actor, work) => {
    const before = await powers();
    await refusal(as(actor, async (tx) => await work(tx)));
    expect(await powers()).toEqual(before);
  });

  test("claims that name no role do not help", async () => {
    const before = await powers();
    const promote = sql.begin(async (tx) => {
      const claims = JSON.stringify({ sub: own("admin") });
      await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
      await tx`update public.team_users set role_id = ${ownerRole} where user_id = ${own("admin")}`;
    });
    expect(await refusal(promote)).toBe("42501");
    expect(await powers()).toEqual(before);
  });

  test("what may be granted can be", async () => {
    await as(
      "owner",
      (tx) => tx`update public.team_users set role_id = ${ownerRole} where user_id = ${own("editor")}`,
    );
    const [row] = await sql`select role_id from public.team_users where user_id = ${own("editor")}`;
    expect(row?.role_id).toBe(ownerRole);
    await sql`update public.team_users set role_id = ${systemRoleIds.editor} where user_id = ${own("editor")}`;
  });
});
