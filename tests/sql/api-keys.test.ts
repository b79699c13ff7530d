// An API key's makers, and that its rights end with theirs.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Actor, type Claims, claimsOf } from "../support/actors.ts";
import { systemRoleIds } from "../support/permissions.ts";
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
});

afterAll(() => database.stop());

beforeEach(async () => {
  world = await makeWorld(sql);
});

const as = <Result>(actor: Actor, work: (tx: TransactionSql) => Promise<Result>) =>
  asCaller(sql, claimsOf(actor, world), work);

/** Creates a key of the team. @param who an actor, or the claims of another key */
async function newKey(who: Actor | Claims, roleId: string): Promise<Claims & { api_key_id: string }> {
  const [row] = await asCaller(
    sql,
    typeof who === "string" ? claimsOf(who, world) : who,
    (tx) => tx`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash)
               values (${world.team}, 'Key', ${roleId}, ${prefix()}, ${Buffer.alloc(32)}) returning id`,
  );
  return { role: "authenticated", api_key_id: row?.id, team_id: world.team };
}

const agents = (key: Claims) => asCaller(sql, key, (tx) => tx`select id from public.agents`);
const invite = (key: Claims) =>
  asCaller(
    sql,
    key,
    (tx) => tx`insert into public.team_users (team_id, email, role_id)
               values (${world.team}, ${`${prefix()}@matrix.test`}, ${systemRoleIds.admin})`,
  );
const permissions = async (key: Claims): Promise<string[]> => {
  const [row] = await asCaller(
    sql,
    key,
    (tx) => tx`
      select private.permissions_in(${world.team}) as held, array(
               select p.name from public.permissions p where ${world.team} = any (private.teams_with(p.name)) order by p.name) as tested`,
  );
  expect(row?.held).toEqual(row?.tested);
  return row?.held;
};
const state = async (key: Claims, reader: Actor = "owner") => {
  const [row] = await as(reader, (tx) => tx`select private.key_state(${key.api_key_id ?? null}) as state`);
  return row?.state;
};

describe("an API key loses rights with its creator", () => {
  const membership = () => sql`team_id = ${world.team} and user_id = ${world.people.admin}`;
  const ends: [string, () => Promise<unknown>][] = [
    ["removed", () => as("owner", (tx) => tx`delete from public.team_users where ${membership()}`)],
    ["left", () => as("admin", (tx) => tx`delete from public.team_users where ${membership()}`)],
    ["banned", async () => sql`update public.users set banned_at = now() where id = ${world.people.admin}`],
    ["deleted", async () => sql`delete from auth.users where id = ${world.people.admin}`],
  ];

  test.each(ends)("%s", async (_how, end) => {
    const key = await newKey("admin", systemRoleIds.admin);
    const [chat] = await asCaller(
      sql,
      key,
      (tx) => tx`insert into public.chats (agent_id) values (${world.publicAgent}) returning id`,
    );
    await end();
    expect(await agents(key)).toEqual([]);
    expect(await refusal(invite(key))).toBe("42501");
    // Nor the maker's own chats, although anybody may talk to that agent.
    const own = await asCaller(sql, key, (tx) => tx`select id from public.chats where id = ${chat?.id}`);
    expect(own).toEqual([]);
    for (const table of ["permissions", "roles", "vectors", "users"]) {
      expect(await asCaller(sql, key, (tx) => tx`select 1 from ${tx(`public.${table}`)}`), table).toEqual([]);
    }
    const [used] = await asCaller(sql, key, (tx) => tx`select private.use_api_key() as alive`);
    expect(used?.alive).toBe(false);
    expect(await state(key)).toMatchObject({ active: false });
  });

  test("demoted: the key has the permissions that both roles share", async () => {
    const key = await newKey("admin", systemRoleIds.admin);
    await as(
      "owner",
      (tx) => tx`update public.team_users set role_id = ${world.customRole} where ${membership()}`,
    );
    const [custom] = await sql`select permissions from public.roles where id = ${world.customRole}`;
    expect(await permissions(key)).toEqual(custom?.permissions.sort());
    // The custom role may invite, and assigns no more than it has.
    expect(await refusal(invite(key))).toBe("42501");
    expect((await agents(key)).length).toBe(2);
    expect(await state(key)).toMatchObject({ active: true });
  });

  test("promoted afterwards: the key still has no more than its creator", async () => {
    const key = await newKey("admin", systemRoleIds.viewer);
    await as(
      "owner",
      (tx) => tx`update public.api_keys set role_id = ${systemRoleIds.owner} where id = ${key.api_key_id}`,
    );
    expect(await permissions(key)).not.toContain("team.delete");
    expect(await permissions(key)).toContain("users.write");
  });

  test("restored with the creator", async () => {
    const key = await newKey("admin", systemRoleIds.editor);
    await sql`update public.users set banned_at = now() where id = ${world.people.admin}`;
    expect(await agents(key)).toEqual([]);
    await sql`update public.users set banned_at = null where id = ${world.people.admin}`;
    expect((await agents(key)).length).toBe(2);
  });
});

