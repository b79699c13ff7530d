// Owns the SQL of knowledge bases and of their links to sources. Row-level security decides which rows are visible.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { env } from "../../_shared/env.ts";
import { modelsInUse } from "../../_shared/models/model-names.ts";
import { refuseField } from "../../_shared/requests/errors.ts";
import { MOST_FILES } from "../../indexing/connectors/file/declaration.ts";
import { MOST_KNOWLEDGES } from "../agents/schema.ts";
import { requireRow } from "../router.ts";
import { holdVersion } from "../row-versions.ts";
import { orderBy } from "../sorting.ts";
import { createSource } from "../sources/queries.ts";
import { assignments, contains, numberedPage, ofTeam, withoutUndefined } from "../sql.ts";
import { nameFor } from "./naming.ts";
import { overdueSources } from "./overdue.ts";
import type { Knowledge, KnowledgesQuery, KnowledgeUpdate, NewKnowledge } from "./schema.ts";

type Row = Omit<Knowledge, "chunking" | "embeddingModel" | "dimensions"> & {
  chunkMaxTokens: number;
  chunkOverlapTokens: number;
  /** Null where the environment's model is next. */
  embeddingModel: string | null;
  dimensions: number | null;
};

// Excludes sources: files added while the settings form is open must not count as a conflicting change.
const version = (tx: Transaction) =>
  tx`md5(row(k.name, k.description, k.language, k.chunk_max_tokens, k.chunk_overlap_tokens, k.warn_after_days)::text)`;

const columns = (tx: Transaction) => tx`
  k.id, k.team_id, k.name, k.description, k.language, k.chunk_max_tokens, k.chunk_overlap_tokens, k.warn_after_days, k.status,
  k.documents_count, k.chunks_count, k.indexed_at, ${version(tx)} as version, k.created_at, k.updated_at,
  coalesce(v.model, n.model) as embedding_model, coalesce(v.dimensions, n.dimensions) as dimensions,
  array(select ks.source_id from public.knowledge_sources ks where ks.knowledge_id = k.id order by ks.created_at, ks.source_id)
    as source_ids,
  ${overdueSources(tx)} as overdue_sources`;
// Before it is first indexed, a knowledge base has no embedding space yet.
const tables = (tx: Transaction) => tx`public.knowledges k left join public.vectors v on v.id = k.vector_id
  left join lateral (select next.model, next.dimensions from private.next_embedding(k.id) next where k.vector_id is null) n on true`;

function toKnowledge({
  chunkMaxTokens,
  chunkOverlapTokens,
  embeddingModel,
  dimensions,
  ...row
}: Row): Knowledge {
  return {
    ...row,
    embeddingModel: embeddingModel ?? modelsInUse(env()).embedding,
    dimensions: dimensions ?? modelsInUse(env()).dimensions,
    chunking: { maxTokens: chunkMaxTokens, overlapTokens: chunkOverlapTokens },
  };
}

function toColumns({
  name,
  description,
  language,
  chunking,
  warnAfterDays,
}: KnowledgeUpdate): Record<string, unknown> {
  return withoutUndefined({
    name,
    description,
    language,
    chunk_max_tokens: chunking?.maxTokens,
    chunk_overlap_tokens: chunking?.overlapTokens,
    warn_after_days: warnAfterDays,
  });
}

const order = (tx: Transaction) => ({
  id: tx`k.id`,
  createdAt: tx`k.id`,
  name: tx`k.name collate private.natural_order`,
  status: tx`k.status`,
  indexedAt: tx`coalesce(k.indexed_at, '-infinity')`,
});

/** A team's knowledge bases by name, unless sorted otherwise. @param teamId null: those of every team, newest first */
export async function listKnowledges(
  tx: Transaction,
  teamId: TeamId | null,
  { name, ids, sourceId, sort = teamId === null ? "-createdAt" : "name", page, perPage }: KnowledgesQuery,
) {
  const matches = tx`${ofTeam(tx, "k.team_id", teamId)} ${name ? tx`and k.name ilike ${contains(name)}` : tx``}
    ${ids ? tx`and k.id = any (${ids}::uuid[])` : tx``}
    ${sourceId ? tx`and k.id in (select knowledge_id from public.knowledge_sources where source_id = ${sourceId})` : tx``}`;
  const listed = await numberedPage<Row>(
    tx,
    {
      columns: columns(tx),
      from: tx`${tables(tx)} where ${matches}`,
      order: orderBy(tx, sort, order(tx)),
      counted: tx`public.knowledges k where ${matches}`,
    },
    { page, perPage },
  );
  return { ...listed, data: listed.data.map(toKnowledge) };
}

