// Owns the SQL of apps. Row-level security decides which rows are visible.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { holdVersion } from "../row-versions.ts";
import { orderBy } from "../sorting.ts";
import { assignments, contains, numberedPage, withoutUndefined } from "../sql.ts";
import type { App, AppsQuery, AppUpdate, NewApp } from "./schema.ts";

type Row = Omit<App, "workspace"> & { workspaceId: string | null; workspaceName: string | null };

const version = (tx: Transaction) => tx`md5(row(p.name, p.agent_id, p.channels, p.audience)::text)`;

const columns = (tx: Transaction) => tx`
  p.id, p.team_id, p.name, p.type, p.agent_id, p.status, p.workspace_id, p.workspace_name, p.channels, p.audience,
  p.connected_at, ${version(tx)} as version, p.created_at, p.updated_at`;

function toApp({ workspaceId, workspaceName, ...row }: Row): App {
  return { ...row, workspace: workspaceId === null ? null : { id: workspaceId, name: workspaceName ?? "" } };
}

const toColumns = ({ agentId, ...plain }: AppUpdate) => withoutUndefined({ ...plain, agent_id: agentId });

const order = (tx: Transaction) => ({
  id: tx`p.id`,
  createdAt: tx`p.id`,
  name: tx`p.name collate private.natural_order`,
  status: tx`p.status`,
});

/** By name, unless sorted otherwise. */
export async function listApps(
  tx: Transaction,
  teamId: TeamId,
  { name, type, agentId, sort = "name", page, perPage }: AppsQuery & { agentId?: string },
) {
  const matches = tx`p.team_id = ${teamId} ${name ? tx`and p.name ilike ${contains(name)}` : tx``}
    ${type ? tx`and p.type = ${type}` : tx``} ${agentId ? tx`and p.agent_id = ${agentId}` : tx``}`;
  const listed = await numberedPage<Row>(
    tx,
    { columns: columns(tx), from: tx`public.apps p where ${matches}`, order: orderBy(tx, sort, order(tx)) },
    { page, perPage },
  );
  return { ...listed, data: listed.data.map(toApp) };
}

/** An app that the caller can see, in one team or in any. */
export async function readApp(tx: Transaction, id: string, teamId?: TeamId): Promise<App | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from public.apps p
     where p.id = ${id} ${teamId ? tx`and p.team_id = ${teamId}` : tx``}`;
  return row && toApp(row);
}

export async function createApp(tx: Transaction, teamId: string, values: NewApp): Promise<App | undefined> {
  const { type, ...settings } = values;
  const [row] = await tx<{ id: string }[]>`
    insert into public.apps ${tx({ ...toColumns(settings), team_id: teamId, type })} returning id`;
  return row && (await readApp(tx, row.id, teamId));
}

/**
 * Updates the given fields. Undefined when no row could be changed.
 * @param asked the version that the change is based on; undefined: any
 */
export async function updateApp(
  tx: Transaction,
  teamId: string,
  id: string,
  values: AppUpdate,
  asked?: string,
) {
  const from = tx`public.apps p where p.team_id = ${teamId} and p.id = ${id}`;
  await holdVersion(tx, { from, version: version(tx) }, () => readApp(tx, id, teamId), asked);
  const [row] = await tx<Row[]>`
    update public.apps p set ${assignments(tx, toColumns(values), "name")}
     where p.team_id = ${teamId} and p.id = ${id} returning ${columns(tx)}`;
  return row && toApp(row);
}

export async function deleteApp(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx`delete from public.apps where team_id = ${teamId} and id = ${id} returning id`;
  return row;
}

/** The Slack workspaces of an app, or of all apps of an agent or a team, as far as the caller can see them. */
export async function workspacesOf(
  tx: Transaction,
  of: { column: "id" | "agent_id" | "team_id"; id: string },
): Promise<string[]> {
  const rows = await tx<{ workspaceId: string }[]>`
    select distinct p.workspace_id from public.apps p
     where p.workspace_id is not null and p.${tx(of.column)} = ${of.id}`;
  return rows.map(({ workspaceId }) => workspaceId);
}

/** An agent that the caller can see, and whether they may write its team's apps. */
export async function readAgentOfApp(tx: Transaction, agentId: string) {
  const [row] = await tx<{ teamId: string; name: string; allowed: boolean }[]>`
    select team_id, name, team_id = any ((select private.teams_with('apps.write'))::uuid[]) as allowed
      from public.agents where id = ${agentId}`;
  return row;
}

/** The agent's app that is not connected to a workspace yet. */
export async function findPendingApp(tx: Transaction, agentId: string): Promise<App | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from public.apps p
     where p.agent_id = ${agentId} and p.status <> 'connected' order by p.id limit 1`;
  return row && toApp(row);
}

/** Deletes all Slack apps of an agent. */
export async function deleteAppsOf(tx: Transaction, agentId: string): Promise<boolean> {
  return (
    (await tx`delete from public.apps where agent_id = ${agentId} and type = 'slack' returning 1`).length > 0
  );
}
