// Owns what tests of deletions that can be undone share: a world, deleting and restoring in it as the API does, and comparing all rows.
import type { Sql, TransactionSql } from "postgres";
import { type Actor, claimsOf } from "../support/actors.ts";
import type { Permission } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

export const kinds = {
  agents: "agents.write",
  knowledges: "knowledges.write",
  sources: "sources.write",
  qa_entries: "sources.write",
  agent_tests: "agents.write",
  files: "files.write",
} as const satisfies Record<string, Permission>;
export type Kind = keyof typeof kinds;
export const allKinds = Object.keys(kinds) as Kind[];

/** Tables of deleted rows, and intermediate work that is recreated. */
export const apart = [
  ...["deletions", "deleted_rows", "deleted_chunk_words", "deleted_chunk_embeddings", "kept_objects"],
  ...["builds", "staged_chunks", "document_pieces", "listings", "listed_items", "slack_states"],
].map((name) => `private.${name}`);
/** What a team stores is compared as a sum, and calls are counted whether they are undone or not. */
const counted = ["private.team_storage", "private.storage_changes", "private.rate_limits"];
export const readUse = async (tx: TransactionSql) =>
  (await tx`select sum(bytes)::int as bytes from private.storage_changes where team_id = ${world.team}`)[0]
    ?.bytes;

export let database: TestPostgres;
export let sql: Sql;
export let world: World;
let tables: string[];
export const rootOf = (kind: Kind): string =>
  ({
    agents: world.agent,
    knowledges: world.knowledge,
    sources: world.source,
    qa_entries: world.qaEntry,
    agent_tests: world.agentTest,
    files: world.file,
  })[kind];

export async function startDeletions(): Promise<void> {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  // The world's own, without an actual deletion.
  await sql`delete from private.deletions`;
  const found = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'private') order by 1`;
  tables = found.map(({ name }) => name).filter((name) => ![...apart, ...counted].includes(name));
}

export const by = <T>(tx: TransactionSql, actor: Actor, work: () => Promise<T>) =>
  actAs(tx, claimsOf(actor, world), work);

/** Deletes as the API does. @returns the deadline for undoing it, and the number of rows deleted */
export async function remove(tx: TransactionSql, kind: Kind, id = rootOf(kind)) {
  const [kept] = await tx<{ until: Date | null }[]>`
    select private.keep_deleted(${kind}, ${world.team}, ${id}) as until`;
  const gone =
    await tx`delete from ${tx(`public.${kind}`)} where team_id = ${world.team} and id = ${id} returning 1`;
  return { until: kept?.until ?? null, gone: gone.length };
}
/** Copies a file's bytes first, as the service does. @returns the copies' paths by original path */
export async function copyBytes(tx: TransactionSql): Promise<[string, string][]> {
  return await actAs(tx, { role: "service_role" }, async () => {
    const noted = await tx<{ original: string; copy: string }[]>`
      select * from private.note_copies(${world.team}, ${world.file})`;
    await tx`select private.copies_made(${noted.map(({ copy }) => copy)})`;
    return noted.map(({ original, copy }) => [original, copy]);
  });
}
export const restore = (tx: TransactionSql, kind: Kind, id = rootOf(kind)) =>
  tx`select private.restore_deleted(${kind}, ${world.team}, ${id})`;
/** Postgres's error code for a refused restore; undefined when it succeeds. */
export async function refusedRestore(
  tx: TransactionSql,
  kind: Kind,
  id = rootOf(kind),
): Promise<string | undefined> {
  return await tx
    .savepoint(async (point) => void (await restore(point, kind, id)))
    .then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
}

/** Every row of every table except those apart, as text, by table. Only tasks that existed before. */
export async function everything(
  tx: TransactionSql,
  before?: Map<string, string[]>,
): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const name of tables) {
    const found = await tx.unsafe<{ row: string }[]>(
      `select (to_jsonb(t) - 'updated_at')::text as row from ${name} t`,
    );
    rows.set(name, found.map(({ row }) => row).sort());
  }
  if (before) {
    const known = new Set(before.get("public.tasks"));
    rows.set(
      "public.tasks",
      (rows.get("public.tasks") ?? []).filter((row) => known.has(row)),
    );
  }
  return rows;
}
export const differences = (one: Map<string, string[]>, other: Map<string, string[]>) =>
  [...one].flatMap(([name, rows]) => {
    const there = new Set(other.get(name));
    return rows.filter((row) => !there.has(row)).map((row) => `${name} ${row}`);
  });

/** The rows with a file's original paths, and without unwanted objects. */
export function moveBack(rows: Map<string, string[]>, copies: [string, string][]): void {
  for (const [original, copy] of copies) {
    for (const name of ["public.files", "public.file_versions"])
      rows.set(
        name,
        rows
          .get(name)
          ?.map((row) => row.replace(copy, original))
          .sort() ?? [],
      );
    const name = "private.unwanted_objects";
    rows.set(name, rows.get(name)?.filter((row) => !row.includes(original)) ?? []);
  }
}

/** Runs deferred work of the transaction's end, such as storing an agent's versions. */
export async function settle(tx: TransactionSql): Promise<void> {
  await tx`set constraints all immediate`;
  await tx`set constraints all deferred`;
}

/** Adds more rows where the world has few. */
export async function furnish(tx: TransactionSql, kind: Kind): Promise<void> {
  await tx`update public.sources set schedule = 'daily', next_sync_at = '2100-01-01' where id = ${world.source}`;
  // A changed list of files restarts a listing.
  if (kind !== "files") await tx`update public.sources set sync_cursor = 'c' where id = ${world.source}`;
  await tx`update public.sources set config = ${tx.json({ fileIds: [world.file] })} where id in (${world.source}, ${world.otherSource})`;
  await tx`update public.documents set external_id = ${world.file} where id = ${world.document}`;
  await tx`update public.document_indexes set status = 'ready', chunks_count = 3 where knowledge_id = ${world.knowledge}`;
  await tx`select private.recount_sources(array(select id from public.sources)),
                  private.recount_knowledges(array(select id from public.knowledges))`;
  await tx`update public.agent_tests set expected_document_id = ${world.document}, must_refuse = false where id = ${world.agentTest}`;
  await tx`update public.chats set rating = 'up' where id = ${world.chats.viewer}`;
  await tx`insert into public.tasks (team_id, type, key, knowledge_id, status, run_after)
           values (${world.team}, 'index', ${`index:knowledge:${world.knowledge}`}, ${world.knowledge}, 'queued', '2100-01-01')`;
}
