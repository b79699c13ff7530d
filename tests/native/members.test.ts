// Races among a team's members: the last owners, invitations, unique names.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { describe, expect } from "vitest";
import { systemRoleIds } from "../support/permissions.ts";
import {
  isRefused,
  type Outcome,
  openTrack,
  type Race,
  rowsOf,
  type Side,
  takeOut,
  testRace,
} from "./racing.ts";
import { emailOf, makeSmallTeams, type SmallTeam, signUp, user } from "./teams.ts";

const track = openTrack();

describe("the last two owners", () => {
  type Act = (team: SmallTeam, actor: string, other: string) => Side;
  const leave: Act = (team, actor) => ({
    claims: user(actor),
    work: (tx) =>
      tx`delete from public.team_users where team_id = ${team.id} and user_id = ${actor} returning 1`,
  });
  const remove: Act = (team, actor, other) => ({
    claims: user(actor),
    work: (tx) =>
      tx`delete from public.team_users where team_id = ${team.id} and user_id = ${other} returning 1`,
  });
  const demote: Act = (team, actor, other) => ({
    claims: user(actor),
    work: (tx) => tx`update public.team_users set role_id = ${systemRoleIds.viewer}
                      where team_id = ${team.id} and user_id = ${other} returning 1`,
  });
  const stepDown: Act = (team, actor) => demote(team, actor, actor);
  const deleteAccount: Act = (_team, actor) => ({
    claims: user(actor),
    work: (tx) => tx`select private.delete_account(${actor})`,
  });

  async function check(sql: Sql, { id }: SmallTeam, outcomes: Outcome[]) {
    const owners = await sql`select 1 from public.team_users
      where team_id = ${id} and role_id = ${systemRoleIds.owner} and status = 'accepted'`;
    expect(owners.length).toBe(1);
    // A member who was removed or demoted first changes nobody any more: no row, or a refusal.
    expect(outcomes.map(rowsOf).sort()).toEqual([0, 1]);
  }

  const race = (one: Act, other: Act): Race<SmallTeam> => ({
    prepare: makeSmallTeams,
    sides: (team) => [one(team, ...team.owners), other(team, team.owners[1], team.owners[0])],
    check,
    unlock: (sql) => takeOut(sql, "private.keep_an_owner()", " for update"),
  });

  testRace("leave", track, race(leave, leave));
  testRace("remove each other", track, race(remove, remove));
  testRace("demote each other", track, race(demote, demote));
  testRace("step down", track, race(stepDown, stepDown));
  testRace("leave and step down", track, race(leave, stepDown));
  testRace("delete their accounts", track, race(deleteAccount, deleteAccount));
  testRace("delete an account and leave", track, race(deleteAccount, leave));
});

describe("an invitation", () => {
  interface Invitation {
    team: SmallTeam;
    invited: string;
  }

  async function prepare(sql: Sql, count: number): Promise<Invitation[]> {
    const teams = await makeSmallTeams(sql, count);
    const invitations = teams.map((team) => ({ team, invited: randomUUID() }));
    const rows = invitations.map(({ team, invited }) => ({ team: team.id, email: emailOf(invited) }));
    await sql`insert into public.team_users (team_id, email, role_id)
              select team, email, ${systemRoleIds.viewer}::uuid
                from jsonb_to_recordset(${sql.json(rows)}) as i (team uuid, email text)`;
    await signUp(
      sql,
      invitations.map(({ invited }) => invited),
    );
    return invitations;
  }

  const answer =
    (status: "accepted" | "rejected") =>
    ({ team, invited }: Invitation): Side => ({
      claims: user(invited),
      work: (tx) => tx`update public.team_users set status = ${status}
                        where team_id = ${team.id} and email = ${emailOf(invited)} returning 1`,
    });
  const accept = answer("accepted");
  const reject = answer("rejected");
  const withdraw = ({ team, invited }: Invitation): Side => ({
    claims: user(team.owners[0]),
    work: (tx) => tx`delete from public.team_users
                      where team_id = ${team.id} and email = ${emailOf(invited)} and status = 'pending' returning 1`,
  });
  const read = async (sql: Sql, { team, invited }: Invitation) => {
    const rows = await sql`select status from public.team_users
      where team_id = ${team.id} and email = ${emailOf(invited)}`;
    return rows.map(({ status }) => status);
  };

  testRace("that is accepted twice creates one member", track, {
    prepare,
    sides: (round) => [accept(round), accept(round)],
    check: async (sql, round) => expect(await read(sql, round)).toEqual(["accepted"]),
  });

  testRace("is accepted or rejected, never both", track, {
    prepare,
    sides: (round) => [accept(round), reject(round)],
    check: async (sql, round, [accepted, rejected]) => {
      expect([rowsOf(accepted), rowsOf(rejected)].sort()).toEqual([0, 1]);
      expect(await read(sql, round)).toEqual([rowsOf(accepted) === 1 ? "accepted" : "rejected"]);
    },
    unlock: (sql) => takeOut(sql, "private.guard_team_user()", "old.status <> 'pending'", "false"),
  });

  testRace("is accepted or withdrawn, never both", track, {
    prepare,
    sides: (round) => [accept(round), withdraw(round)],
    check: async (sql, round, [accepted, withdrawn]) => {
      expect([rowsOf(accepted), rowsOf(withdrawn)].sort()).toEqual([0, 1]);
      expect(await read(sql, round)).toEqual(rowsOf(accepted) === 1 ? ["accepted"] : []);
    },
  });

  testRace("is received by a person who signs up meanwhile", track, {
    prepare: async (sql, count) => {
      const teams = await makeSmallTeams(sql, count);
      return teams.map((team) => ({ team, invited: randomUUID() }));
    },
    sides: ({ team, invited }) => [
      {
        claims: user(team.owners[0]),
        work: (tx) => tx`insert into public.team_users (team_id, email, role_id)
          values (${team.id}, ${emailOf(invited)}, ${systemRoleIds.viewer}) returning 1`,
      },
      {
        // The auth server is no caller.
        claims: { role: "none" },
        work: (tx) => tx`insert into auth.users (id, email, email_confirmed_at)
          values (${invited}, ${emailOf(invited)}, now()) returning 1`,
      },
    ],
    check: async (sql, { team, invited }, outcomes) => {
      expect(outcomes.map(rowsOf)).toEqual([1, 1]);
      const seen = await sql.begin(async (tx) => {
        await tx`select set_config('request.jwt.claims', ${JSON.stringify(user(invited))}, true)`;
        return await tx`select team_id from private.my_invitations()`;
      });
      expect(seen.map(({ team_id }) => team_id)).toEqual([team.id]);
    },
  });
});

