// Owns the SQL of agents. Row-level security decides which rows are visible; no query filters for security.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { isId } from "../router.ts";
import { holdVersion } from "../row-versions.ts";
import { orderBy } from "../sorting.ts";
import { assignments, contains, numberedPage, ofTeam, type Sql, withoutUndefined } from "../sql.ts";
import {
  type Agent,
  type AgentsQuery,
  type AgentUpdate,
  type AgentUses,
  MOST_COUNTED,
  type PublicAgent,
  type TeamAgentsQuery,
} from "./schema.ts";

type Row = Omit<Agent, "retrieval" | "appearance"> & {
  retrievalTopK: number;
  retrievalMinScore: number;
  retrievalMode: Agent["retrieval"]["mode"];
  displayName: string;
  color: string;
  widgetPosition: Agent["appearance"]["position"];
  address: string;
  launcherIcon: Agent["appearance"]["launcher"]["icon"];
  launcherLabel: string;
};

/** What a client may set, apart from the avatar and the knowledge bases. */
const settings = (tx: Transaction) => tx`
  a.name, a.description, a.instructions, a.greeting, a.suggested_prompts, a.model, a.temperature, a.visibility,
  a.retrieval_top_k, a.retrieval_min_score, a.retrieval_mode, a.allowed_origins, a.unsupported_claims,
  a.display_name, a.color, a.widget_position, a.address, a.launcher_icon, a.launcher_label`;

const knowledgeIds = (tx: Transaction) => tx`
  array(select ak.knowledge_id from public.agent_knowledges ak where ak.agent_id = a.id order by ak.created_at, ak.knowledge_id)`;

const version = (tx: Transaction, ids: Sql) => tx`
  md5(row(${settings(tx)}, a.avatar_hash, ${ids})::text)`;

const columns = (tx: Transaction) => tx`
  a.id, a.team_id, ${settings(tx)},
  case when a.avatar_hash <> '' then '/v1/teams/' || a.team_id || '/agents/' || a.id || '/avatar?v=' || a.avatar_hash end as avatar,
  ${version(tx, tx`linked.knowledge_ids`)} as version, a.created_at, a.updated_at, linked.knowledge_ids`;

/** Agents as `a`, with their knowledge bases, which Postgres reads once although two columns use them. */
const agents = (tx: Transaction) => tx`
  public.agents a
  cross join lateral (
    select coalesce(array_agg(ak.knowledge_id order by ak.created_at, ak.knowledge_id), '{}') as knowledge_ids
      from public.agent_knowledges ak where ak.agent_id = a.id) linked`;

const appearance = (tx: Transaction) => tx`
  jsonb_build_object('name', a.display_name, 'color', a.color, 'position', a.widget_position, 'address', a.address,
                     'launcher', jsonb_build_object('icon', a.launcher_icon, 'label', a.launcher_label))`;

const publicColumns = (tx: Transaction) => tx`
  a.id, a.team_id, a.name, a.description, a.greeting, a.suggested_prompts, a.visibility,
  a.allowed_origins, ${appearance(tx)} as appearance,
  case when a.avatar_hash <> '' then '/v1/agents/' || a.id || '/avatar?v=' || a.avatar_hash end as avatar, a.created_at, a.updated_at`;

/** Lists every field: copying the rest of a row takes ten times as long. */
const toAgent = (row: Row): Agent => ({
  id: row.id,
  teamId: row.teamId,
  name: row.name,
  description: row.description,
  instructions: row.instructions,
  greeting: row.greeting,
  suggestedPrompts: row.suggestedPrompts,
  model: row.model,
  temperature: row.temperature,
  visibility: row.visibility,
  retrieval: { topK: row.retrievalTopK, minScore: row.retrievalMinScore, mode: row.retrievalMode },
  allowedOrigins: row.allowedOrigins,
  unsupportedClaims: row.unsupportedClaims,
  appearance: {
    name: row.displayName,
    color: row.color,
    position: row.widgetPosition,
    address: row.address,
    launcher: { icon: row.launcherIcon, label: row.launcherLabel },
  },
  avatar: row.avatar,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  knowledgeIds: row.knowledgeIds,
});

function toColumns(values: AgentUpdate): Record<string, unknown> {
  const {
    knowledgeIds: _links,
    retrieval,
    suggestedPrompts,
    allowedOrigins,
    unsupportedClaims,
    appearance,
    ...plain
  } = values;
  return withoutUndefined({
    ...plain,
    suggested_prompts: suggestedPrompts,
    allowed_origins: allowedOrigins,
    unsupported_claims: unsupportedClaims,
    retrieval_top_k: retrieval?.topK,
    retrieval_min_score: retrieval?.minScore,
    retrieval_mode: retrieval?.mode,
    display_name: appearance?.name,
    color: appearance?.color,
    launcher_icon: appearance?.launcher?.icon,
    launcher_label: appearance?.launcher?.label,
    widget_position: appearance?.position,
    address: appearance?.address,
  });
}

const order = (tx: Transaction) => ({
  id: tx`a.id`,
  createdAt: tx`a.id`,
  name: tx`a.name collate private.natural_order`,
  updatedAt: tx`a.updated_at`,
});

