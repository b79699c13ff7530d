// Owns a team's export: a ZIP streamed as it is built, so that its size costs no memory. Reads as the caller, a page at a time, and fails
// when the caller loses the permission meanwhile; excludes what row-level security or column grants hide.
import { createHash } from "node:crypto";
import { makeZip } from "client-zip";
import { asCaller, asCallerIn, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { getObject, parseObjectKey } from "../../_shared/storage/storage.ts";
import { archiveFormat, manifestName } from "../../importing/archive.ts";
import { readSettings } from "../handovers/settings.ts";
import type { Team } from "./schema.ts";

const byIndexing = "Indexing creates it from the documents.";
const ofTests = "The tests are exported, and run again where the team is imported.";
/** Tables with a team_id that an export leaves out, and why. All others are included. */
export const leftOut: Record<string, string> = {
  chunks: byIndexing,
  chunk_words: byIndexing,
  chunk_embeddings: byIndexing,
  agent_test_runs: ofTests,
  agent_test_results: ofTests,
  file_versions: "Only the current version of each file is exported.",
  onboardings:
    "The agent, the knowledge base and the suggested questions that onboarding created are exported.",
  document_tables: byIndexing,
  table_rows: byIndexing,
  team_imports: "It records how the team came to this installation.",
  model_usage: "It records what this installation paid for.",
};

type Table = { name: string; columns: string[]; key: string[] };
type Row = Record<string, unknown>;
type StoredFile = { id: string; path: string; name: string; createdAt: string };
type Entry = { name: string; lastModified?: Date; input: AsyncIterable<Uint8Array> | string };
type Sums = Record<string, { size: number; sha256: string }>;

/** A caller who may delete a team may also export it. */
export const exportPermission = "team.delete";

const rowsAtOnce = 200;
/** Few at a time: a document's text has up to 4 Mi characters. */
const documentsAtOnce = 8;
/** A part of the download: each is hashed, packed and sent by itself. */
const charactersAtOnce = 65_536;
/** A file's bytes can take minutes to download, in which the next files may be deleted. */
const filesAtOnce = 1;
/** A page or a file takes a slow reader minutes: access is checked again meanwhile. */
const checkEveryMs = 1000;

export const exportName = ({ codename }: Team): string =>
  `${codename}-${new Date().toISOString().slice(0, 10)}.zip`;

/** The ZIP's bytes. If the database or storage fails, or access ends, the stream ends with an error and the download fails. */
export function exportOf(claims: Claims, team: Team): ReadableStream<Uint8Array> {
  return makeZip(entriesOf(claims, team), { buffersAreUTF8: true });
}

/** All entries. The manifest with their checksums comes last, because each entry is read once. */
async function* entriesOf(claims: Claims, team: Team): AsyncGenerator<Entry> {
  const sums: Sums = {};
  const about: Record<string, unknown> = {};
  for await (const entry of dataOf(claims, team, about)) {
    yield { ...entry, input: whilePermitted(claims, team.id, hashEntry(entry, sums)) };
  }
  const manifest = { format: archiveFormat, exportedAt: new Date().toISOString(), ...about, entries: sums };
  yield { name: manifestName, input: JSON.stringify(manifest, null, 2) };
}

async function* hashEntry({ name, input }: Entry, sums: Sums): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const part of typeof input === "string" ? [new TextEncoder().encode(input)] : input) {
    size += part.length;
    hash.update(part);
    yield part;
  }
  sums[name] = { size, sha256: hash.digest("hex") };
}

/** @throws ApiError as rowsOf() */
async function* whilePermitted<T>(
  claims: Claims,
  teamId: string,
  parts: AsyncIterable<T>,
): AsyncGenerator<T> {
  let checkedAt = performance.now();
  for await (const part of parts) {
    if (performance.now() - checkedAt > checkEveryMs) {
      await asCallerIn({ id: teamId, permission: exportPermission }, claims, async () => {});
      checkedAt = performance.now();
    }
    yield part;
  }
}