describe("a unique name", () => {
  async function expectOne(sql: Sql, table: "teams" | "roles", codename: string, outcomes: Outcome[]) {
    expect(outcomes.filter(isRefused).map(({ refused }) => refused)).toEqual(["23505"]);
    const rows = await sql`select 1 from public.${sql(table)} where codename = ${codename}`;
    expect(rows.length).toBe(1);
  }

  const prepare = async (sql: Sql, count: number) => {
    const teams = await makeSmallTeams(sql, count);
    return teams.map((team) => ({ team, wanted: `wanted-${randomUUID()}` }));
  };

  testRace("is given to one of two new teams", track, {
    prepare,
    sides: ({ team, wanted }) => {
      const create = (owner: string): Side => ({
        claims: user(owner),
        work: (tx) => tx`select public.create_team('Wanted', ${wanted})`,
      });
      return [create(team.owners[0]), create(team.owners[1])];
    },
    check: (sql, { wanted }, outcomes) => expectOne(sql, "teams", wanted, outcomes),
    unlock: (sql) => sql`alter table public.teams drop constraint teams_codename_key`,
  });

  testRace("that was derived for one of two new teams is changed", track, {
    prepare,
    sides: ({ team, wanted }) => {
      const create = (owner: string): Side => ({
        claims: user(owner),
        work: (tx) => tx`select public.create_team(${wanted})`,
      });
      return [create(team.owners[0]), create(team.owners[1])];
    },
    check: async (sql, { wanted }, outcomes) => {
      expect(outcomes.filter(isRefused)).toEqual([]);
      const rows = await sql`select codename from public.teams where name = ${wanted}`;
      expect(new Set(rows.map(({ codename }) => codename)).size).toBe(2);
    },
    unlock: (sql) => sql`alter table public.teams drop constraint teams_codename_key`,
  });

  testRace("is given to one of two teams that are renamed", track, {
    prepare: async (sql, count) => {
      const [ones, others] = await Promise.all([prepare(sql, count), prepare(sql, count)]);
      return ones.map((one, number) => ({ ...one, other: others[number]?.team ?? one.team }));
    },
    sides: ({ team, other, wanted }) => {
      const rename = ({ id, owners }: SmallTeam): Side => ({
        claims: user(owners[0]),
        work: (tx) => tx`update public.teams set codename = ${wanted} where id = ${id} returning 1`,
      });
      return [rename(team), rename(other)];
    },
    check: (sql, { wanted }, outcomes) => expectOne(sql, "teams", wanted, outcomes),
    unlock: (sql) => sql`alter table public.teams drop constraint teams_codename_key`,
  });

  testRace("that a team gives up in this moment goes to no other", track, {
    prepare,
    sides: ({ team, wanted }) => [
      {
        claims: user(team.owners[0]),
        work: (tx) => tx`update public.teams set codename = ${wanted} where id = ${team.id}`,
      },
      {
        claims: user(team.owners[1]),
        work: (tx) => tx`select public.create_team('Wanted', ${team.codename})`,
      },
    ],
    check: async (_sql, _round, [renamed, taken]) => {
      expect([isRefused(renamed), taken]).toEqual([false, { refused: "23505" }]);
    },
    unlock: (sql) => sql`drop trigger refuse_taken_codename on public.teams`,
  });

  testRace("is given to one of two roles", track, {
    prepare,
    sides: ({ team, wanted }) => {
      const create = (owner: string): Side => ({
        claims: user(owner),
        work: (tx) => tx`insert into public.roles (team_id, name, codename, permissions)
          values (${team.id}, 'Role', ${wanted}, '{team.read}') returning 1`,
      });
      return [create(team.owners[0]), create(team.owners[1])];
    },
    check: (sql, { wanted }, outcomes) => expectOne(sql, "roles", wanted, outcomes),
    unlock: (sql) => sql`alter table public.roles drop constraint roles_team_id_codename_key`,
  });
});
