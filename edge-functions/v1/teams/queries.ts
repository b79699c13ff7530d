// Owns the SQL of teams. Row-level security decides which rows are visible; no query filters for security.
import type { Transaction } from "../../_shared/database/db.ts";
import { byTeamRef } from "../router.ts";
import { holdVersion } from "../row-versions.ts";
import { assignments, contains, numberedPage } from "../sql.ts";
import type { InvitedTeam, NewTeam, Team, TeamsQuery, TeamUpdate } from "./schema.ts";

const version = (tx: Transaction) => tx`md5(row(t.name, t.codename)::text)`;
const columns = (tx: Transaction) =>
  tx`t.id, t.name, t.codename, ${version(tx)} as version, t.created_at, t.updated_at`;
const withRole = (tx: Transaction) => tx`
  ${columns(tx)}, private.role_in(t.id) as role, private.role_permissions_in(t.id) as permissions`;

const matching = (tx: Transaction, { search, ids }: TeamsQuery) => tx`
  true ${search ? tx`and (t.name ilike ${contains(search)} or t.codename ilike ${contains(search)})` : tx``}
  ${ids ? tx`and t.id = any (${ids}::uuid[])` : tx``}`;

/** The teams that the caller has joined. listInvitations() returns those that only invited them. */
export async function listTeams(tx: Transaction, query: TeamsQuery) {
  const { page, perPage } = query;
  const matches = tx`t.id = any ((select private.teams_with('team.read'))::uuid[]) and ${matching(tx, query)}`;
  return await numberedPage<Team>(
    tx,
    {
      columns: withRole(tx),
      from: tx`public.teams t where ${matches}`,
      order: tx`t.name collate private.natural_order, t.id`,
    },
    { page, perPage },
  );
}

type InvitedRow = Team & { status: "pending"; roleId: string; invitedBy: string | null };

export async function listInvitations(tx: Transaction, query: TeamsQuery) {
  const { page, perPage } = query;
  const from = tx`public.teams t join private.my_invitations() i on i.team_id = t.id where ${matching(tx, query)}`;
  const invited = tx`${columns(tx)}, i.role, '{}'::text[] as permissions, i.status, i.role_id, i.invited_by`;
  const listed = await numberedPage<InvitedRow>(
    tx,
    { columns: invited, from, order: tx`t.name collate private.natural_order, t.id` },
    { page, perPage },
  );
  const data: InvitedTeam[] = listed.data.map(({ status, roleId, invitedBy, ...team }) => ({
    ...team,
    invitation: { status, roleId, invitedBy },
  }));
  return { ...listed, data };
}

/** A team, except for whom it only invited: row-level security shows it to them for listInvitations(). */
export async function readTeam(tx: Transaction, ref: string): Promise<Team | undefined> {
  const [row] = await tx<Team[]>`
    select ${withRole(tx)} from public.teams t where ${byTeamRef(tx, ref)} and not private.only_invites(t.id)`;
  return row;
}

export async function createTeam(tx: Transaction, { name, codename }: NewTeam): Promise<Team | undefined> {
  const [row] = await tx<{ id: string }[]>`select id from public.create_team(${name}, ${codename ?? null})`;
  return row && (await readTeam(tx, row.id));
}

/**
 * Updates the given fields. Undefined when no row could be changed.
 * @param asked the version that the change is based on; undefined: any
 */
export async function updateTeam(tx: Transaction, ref: string, values: TeamUpdate, asked?: string) {
  await holdVersion(
    tx,
    { from: tx`public.teams t where ${byTeamRef(tx, ref)}`, version: version(tx) },
    () => readTeam(tx, ref),
    asked,
  );
  const [row] = await tx<{ id: string }[]>`
    update public.teams t set ${assignments(tx, values, "name")}
     where ${byTeamRef(tx, ref)} returning t.id`;
  return row && (await readTeam(tx, row.id));
}

export async function deleteTeam(tx: Transaction, ref: string) {
  await tx`select private.hold_tasks(t.id, 'team.delete') from public.teams t where ${byTeamRef(tx, ref)}`;
  const [row] = await tx<{ id: string }[]>`
    delete from public.teams t where ${byTeamRef(tx, ref)} returning t.id`;
  return row;
}
