// Owns the SQL that reads agent versions. Row-level security decides which rows are visible.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import type { PageQuery } from "../router.ts";
import { numberedPage } from "../sql.ts";
import type { AgentVersion } from "./schema.ts";

export type AgentPlace = { teamId: TeamId; agentId: string };

/** A person's id and name, if the caller may see them. */
export const person = (tx: Transaction, column: string) => tx`
  (select jsonb_build_object('id', u.id, 'name', u.name) from public.users u where u.id = ${tx(column)})`;

export const liveVersionId = (tx: Transaction, agentId: string) => tx`
  (select l.id from public.agent_versions l where l.agent_id = ${agentId} and l.published_at is not null
    order by l.published_at desc, l.number desc limit 1)`;

const columns = (tx: Transaction, agentId: string) => tx`
  v.id, v.team_id, v.agent_id, v.number, v.settings, v.restored_from, v.published_at, v.published_despite,
  v.created_at, v.updated_at, ${person(tx, "v.created_by")} as author, ${person(tx, "v.published_by")} as publisher,
  case when v.published_at is null then 'draft' when v.id = ${liveVersionId(tx, agentId)} then 'live' else 'past' end as status`;

/** Newest first. */
export async function listVersions(tx: Transaction, { teamId, agentId }: AgentPlace, page: PageQuery) {
  return await numberedPage<AgentVersion>(
    tx,
    {
      columns: columns(tx, agentId),
      from: tx`public.agent_versions v where v.team_id = ${teamId} and v.agent_id = ${agentId}`,
      order: tx`v.number desc`,
    },
    page,
  );
}

export async function readVersion(
  tx: Transaction,
  { teamId, agentId }: AgentPlace,
  versionId: string,
): Promise<AgentVersion | undefined> {
  const [row] = await tx<AgentVersion[]>`
    select ${columns(tx, agentId)} from public.agent_versions v
     where v.team_id = ${teamId} and v.agent_id = ${agentId} and v.id = ${versionId}`;
  return row;
}

/** A version's settings without knowledge bases that were deleted since. */
export async function readUsableSettings(
  tx: Transaction,
  { teamId }: AgentPlace,
  { settings }: AgentVersion,
) {
  const known = await tx<{ id: string }[]>`
    select id from public.knowledges where team_id = ${teamId} and id = any (${settings.knowledgeIds}::uuid[])`;
  return { ...settings, knowledgeIds: known.map(({ id }) => id) };
}
