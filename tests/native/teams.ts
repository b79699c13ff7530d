// Owns the rows of races: many small teams at once, each with two owners.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Claims } from "../support/actors.ts";
import { systemRoleIds } from "../support/permissions.ts";

export interface SmallTeam {
  id: string;
  codename: string;
  owners: [string, string];
}

export const user = (id: string): Claims => ({ role: "authenticated", sub: id });

export const service: Claims = { role: "service_role" };

export const emailOf = (user: string): string => `${user}@race.test`;

/** Accounts with a confirmed address. */
export async function makeUsers(sql: Sql, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await signUp(sql, ids);
  return ids;
}

export async function signUp(sql: Sql, ids: string[]): Promise<void> {
  const people = ids.map((id) => ({ id, email: emailOf(id) }));
  await sql`insert into auth.users (id, email, email_confirmed_at)
            select p.id, p.email, now() from jsonb_to_recordset(${sql.json(people)}) as p (id uuid, email text)`;
}

export async function makeSmallTeams(sql: Sql, count: number): Promise<SmallTeam[]> {
  const people = await makeUsers(sql, 2 * count);
  const teams = Array.from({ length: count }, (_, number) => ({
    id: randomUUID(),
    codename: `race-${randomUUID()}`,
    // As many pairs as teams were created above.
    owners: people.slice(2 * number, 2 * number + 2) as [string, string],
  }));
  await sql`insert into public.teams (id, name, codename)
            select id, 'Team', codename from jsonb_to_recordset(${sql.json(teams)}) as t (id uuid, codename text)`;
  await addMembers(
    sql,
    teams.flatMap(({ id, owners }) =>
      owners.map((owner) => ({ team: id, user: owner, role: systemRoleIds.owner })),
    ),
  );
  return teams;
}

interface NewMember {
  team: string;
  user: string;
  role: string;
}

export async function addMembers(sql: Sql, members: NewMember[]): Promise<void> {
  const rows = members.map((member) => ({ ...member }));
  await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
            select m.team, m."user", u.email, m.role, 'accepted'
              from jsonb_to_recordset(${sql.json(rows)}) as m (team uuid, "user" uuid, role uuid)
              join public.users u on u.id = m."user"`;
}
