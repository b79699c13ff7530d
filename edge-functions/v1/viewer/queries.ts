// Owns the SQL of the viewer: one statement, because every page waits for it. Row-level security decides which rows are visible.
import { type Claims, readAsCaller, type Transaction } from "../../_shared/database/db.ts";
import { byTeamRef } from "../router.ts";
import type { JoinedTeam, Viewer } from "./schema.ts";

type Row = Omit<Viewer, "user" | "team"> & { user: Viewer["user"] | null };

const mostTeams = 100;

const joinedTeams = (tx: Transaction) => tx`
  select t.id, t.name, t.codename, private.role_in(t.id) as role, private.role_permissions_in(t.id) as permissions,
         t.id = any ((select private.teams_with_chat_model())::uuid[]) as "hasModel"
    from public.teams t
   where t.id = any ((select private.teams_with('team.read'))::uuid[])`;

/** @param ref the team to open; undefined: no particular one. @returns undefined for a deleted account */
export async function readViewer(
  claims: Claims,
  userId: string,
  ref: string | undefined,
): Promise<Viewer | undefined> {
  const row = await readAsCaller(claims, (tx) => readAround(tx, userId));
  if (!row?.user) return undefined;
  const { user, teams, invitations } = row;
  const listed = teams.find(({ id, codename }) => id === ref || codename === ref?.toLowerCase());
  const isUnlisted = ref !== undefined && !listed && teams.length > 0;
  const team = listed ?? (isUnlisted ? await readAsCaller(claims, (tx) => readJoined(tx, ref)) : null);
  return { user, teams, team, invitations };
}

async function readAround(tx: Transaction, userId: string): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select (select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'locale', u.locale)
                   || private.flags_of(u.id)
              from public.users u where u.id = ${userId}) as user,
           (select coalesce(jsonb_agg(to_jsonb(j)), '[]')
              from (${joinedTeams(tx)} order by t.name collate private.natural_order, t.id limit ${mostTeams}) j) as teams,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'id', i.id, 'name', i.name, 'codename', i.codename, 'role', i.role,
                     'invitation', jsonb_build_object('status', i.status, 'roleId', i.role_id, 'invitedBy', i.invited_by))), '[]')
              from (select t.id, t.name, t.codename, i.role, i.status, i.role_id, i.invited_by
                      from public.teams t join private.my_invitations() i on i.team_id = t.id
                     order by t.name collate private.natural_order, t.id limit ${mostTeams}) i) as invitations`;
  return row;
}

/** A team beyond those in the list, or by a former codename. */
async function readJoined(tx: Transaction, ref: string): Promise<JoinedTeam | null> {
  const [team] = await tx<JoinedTeam[]>`${joinedTeams(tx)} and ${byTeamRef(tx, ref)}`;
  return team ?? null;
}
