// Owns the SQL of sources. Row-level security decides which rows are visible. ./credentials.ts handles credentials.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { problemIn } from "../../_shared/text/problems.ts";
import type { PageQuery } from "../router.ts";
import { holdVersion } from "../row-versions.ts";
import { orderBy } from "../sorting.ts";
import { contains, numberedPage, ofTeam } from "../sql.ts";
import type { NewSource, SkippedItem, Source, SourceConfig, SourcesQuery, SourceType } from "./schema.ts";

// Excludes credentials, which no response contains: a form that leaves them empty keeps them.
const version = (tx: Transaction) => tx`md5(row(s.name, s.config, s.schedule)::text)`;

const columns = (tx: Transaction) => tx`
  s.id, s.team_id, s.type, s.name, s.config, private.has_credentials(s.id) as has_credentials, s.status,
  s.documents_count, s.synced_at, s.schedule, s.next_sync_at, s.error, ${version(tx)} as version,
  s.created_at, s.updated_at`;

const order = (tx: Transaction) => ({
  id: tx`s.id`,
  createdAt: tx`s.id`,
  name: tx`s.name collate private.natural_order`,
  status: tx`s.status`,
  syncedAt: tx`coalesce(s.synced_at, '-infinity')`,
});

/** Newest first, unless sorted otherwise. @param teamId null: the sources of every team */
export async function listSources(
  tx: Transaction,
  teamId: TeamId | null,
  { type, name, ids, sort = "-createdAt", page, perPage }: SourcesQuery,
) {
  const matches = tx`${ofTeam(tx, "s.team_id", teamId)} ${type ? tx`and s.type = ${type}` : tx``}
                     ${name ? tx`and s.name ilike ${contains(name)}` : tx``}
                     ${ids ? tx`and s.id = any (${ids}::uuid[])` : tx``}`;
  const found = await numberedPage<SourceRow>(
    tx,
    {
      columns: columns(tx),
      from: tx`public.sources s where ${matches}`,
      order: orderBy(tx, sort, order(tx)),
    },
    { page, perPage },
  );
  return { ...found, data: found.data.map(sourceOf) };
}

type SourceRow = Omit<Source, "showsNothing">;

/** The failures of syncs whose service shows nothing at all. */
const emptied: readonly (string | undefined)[] = [
  "listedNothing",
  "confluenceNone",
  "googleDriveNone",
  "notionNone",
];

const sourceOf = (row: SourceRow): Source => ({
  ...row,
  showsNothing: row.error !== null && emptied.includes(problemIn(row.error)?.code),
});

export async function readSource(tx: Transaction, teamId: TeamId, id: string): Promise<Source | undefined> {
  const [row] = await tx<SourceRow[]>`
    select ${columns(tx)} from public.sources s where s.team_id = ${teamId} and s.id = ${id}`;
  return row && sourceOf(row);
}

/** @returns the new source's id */
export async function createSource(
  tx: Transaction,
  teamId: TeamId,
  values: { type: SourceType; name: string; config: SourceConfig; schedule?: NewSource["schedule"] },
): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    insert into public.sources (team_id, type, name, config, schedule)
    values (${teamId}, ${values.type}, ${values.name}, ${tx.json(values.config)}, ${values.schedule ?? "manual"}) returning id`;
  return row?.id;
}

/**
 * Updates the given fields. Undefined when no row could be changed.
 * @param asked the version that the change is based on; undefined: any
 */
export async function updateSource(
  tx: Transaction,
  teamId: string,
  id: string,
  values: { name?: string; config?: SourceConfig; schedule?: NewSource["schedule"] },
  asked?: string,
) {
  const from = tx`public.sources s where s.team_id = ${teamId} and s.id = ${id}`;
  await holdVersion(tx, { from, version: version(tx) }, () => readSource(tx, teamId, id), asked);
  const [row] = await tx<{ id: string }[]>`
    update public.sources
       set name = coalesce(${values.name ?? null}, name),
           schedule = coalesce(${values.schedule ?? null}, schedule),
           config = coalesce(${values.config ? tx.json(values.config) : null}::jsonb, config)
     where team_id = ${teamId} and id = ${id} returning id`;
  return row;
}

/** The items of a source that were skipped, by address. */
export async function listSkipped(tx: Transaction, id: string, pages: PageQuery) {
  return await numberedPage<SkippedItem>(
    tx,
    {
      columns: tx`p.address, p.title, p.document_id, p.problem`,
      from: tx`private.skipped_items(${id}) p`,
      order: tx`p.address, p.document_id`,
    },
    pages,
  );
}

export async function deleteSource(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.sources where team_id = ${teamId} and id = ${id} returning id`;
  return row;
}

/** Queues listing a source's documents. @returns the task's id */
export async function loadDocuments(tx: Transaction, id: string): Promise<string> {
  return await taskOf(tx<TaskRow[]>`select public.load_documents(${id}) as id`);
}

/** Queues the indexing of a source in every knowledge base that contains it. @returns the task's id */
export async function indexSource(tx: Transaction, id: string): Promise<string> {
  return await taskOf(tx<TaskRow[]>`select public.index_source(${id}) as id`);
}

/**
 * Queues a full sync of a source, and the indexing of what changed.
 * @param acceptsEmpty whether every document is removed when the service shows none
 * @returns the task's id
 */
export async function syncSource(tx: Transaction, id: string, acceptsEmpty = false): Promise<string> {
  return await taskOf(tx<TaskRow[]>`select public.sync_source(${id}, ${acceptsEmpty}) as id`);
}

/** Requests a stop of a source's open tasks. @returns the id of one of them, null if none was open */
export async function stopIndexing(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx<{ id: string | null }[]>`select public.stop_indexing(${id}) as id`;
  return row?.id ?? null;
}

export async function forgetIndexes(tx: Transaction, id: string): Promise<void> {
  await tx`select public.forget_indexes(${id})`;
}

type TaskRow = { id: string };

async function taskOf(rows: Promise<TaskRow[]>): Promise<string> {
  const [row] = await rows;
  if (!row) throw new Error("the database returned no task");
  return row.id;
}