/** A team's agents by name, unless sorted otherwise. @param teamId null: the agents of every team, newest first */
export async function listAgents(
  tx: Transaction,
  teamId: TeamId | null,
  {
    name,
    ids,
    visibility,
    sort = teamId === null ? "-createdAt" : "name",
    page,
    perPage,
  }: TeamAgentsQuery & { visibility?: Agent["visibility"] },
) {
  const matches = tx`${ofTeam(tx, "a.team_id", teamId)}
    ${ids ? tx`and a.id = any (${ids}::uuid[])` : tx``}
    ${visibility ? tx`and a.visibility = ${visibility}` : tx``} ${name ? tx`and a.name ilike ${contains(name)}` : tx``}`;
  const listed = await numberedPage<Row>(
    tx,
    {
      columns: columns(tx),
      from: tx`${agents(tx)} where ${matches}`,
      counted: tx`public.agents a where ${matches}`,
      order: orderBy(tx, sort, order(tx)),
    },
    { page, perPage },
  );
  return { ...listed, data: listed.data.map(toAgent) };
}

export async function readAgent(tx: Transaction, teamId: TeamId, id: string): Promise<Agent | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from ${agents(tx)} where a.team_id = ${teamId} and a.id = ${id}`;
  return row && toAgent(row);
}

export async function createAgent(
  tx: Transaction,
  teamId: string,
  values: AgentUpdate,
): Promise<Agent | undefined> {
  const [row] = await tx<{ id: string }[]>`
    insert into public.agents ${tx({ ...toColumns(values), team_id: teamId })} returning id`;
  if (!row) return undefined;
  await linkKnowledges(tx, teamId, row.id, values.knowledgeIds);
  return await readAgent(tx, teamId, row.id);
}

/**
 * Updates the given fields. Undefined when no row could be changed.
 * @param asked the version that the change is based on; undefined: any
 */
export async function updateAgent(
  tx: Transaction,
  teamId: string,
  id: string,
  values: AgentUpdate,
  asked?: string,
) {
  const from = tx`public.agents a where a.team_id = ${teamId} and a.id = ${id}`;
  await holdVersion(
    tx,
    { from, version: version(tx, knowledgeIds(tx)) },
    () => readAgent(tx, teamId, id),
    asked,
  );
  const [row] = await tx`
    update public.agents set ${assignments(tx, toColumns(values), "name")}
     where team_id = ${teamId} and id = ${id} returning id`;
  if (!row) return undefined;
  await linkKnowledges(tx, teamId, id, values.knowledgeIds);
  return await readAgent(tx, teamId, id);
}

/** What depends on an agent; undefined if the caller cannot see it. */
export async function readUses(tx: Transaction, teamId: TeamId, id: string): Promise<AgentUses | undefined> {
  const [row] = await tx<AgentUses[]>`
    select (select count(*)::int from
             (select from public.chats c where c.team_id = a.team_id and c.agent_id = a.id limit ${MOST_COUNTED + 1}) counted) as chats,
           (select count(*)::int from public.apps p where p.team_id = a.team_id and p.agent_id = a.id) as apps,
           (select coalesce(sum(k.documents_count), 0)::int from public.agent_knowledges ak
              join public.knowledges k on k.id = ak.knowledge_id where ak.agent_id = a.id) as documents
      from public.agents a where a.team_id = ${teamId} and a.id = ${id}`;
  return row;
}

export async function deleteAgent(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.agents where team_id = ${teamId} and id = ${id} returning id`;
  return row;
}

/** Replaces the agent's knowledge bases by these. */
async function linkKnowledges(tx: Transaction, teamId: string, agentId: string, knowledgeIds?: string[]) {
  if (!knowledgeIds) return;
  await tx`delete from public.agent_knowledges
            where agent_id = ${agentId} and knowledge_id <> all (${knowledgeIds}::uuid[])`;
  await tx`insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
           select ${teamId}, ${agentId}, knowledge_id from unnest(${knowledgeIds}::uuid[]) as knowledge_id
           on conflict do nothing`;
}

export async function listPublicAgents(tx: Transaction, { name, page, perPage }: AgentsQuery) {
  const matches = tx`a.visibility = 'public' ${name ? tx`and a.name ilike ${contains(name)}` : tx``}`;
  return await numberedPage<PublicAgent>(
    tx,
    {
      columns: publicColumns(tx),
      from: tx`public.agents a where ${matches}`,
      order: tx`a.name collate private.natural_order, a.id`,
    },
    { page, perPage },
  );
}

/** @param named its id or its short address */
const publicId = (tx: Transaction, named: string) =>
  isId(named) ? tx`${named}::uuid` : tx`private.public_agent_at(${named})`;

export async function readPublicAgent(tx: Transaction, named: string): Promise<PublicAgent | undefined> {
  const [row] = await tx<PublicAgent[]>`
    select ${publicColumns(tx)} from public.agents a where a.visibility = 'public' and a.id = ${publicId(tx, named)}`;
  return row;
}

/** The avatar of an agent that the caller may read, in base64; undefined if there is none. @param teamId null: of a public agent */
export async function readAvatar(
  tx: Transaction,
  teamId: TeamId | null,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx<{ avatar: string }[]>`
    select a.avatar from public.agents a
     where a.id = ${id} and a.avatar <> '' ${teamId === null ? tx`and a.visibility = 'public'` : tx`and a.team_id = ${teamId}`}`;
  return row?.avatar;
}

/** @param data an image in base64, or empty for none. Undefined when no row could be changed. */
export async function setAvatar(
  tx: Transaction,
  teamId: TeamId,
  id: string,
  data: string,
): Promise<Agent | undefined> {
  const [row] = await tx`
    update public.agents set avatar = ${data} where team_id = ${teamId} and id = ${id} returning id`;
  return row && (await readAgent(tx, teamId, id));
}