/** @param about further fields of the manifest */
async function* dataOf(claims: Claims, team: Team, about: Record<string, unknown>): AsyncGenerator<Entry> {
  const counts: Record<string, number> = {};
  const missing: string[] = [];
  Object.assign(about, { rows: counts, leftOut, missingFiles: missing });
  const { role: _role, permissions: _permissions, ...plain } = team;
  const { isOffered: offersHandovers } = await readSettings(team.id);
  yield { name: "team.json", input: JSON.stringify({ ...plain, offersHandovers }, null, 2) };
  for (const table of await asCaller(claims, readTables)) {
    yield { name: `tables/${table.name}.jsonl`, input: linesOf(claims, team.id, table, counts) };
  }
  for await (const file of rowsOf<StoredFile>(claims, team.id, filesTable, filesAtOnce)) {
    const input = await bytesOf(team.id, file);
    if (!input) missing.push(file.path);
    else
      yield {
        name: `files/${file.id}/${safeName(file.name)}`,
        lastModified: new Date(file.createdAt),
        input,
      };
  }
}

const filesTable: Table = { name: "files", columns: ["id", "path", "name", "created_at"], key: ["id"] };

/** The tables with teams' rows, and the columns that the caller's role may read: secrets are granted to nobody. */
export async function readTables(tx: Transaction): Promise<Table[]> {
  return await tx<Table[]>`
    select c.relname as name,
           array(select a.attname::text from pg_catalog.pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                    and has_column_privilege(c.oid, a.attnum, 'select') order by a.attnum) as columns,
           array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
                   join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as key
      from pg_catalog.pg_class c
      join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all (${Object.keys(leftOut)})
       and exists (select 1 from pg_catalog.pg_attribute a
                    where a.attrelid = c.oid and a.attname = 'team_id' and not a.attisdropped)
       and has_any_column_privilege(c.oid, 'select')
     order by c.relname`;
}

async function* linesOf(claims: Claims, teamId: string, table: Table, counts: Record<string, number>) {
  const encoder = new TextEncoder();
  counts[table.name] = 0;
  const most = table.name === "documents" ? documentsAtOnce : rowsAtOnce;
  let lines = "";
  for await (const row of rowsOf<Row>(claims, teamId, table, most)) {
    counts[table.name] = (counts[table.name] ?? 0) + 1;
    lines += `${JSON.stringify(row)}\n`;
    if (lines.length < charactersAtOnce) continue;
    yield encoder.encode(lines);
    lines = "";
  }
  if (lines) yield encoder.encode(lines);
}

/**
 * Reads page by page, each in its own transaction, so that a slow download blocks nobody.
 * @throws ApiError NOT_FOUND or FORBIDDEN when the caller has lost the permission: the rest would look empty
 */
async function* rowsOf<R extends object>(
  claims: Claims,
  teamId: string,
  table: Table,
  most: number,
): AsyncGenerator<R> {
  const team = { id: teamId, permission: exportPermission };
  let after: string[] | undefined;
  for (;;) {
    const rows = await asCallerIn(team, claims, (tx) => readPage<R>(tx, teamId, table, most, after));
    yield* rows.map(({ row }) => row);
    after = rows.at(-1)?.place;
    if (rows.length < most) return;
  }
}

async function readPage<R>(tx: Transaction, teamId: string, table: Table, most: number, after?: string[]) {
  const { name, columns, key } = table;
  const place = key.map((column) => tx`${tx(column)}::text`);
  const since = key.map((column, at) => tx`${at > 0 ? tx`,` : tx``} ${tx(column)}`);
  const values = (after ?? []).map((value, at) => tx`${at > 0 ? tx`,` : tx``} ${value}`);
  const rows = await tx<Record<string, unknown>[]>`
    select ${tx(columns)}, array[${place.map((column, at) => tx`${at > 0 ? tx`,` : tx``} ${column}`)}] as "exportPlace"
      from public.${tx(name)}
     where team_id = ${teamId} ${after ? tx`and (${since}) > (${values})` : tx``}
     order by ${since} limit ${most}`;
  // The columns are the table's own; the caller of rowsOf() names their type.
  return rows.map(({ exportPlace, ...row }) => ({ row: row as R, place: exportPlace as string[] }));
}

/** Null if the row exists but the object does not; the manifest lists such files. */
async function bytesOf(teamId: string, { path }: StoredFile): Promise<AsyncIterable<Uint8Array> | null> {
  try {
    return (await getObject(parseObjectKey(path, teamId))).body;
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** A file name that cannot leave its folder on any system. */
function safeName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be replaced
  const plain = name.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, "_").replace(/^\.+|[. ]+$/g, "_");
  return plain || "file";
}
