// Owns the SQL of a team's members. Row-level security decides which rows are visible; no query filters for security. Triggers protect
// the last owner, and decide who may answer an invitation.
import type { LanguageCode } from "../../../locales/registry.ts";
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { byTeamRef, isId } from "../router.ts";
import { orderBy } from "../sorting.ts";
import { assignments, contains, numberedPage } from "../sql.ts";
import type { NewInvitation, TeamUser, TeamUsersQuery } from "./schema.ts";

const columns = (tx: Transaction) => tx`
  tu.id, tu.user_id, tu.email, u.name, tu.role_id, r.codename as role, tu.status, tu.created_at, tu.updated_at`;
const from = (tx: Transaction) => tx`
  public.team_users tu left join public.users u on u.id = tu.user_id left join public.roles r on r.id = tu.role_id`;

/** The team's id, also for people who are only invited. */
export async function findTeam(tx: Transaction, ref: string) {
  const [team] = await tx<{ id: string; name: string }[]>`
    select t.id, t.name from public.teams t where ${byTeamRef(tx, ref)}`;
  return team;
}

/** The team's id. By it, members whose role may not read the team also find their own membership, to leave. */
export async function findTeamId(tx: Transaction, ref: string): Promise<string | undefined> {
  const team = await findTeam(tx, ref);
  if (team || !isId(ref)) return team?.id;
  const [own] = await tx<{ id: string }[]>`
    select team_id as id from public.team_users where team_id = ${ref} and user_id = (select private.user_id())`;
  return own?.id;
}

const order = (tx: Transaction) => ({
  id: tx`tu.id`,
  createdAt: tx`tu.created_at`,
  // As lists display it: an invited person by their email.
  name: tx`coalesce(u.name, tu.email) collate private.natural_order`,
  role: tx`r.name collate private.natural_order`,
  status: tx`tu.status`,
});

/** Oldest membership first, unless sorted otherwise. */
export async function listTeamUsers(tx: Transaction, teamId: TeamId, query: TeamUsersQuery) {
  const { search, teamIds, userIds, sort = "createdAt", page, perPage } = query;
  const matches = tx`tu.team_id = ${teamId}
    ${search ? tx`and (u.name ilike ${contains(search)} or tu.email ilike ${contains(search)})` : tx``}
    ${teamIds ? tx`and tu.team_id = any (${teamIds}::uuid[])` : tx``}
    ${userIds ? tx`and tu.user_id = any (${userIds}::uuid[])` : tx``}`;
  return await numberedPage<TeamUser>(
    tx,
    { columns: columns(tx), from: tx`${from(tx)} where ${matches}`, order: orderBy(tx, sort, order(tx)) },
    { page, perPage },
  );
}

/** @param userOrRowId a user's id, or the row's id. Only the invited user can find an invitation by their own user id. */
export async function readTeamUser(
  tx: Transaction,
  teamId: string,
  userOrRowId: string,
): Promise<TeamUser | undefined> {
  const [row] = await tx<TeamUser[]>`
    select ${columns(tx)} from ${from(tx)}
     where tu.team_id = ${teamId}
       and (tu.id = ${userOrRowId} or tu.user_id = ${userOrRowId}
         or (${userOrRowId}::uuid = (select private.user_id()) and ${isOwnInvitation(tx)}))`;
  return row;
}

const isOwnInvitation = (tx: Transaction) => tx`
  (tu.user_id is null and tu.email = (select private.confirmed_email()))`;

/** True when a row is the caller's own: their membership, or an invitation to their address. */
export async function isOwn(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from public.team_users tu
     where tu.id = ${id} and (tu.user_id = (select private.user_id()) or ${isOwnInvitation(tx)})`;
  return rows.length > 0;
}

export async function inviteTeamUser(tx: Transaction, teamId: string, { email, roleId }: NewInvitation) {
  const [row] = await tx<{ id: string }[]>`
    insert into public.team_users (team_id, email, role_id) values (${teamId}, ${email}, ${roleId}) returning id`;
  return row && (await readTeamUser(tx, teamId, row.id));
}

/** Changes role or status. False when the row could not be changed. */
export async function updateTeamUser(
  tx: Transaction,
  id: string,
  values: { roleId?: string; status?: TeamUser["status"] },
): Promise<boolean> {
  // Sets only what changes: setting an invitation's status resends it, and counts against the limit.
  const set = assignments(tx, { role_id: values.roleId, status: values.status }, "role_id");
  return (await tx`update public.team_users tu set ${set} where tu.id = ${id} returning 1`).length > 0;
}

export async function deleteTeamUser(tx: Transaction, id: string): Promise<boolean> {
  return (await tx`delete from public.team_users where id = ${id} returning 1`).length > 0;
}

/** The person whose name and language an invitation mail uses. */
export async function readInviter(tx: Transaction, userId: string) {
  const [row] = await tx<{ name: string; locale: LanguageCode }[]>`
    select name, locale from public.users where id = ${userId}`;
  return row;
}