describe("an API key's creator", () => {
  test("is recorded, and shown to readers of the keys, even after leaving", async () => {
    const key = await newKey("admin", systemRoleIds.viewer);
    const admin = { id: world.people.admin, name: "admin", email: world.email("admin") };
    expect(await state(key)).toEqual({ createdBy: admin, active: true });
    await sql`delete from public.team_users where user_id = ${world.people.admin}`;
    expect(await state(key)).toEqual({ createdBy: admin, active: false });
    for (const reader of ["editor", "viewer", "outsider", "removed", "API key"] as const) {
      expect(await state(key, reader), reader).toBeFalsy();
    }
  });

  test("cannot be set by a client", async () => {
    for (const column of ["created_by", "makers", "made_at_work"]) {
      const write = as("owner", (tx) => tx`update public.api_keys set ${tx(column)} = null`);
      expect(await refusal(write), column).toBe("42501");
    }
    const insert = as(
      "admin",
      (tx) => tx`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash, created_by)
                 values (${world.team}, 'Key', ${systemRoleIds.viewer}, ${prefix()}, ${Buffer.alloc(32)}, ${world.people.owner})`,
    );
    expect(await refusal(insert)).toBe("42501");
  });

  test("is the person behind the key that created it", async () => {
    const parent = await newKey("admin", systemRoleIds.admin);
    const child = await newKey(parent, systemRoleIds.editor);
    expect(await state(child)).toMatchObject({ createdBy: { id: world.people.admin }, active: true });
    await sql`delete from public.api_keys where id = ${parent.api_key_id}`;
    expect((await agents(child)).length).toBe(2);
    await sql`delete from public.team_users where user_id = ${world.people.admin}`;
    expect(await agents(child)).toEqual([]);
  });

  test("is an acting platform admin while they are one", async () => {
    const key = await newKey("platform admin at work", systemRoleIds.editor);
    expect((await agents(key)).length).toBe(2);
    await sql`update public.users set is_admin = false where id = ${world.people["platform admin"]}`;
    expect(await agents(key)).toEqual([]);
  });

  test("is a person: the service creates no keys on its own", async () => {
    const create = asCaller(
      sql,
      { role: "service_role" },
      (tx) => tx`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash)
                 values (${world.team}, 'Key', ${systemRoleIds.viewer}, ${prefix()}, ${Buffer.alloc(32)})`,
    );
    expect(await refusal(create)).toBe("42501");
  });
});

describe("a key of release 1.0.0, without a recorded creator", () => {
  /** As after the upgrade: all who could have created it are its makers. */
  async function oldKey(makers: string[]): Promise<Claims> {
    const id = randomUUID();
    await sql`insert into public.api_keys (id, team_id, name, role_id, prefix, secret_hash, makers)
              values (${id}, ${world.team}, 'Old', ${systemRoleIds.owner}, ${prefix()}, ${Buffer.alloc(32)}, ${makers})`;
    return { role: "authenticated", api_key_id: id, team_id: world.team };
  }

  test("works while all possible creators are valid, and manages neither people nor keys", async () => {
    const key = await oldKey([world.people.owner, world.people.admin]);
    expect((await agents(key)).length).toBe(2);
    expect(await permissions(key)).toContain("agents.write");
    for (const one of ["users.write", "roles.write", "apiKeys.write", "team.delete"]) {
      expect(await permissions(key)).not.toContain(one);
    }
    expect(await state(key)).toEqual({ createdBy: null, active: true });
    await sql`delete from public.team_users where user_id = ${world.people.admin}`;
    expect(await agents(key)).toEqual([]);
    expect(await state(key)).toEqual({ createdBy: null, active: false });
  });

  test("has no rights once no possible creator is left", async () => {
    const key = await oldKey([]);
    expect(await agents(key)).toEqual([]);
    expect(await state(key)).toEqual({ createdBy: null, active: false });
  });
});