export async function readKnowledge(tx: Transaction, teamId: TeamId, id: string) {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from ${tables(tx)} where k.team_id = ${teamId} and k.id = ${id}`;
  return row && toKnowledge(row);
}

/** Creates a knowledge base with its sources and files, queues its indexing if it has any, and gives it to its agent. */
export async function createKnowledge(tx: Transaction, teamId: string, values: NewKnowledge) {
  const name = values.name ?? (await nameFor(tx, teamId, values));
  const [row] = await tx<{ id: string }[]>`
    insert into public.knowledges ${tx({ ...toColumns(values), name, team_id: teamId })} returning id`;
  if (!row) return undefined;
  const linked = await link(tx, { teamId, id: row.id }, values);
  if (linked) await indexKnowledge(tx, row.id);
  if (values.agentId) await giveToAgent(tx, teamId, values.agentId, row.id);
  return await readKnowledge(tx, teamId, row.id);
}

async function giveToAgent(tx: Transaction, teamId: string, agentId: string, knowledgeId: string) {
  const [links] = await tx<{ count: number }[]>`
    select count(*)::int as count from public.agent_knowledges where agent_id = ${agentId}`;
  if (requireRow(links).count >= MOST_KNOWLEDGES)
    throw refuseField("agentId", "tooMany", { params: { limit: String(MOST_KNOWLEDGES) } });
  await tx`insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
           values (${teamId}, ${agentId}, ${knowledgeId})`;
}

/**
 * Updates the given fields, and queues the indexing that they require. Undefined when no row could be changed.
 * @param asked the version that the change is based on; undefined: any
 */
export async function updateKnowledge(
  tx: Transaction,
  teamId: string,
  id: string,
  values: KnowledgeUpdate,
  asked?: string,
) {
  const from = tx`public.knowledges k where k.team_id = ${teamId} and k.id = ${id}`;
  await holdVersion(tx, { from, version: version(tx) }, () => readKnowledge(tx, teamId, id), asked);
  const before = await readKnowledge(tx, teamId, id);
  const [row] = await tx`
    update public.knowledges set ${assignments(tx, toColumns(values), "name")}
     where team_id = ${teamId} and id = ${id} returning id`;
  if (!row || !before) return undefined;
  const linked = await link(tx, { teamId, id }, values);
  const after = await readKnowledge(tx, teamId, id);
  if (linked || (after && before.status !== "none" && !sameIndex(before, after)))
    await indexKnowledge(tx, id);
  return await readKnowledge(tx, teamId, id);
}

/** True when both settings produce the same index. */
function sameIndex(a: Knowledge, b: Knowledge): boolean {
  return (
    a.language === b.language &&
    a.chunking.maxTokens === b.chunking.maxTokens &&
    a.chunking.overlapTokens === b.chunking.overlapTokens
  );
}

export async function deleteKnowledge(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.knowledges where team_id = ${teamId} and id = ${id} returning id`;
  return row;
}

/** Queues the indexing of a knowledge base. @returns the task's id */
export async function indexKnowledge(tx: Transaction, id: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select public.index_knowledge(${id}) as id`;
  return requireRow(row).id;
}

type Place = { teamId: string; id: string };

/** Links sources and files to a knowledge base. @returns whether there is something new to index */
async function link(
  tx: Transaction,
  place: Place,
  { sourceIds, fileIds }: KnowledgeUpdate,
): Promise<boolean> {
  const sourcesChanged = sourceIds ? await linkSources(tx, place, sourceIds) : false;
  const filesAdded = fileIds && fileIds.length > 0 ? await addFiles(tx, place, fileIds) : false;
  return sourcesChanged || filesAdded;
}

/** Replaces the knowledge base's sources by these. */
async function linkSources(tx: Transaction, { teamId, id }: Place, sourceIds: string[]): Promise<boolean> {
  const gone = await tx`
    delete from public.knowledge_sources
     where knowledge_id = ${id} and source_id <> all (${sourceIds}::uuid[]) returning source_id`;
  const added = await tx`
    insert into public.knowledge_sources (team_id, knowledge_id, source_id)
    select ${teamId}, ${id}, source_id from unnest(${sourceIds}::uuid[]) as source_id
    on conflict do nothing returning source_id`;
  return gone.length + added.length > 0;
}

/** Adds files to a source of type file that is the knowledge base's own and has room. Creates one if there is none. */
async function addFiles(tx: Transaction, { teamId, id }: Place, fileIds: string[]): Promise<boolean> {
  // The source must belong to this knowledge base only: files added to one must not appear in another.
  const own = tx`
    select s.id, coalesce(s.config -> 'fileIds', '[]') as listed, ks.created_at
      from public.knowledge_sources ks join public.sources s on s.id = ks.source_id and s.type = 'file'
     where ks.knowledge_id = ${id} and not exists (
       select 1 from public.knowledge_sources other
        where other.source_id = ks.source_id and other.knowledge_id <> ${id})`;
  const fresh = await tx<{ id: string }[]>`
    select distinct f.id from unnest(${fileIds}::uuid[]) as f (id)
     where not exists (select 1 from (${own}) o where o.listed ? f.id::text)`;
  if (fresh.length === 0) return true;
  const added = fresh.map((file) => file.id);
  const [changed] = await tx<{ id: string }[]>`
    update public.sources s
       set config = jsonb_set(s.config, '{fileIds}', coalesce(s.config -> 'fileIds', '[]') || ${tx.json(added)})
     where s.id = (
       select o.id from (${own}) o where jsonb_array_length(o.listed) + ${added.length} <= ${MOST_FILES}
        order by o.created_at, o.id limit 1)
    returning s.id`;
  if (changed) return true;
  const { name } = requireRow(await readKnowledge(tx, teamId, id));
  const config = { fileIds: added };
  const sourceId = requireRow(await createSource(tx, teamId, { type: "file", name, config }));
  await tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
           values (${teamId}, ${id}, ${sourceId})`;
  return true;
}
