// Membership: invitations, the last owner, the end of access, and isolation between teams.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Actor, actors, claimsOf, holding } from "../support/actors.ts";
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
  sql = database.connect("postgres", { max: 4 });
});

afterAll(() => database.stop());

beforeEach(async () => {
  world = await makeWorld(sql);
});

const as = <Result>(actor: Actor, work: (tx: TransactionSql) => Promise<Result>) =>
  asCaller(sql, claimsOf(actor, world), work);

async function signUp(email: string): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email, email_confirmed_at) values (${id}, ${email}, now())`;
  return id;
}

describe("the last owner", () => {
  const owners = () =>
    sql`select user_id from public.team_users
         where team_id = ${world.team} and role_id = ${systemRoleIds.owner} and status = 'accepted'`;

  /** Leaves the team with its two owners. */
  const leaveTwoOwners = () =>
    sql`delete from public.team_users where team_id = ${world.team} and user_id = ${world.people.banned}`;

  test("cannot leave, be demoted or be removed", async () => {
    await leaveTwoOwners();
    await sql`delete from public.team_users where user_id = ${world.secondOwner}`;
    const own = world.people.owner;
    const leave = as("owner", (tx) => tx`delete from public.team_users where user_id = ${own}`);
    expect(await refusal(leave)).toBe("PT409");
    const demote = as(
      "owner",
      (tx) => tx`update public.team_users set role_id = ${systemRoleIds.admin} where user_id = ${own}`,
    );
    expect(await refusal(demote)).toBe("PT409");
    const remove = as(
      "platform admin at work",
      (tx) => tx`delete from public.team_users where user_id = ${own}`,
    );
    expect(await refusal(remove)).toBe("PT409");
    expect(await refusal(sql`delete from auth.users where id = ${own}`)).toBe("PT409");
    expect((await owners()).length).toBe(1);
  });

  test("stays when one statement removes all owners", async () => {
    const all = sql`delete from public.team_users where team_id = ${world.team}`;
    expect(await refusal(all)).toBe("PT409");
    expect((await owners()).length).toBe(3);
  });

  test("stays when two leave at once, each on a connection of their own", async () => {
    await leaveTwoOwners();
    const second = { role: "authenticated", sub: world.secondOwner } as const;
    const leave = (claims: typeof second, connection: Sql) =>
      refusal(
        asCaller(connection, claims, (tx) => tx`delete from public.team_users where user_id = ${claims.sub}`),
      );
    const connections = [
      database.connect("postgres", { max: 1 }),
      database.connect("postgres", { max: 1 }),
    ] as const;
    const codes = await Promise.all([
      leave({ role: "authenticated", sub: world.people.owner }, connections[0]),
      leave(second, connections[1]),
    ]);
    expect(codes.sort()).toEqual(["PT409", undefined]);
    expect((await owners()).length).toBe(1);
  });

  test("does not prevent the team's deletion", async () => {
    await as("owner", (tx) => tx`delete from public.teams where id = ${world.team}`);
    const left = await sql`select 1 from public.team_users where team_id = ${world.team}`;
    expect(left.length).toBe(0);
    expect((await sql`select 1 from public.roles where team_id = ${world.team}`).length).toBe(0);
  });
});

describe("an invitation", () => {
  const invite = (email: string) =>
    as(
      "admin",
      (tx) =>
        tx`insert into public.team_users (team_id, email, role_id)
           values (${world.team}, ${email}, ${systemRoleIds.viewer}) returning *`,
    );
  const answer = (userId: string, status: string) =>
    asCaller(
      sql,
      { role: "authenticated", sub: userId },
      (tx) => tx`update public.team_users set status = ${status}
                  where coalesce(user_id, ${userId}) = ${userId} returning status`,
    );

  test("waits for a person without an account, and is theirs once they sign up", async () => {
    const email = `${prefix()}@matrix.test`;
    const [row] = await invite(email);
    expect(row).toMatchObject({ user_id: null, status: "pending", invited_by: world.people.admin });
    const userId = await signUp(email.toUpperCase());
    const seen = await asCaller(
      sql,
      { role: "authenticated", sub: userId },
      (tx) => tx`select id from public.team_users`,
    );
    expect(seen.map((one) => one.id)).toEqual([row?.id]);
    expect((await answer(userId, "accepted")).map((one) => one.status)).toEqual(["accepted"]);
    const agents = await asCaller(
      sql,
      { role: "authenticated", sub: userId },
      (tx) => tx`select id from public.agents`,
    );
    expect(agents.length).toBe(2);
  });

  test("names an account once it is accepted, and not before", async () => {
    const email = `${prefix()}@matrix.test`;
    const userId = await signUp(email);
    const [row] = await invite(email);
    expect(row?.user_id).toBeNull();
    await answer(userId, "accepted");
    const [accepted] = await sql`select user_id from public.team_users where id = ${row?.id}`;
    expect(accepted?.user_id).toBe(userId);
  });

  test("belongs to nobody until the mailbox has confirmed the address", async () => {
    const email = `${prefix()}@matrix.test`;
    const userId = await signUp(email);
    await sql`update auth.users set email_confirmed_at = null where id = ${userId}`;
    const [row] = await invite(email);
    const claims = { role: "authenticated", sub: userId } as const;
    expect(await asCaller(sql, claims, (tx) => tx`select id from public.team_users`)).toEqual([]);
    expect(await asCaller(sql, claims, (tx) => tx`select * from private.my_invitations()`)).toEqual([]);
    expect(await answer(userId, "accepted")).toEqual([]);
    await sql`update auth.users set email_confirmed_at = now() where id = ${userId}`;
    expect((await answer(userId, "accepted")).length).toBe(1);
    expect((await sql`select user_id from public.team_users where id = ${row?.id}`)[0]?.user_id).toBe(userId);
  });

  test("is sent to one address five times an hour, counted over all teams and APIs", async () => {
    const email = `${prefix()}@matrix.test`;
    const remove = () => as("admin", (tx) => tx`delete from public.team_users where email = ${email}`);
    for (let count = 0; count < 4; count++) {
      await invite(email);
      await remove();
    }
    await invite(email);
    const again = () =>
      as("admin", (tx) => tx`update public.team_users set status = 'pending' where email = ${email}`);
    expect(await refusal(again())).toBe("PT429");
    const elsewhere = as(
      "outsider",
      (tx) => tx`insert into public.team_users (team_id, email, role_id)
                 values (${world.otherTeam}, ${email}, ${systemRoleIds.viewer})`,
    );
    expect(await refusal(elsewhere)).toBe("PT429");
    // A changed role sends no mail.
    await as(
      "admin",
      (tx) => tx`update public.team_users set role_id = ${systemRoleIds.editor} where email = ${email}`,
    );
  });

  test("exists once per person and team", async () => {
    expect(await refusal(invite(world.email("viewer")))).toBe("23505");
    expect(await refusal(invite("UPPER@matrix.test"))).toBe("23514");
  });

  test("is answered once", async () => {
    const userId = world.people.invited;
    await answer(userId, "rejected");
    expect(await refusal(answer(userId, "accepted"))).toBe("42501");
    expect(await refusal(answer(userId, "pending"))).toBe("42501");
    const invited = world.email("invited");
    await as("admin", (tx) => tx`update public.team_users set status = 'pending' where email = ${invited}`);
    expect((await answer(userId, "accepted")).length).toBe(1);
    expect(await refusal(answer(userId, "pending"))).toBe("42501");
    // Nor may an admin turn an invitee into a member.
    const back = as(
      "admin",
      (tx) => tx`update public.team_users set status = 'pending' where user_id = ${userId}`,
    );
    expect(await refusal(back)).toBe("42501");
  });
});

describe("what non-members see of a team", () => {
  /** The number of the team's rows that an actor sees, by table; tables without any are left out. */
  async function sweep(actor: Actor): Promise<Record<string, number>> {
    const tables = await sql<{ name: string }[]>`
      select c.relname as name from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind = 'r' and exists (
         select 1 from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'team_id')`;
    const seen: Record<string, number> = {};
    for (const name of ["teams", ...tables.map((table) => table.name)]) {
      const column = name === "teams" ? "id" : "team_id";
      const count = (tx: TransactionSql) =>
        tx.unsafe(
          `select count(${column})::int as rows from public.${name} where ${column} = '${world.team}'`,
        );
      const [row] = await as(actor, count).catch((error) => {
        if (error.code === "42501") return [{ rows: 0 }];
        throw error;
      });
      if (row?.rows > 0) seen[name] = row?.rows;
    }
    return seen;
  }

  const expected: Partial<Record<Actor, Record<string, number>>> = {
    invited: { teams: 1, team_users: 1 },
    rejected: { team_users: 1 },
    removed: {},
    banned: {},
    "revoked API key": {},
    // Their own chat, and their handover in it.
    outsider: { chats: 1, messages: 1, handovers: 1 },
    "outsider claiming to be a platform admin": { chats: 1, messages: 1, handovers: 1 },
    "platform admin": {},
    visitor: { agents: 1, chats: 1, messages: 1, handovers: 1 },
    "visitor through an app": { agents: 1, chats: 1, messages: 1, handovers: 1 },
    anonymous: { agents: 1 },
  };

  test.each(Object.entries(expected) as [Actor, Record<string, number>][])("%s", async (actor, tables) => {
    expect(await sweep(actor)).toEqual(tables);
  });

  test("a member sees more", async () => {
    expect(Object.keys(await sweep("viewer")).length).toBeGreaterThan(12);
  });
});

describe("access ends at once, with the same claims", () => {
  const agents = () => as("editor", (tx) => tx`select id from public.agents where team_id = ${world.team}`);
  const ends: [string, () => Promise<unknown>][] = [
    [
      "removed",
      () => as("admin", (tx) => tx`delete from public.team_users where user_id = ${world.people.editor}`),
    ],
    [
      "left",
      () => as("editor", (tx) => tx`delete from public.team_users where user_id = ${world.people.editor}`),
    ],
    [
      "banned",
      async () => await sql`update public.users set banned_at = now() where id = ${world.people.editor}`,
    ],
    ["deleted", async () => await sql`delete from auth.users where id = ${world.people.editor}`],
    [
      "demoted to less",
      () =>
        as(
          "owner",
          (tx) =>
            tx`update public.team_users set role_id = ${world.spareRole} where user_id = ${world.people.editor}`,
        ),
    ],
  ];

  test.each(ends)("%s", async (_how, end) => {
    expect((await agents()).length).toBe(2);
    await end();
    expect(await agents()).toEqual([]);
  });

  test("an API key, revoked", async () => {
    const read = () => as("API key", (tx) => tx`select id from public.agents`);
    expect((await read()).length).toBe(2);
    await as("admin", (tx) => tx`delete from public.api_keys where id = ${world.apiKey}`);
    expect(await read()).toEqual([]);
  });

  test("a platform admin, without the flag", async () => {
    const read = () =>
      as("platform admin at work", (tx) => tx`select id from public.teams where id = ${world.team}`);
    expect((await read()).length).toBe(1);
    await sql`update public.users set is_admin = false where id = ${world.people["platform admin"]}`;
    expect(await read()).toEqual([]);
  });

  test("a visitor, when the agent is no longer public", async () => {
    const read = () => as("visitor", (tx) => tx`select id from public.messages`);
    expect((await read()).length).toBe(1);
    await as(
      "editor",
      (tx) => tx`update public.agents set visibility = 'private' where id = ${world.publicAgent}`,
    );
    expect(await read()).toEqual([]);
    const say = as(
      "visitor",
      (tx) => tx`insert into public.messages (chat_id, content) values (${world.chats.visitor}, 'Hi')`,
    );
    expect(await refusal(say)).toBe("42501");
  });
});

test("the actors with permissions are those of the permission table", () => {
  const holders = actors.filter((actor) => holding("team.read").includes(actor));
  expect(holders).toEqual([
    "owner",
    "admin",
    "editor",
    "viewer",
    "custom role",
    "reader of agents",
    "API key",
    "platform admin at work",
  ]);
});
