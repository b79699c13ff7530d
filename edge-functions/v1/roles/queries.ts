// Owns the SQL of roles. Row-level security decides which rows are visible; no query filters for security.
import type { Transaction } from "../../_shared/database/db.ts";
import { byTeamRef } from "../router.ts";
import { assignments, numberedPage } from "../sql.ts";
import type { NewRole, Role, RolesQuery, RoleUpdate } from "./schema.ts";

const columns = (tx: Transaction) => tx`
  r.id, r.name, r.codename, r.permissions, r.team_id, r.team_id is null as system, r.created_at, r.updated_at`;

export async function listRoles(tx: Transaction, { teamId, page, perPage }: RolesQuery) {
  const matches = teamId
    ? tx`(r.team_id is null or r.team_id in (select t.id from public.teams t where ${byTeamRef(tx, teamId)}))`
    : tx`true`;
  return await numberedPage<Role>(
    tx,
    {
      columns: columns(tx),
      from: tx`public.roles r where ${matches}`,
      order: tx`r.team_id is not null, r.id`,
    },
    { page, perPage },
  );
}

export async function readRole(tx: Transaction, id: string): Promise<Role | undefined> {
  const [row] = await tx<Role[]>`select ${columns(tx)} from public.roles r where r.id = ${id}`;
  return row;
}

/** @param values without a codename, one is derived from the name */
export async function createRole(
  tx: Transaction,
  teamId: string,
  values: NewRole,
): Promise<Role | undefined> {
  const { name, codename = slug(name), permissions } = values;
  const [row] = await tx<Role[]>`
    insert into public.roles as r (team_id, name, codename, permissions)
    values (${teamId}, ${name}, ${codename}, ${[...new Set(permissions)]}) returning ${columns(tx)}`;
  return row;
}

/** Updates the given fields. Undefined when no row could be changed. */
export async function updateRole(tx: Transaction, id: string, values: RoleUpdate): Promise<Role | undefined> {
  const permissions = values.permissions && [...new Set(values.permissions)];
  const [row] = await tx<Role[]>`
    update public.roles r set ${assignments(tx, { ...values, permissions }, "name")}
     where r.id = ${id} returning ${columns(tx)}`;
  return row;
}

export async function deleteRole(tx: Transaction, id: string) {
  const [row] = await tx<{ id: string }[]>`delete from public.roles where id = ${id} returning id`;
  return row;
}

/** "Relecture légale" becomes "relecture-legale". */
function slug(name: string): string {
  const text = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-+|-+$/g, "");
  return text || "role";
}
