// Owns the SQL of users. Row-level security decides which rows are visible; no query filters for security.
import type { LanguageCode } from "../../../locales/registry.ts";
import type { Transaction } from "../../_shared/database/db.ts";
import { byTeamRef } from "../router.ts";
import { assignments, contains, numberedPage } from "../sql.ts";
import type { User, UsersQuery } from "./schema.ts";

/** The flags are readable for the caller's own account; for acting platform admins, on every account. */
type Row = Omit<User, "isAdmin" | "banned"> & { flags: Pick<User, "isAdmin" | "banned"> };

const columns = (tx: Transaction) => tx`
  u.id, u.name, u.email, u.locale, private.flags_of(u.id) as flags, u.created_at, u.updated_at`;

const toUser = ({ flags, ...user }: Row): User => ({ ...user, ...flags });

export async function readUser(tx: Transaction, id: string): Promise<User | undefined> {
  const [row] = await tx<Row[]>`select ${columns(tx)} from public.users u where u.id = ${id}`;
  return row && toUser(row);
}

export async function listUsers(tx: Transaction, query: UsersQuery) {
  const { email, teamId, role, search, ids, page, perPage } = query;
  const inTeam =
    teamId || role
      ? tx`and exists (
          select 1 from public.team_users tu join public.roles r on r.id = tu.role_id join public.teams t on t.id = tu.team_id
           where tu.user_id = u.id and tu.status = 'accepted'
             ${teamId ? tx`and ${byTeamRef(tx, teamId)}` : tx``} ${role ? tx`and r.codename = ${role}` : tx``})`
      : tx``;
  const matches = tx`true ${inTeam}
    ${email ? tx`and lower(u.email) = ${email.trim().toLowerCase()}` : tx``}
    ${search ? tx`and (u.name ilike ${contains(search)} or u.email ilike ${contains(search)})` : tx``}
    ${ids ? tx`and u.id = any (${ids}::uuid[])` : tx``}`;
  const listed = await numberedPage<Row>(
    tx,
    { columns: columns(tx), from: tx`public.users u where ${matches}`, order: tx`lower(u.name), u.id` },
    { page, perPage },
  );
  return { ...listed, data: listed.data.map(toUser) };
}

/** Changes the caller's own name and language. */
export async function updateUser(
  tx: Transaction,
  id: string,
  values: { name?: string; locale?: LanguageCode },
): Promise<User | undefined> {
  const [row] = await tx<Row[]>`
    update public.users u set ${assignments(tx, values, "name")}
     where u.id = ${id} returning ${columns(tx)}`;
  return row && toUser(row);
}

/** True when the caller is a platform admin. */
export async function isPlatformAdmin(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ isAdmin: boolean }[]>`select private.is_admin() as is_admin`;
  return row?.isAdmin ?? false;
}

export async function deleteUser(tx: Transaction, id: string): Promise<boolean> {
  const [row] = await tx<{ removed: boolean }[]>`select private.delete_account(${id}) as removed`;
  return row?.removed ?? false;
}
