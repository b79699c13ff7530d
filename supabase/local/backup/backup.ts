// Owns `npm run backup`: writes the rows, files and secrets of an installation, embedded or native, to one file.
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fatal } from "../fatal.ts";
import { objectFileName } from "../gateway/object-file.ts";
import { requireInstallation } from "../open-database.ts";
import { surveySecretsWithin } from "../rotation/reseal.ts";
import { readKeys } from "../rotation/rotate.ts";
import { loadSecrets, type Secrets } from "../secrets.ts";
import { projectDir, type Settings } from "../settings.ts";
import { ArchiveWriter } from "./archive.ts";
import {
  type BackedUpTable,
  FORMAT,
  HEADER_ENTRY,
  type Header,
  pieceName,
  quoteName,
  SECRETS_ENTRY,
  STORAGE_FOLDER,
} from "./manifest.ts";
import { lockBackups, openSnapshot, type SqlInTransaction } from "./snapshot.ts";
import { noteUnfinished, removeUnfinished } from "./unfinished.ts";

/** A tar entry's size precedes its content, so a table is split into pieces that fit in memory. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Fewer where rows are large: one document may be megabytes long. */
const MOST_ROWS = 50;

export interface Summary {
  tables: number;
  rows: number;
  files: number;
  missing: string[];
  /** Secrets that no key in the backup opens, as `table key`. */
  unreadable: string[];
}

/**
 * Writes a backup, whether Parley is running or not.
 * @throws Fatal when there is nothing to back up, another backup runs, or the file exists or cannot be written.
 */
export async function backUp(settings: Settings, env: NodeJS.ProcessEnv, path: string): Promise<Summary> {
  if (existsSync(path)) throw new Fatal(`${path} already exists: name another file.`);
  requireInstallation(settings);
  const lock = lockBackups(settings.dataDir);
  try {
    removeUnfinished(settings.dataDir);
    noteUnfinished(settings.dataDir, path);
    // Before the database is copied, for which all requests wait.
    const archive = await ArchiveWriter.open(path);
    try {
      return await write(archive, settings, env);
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  } finally {
    removeUnfinished(settings.dataDir);
    lock.release();
  }
}

async function write(archive: ArchiveWriter, settings: Settings, env: NodeJS.ProcessEnv): Promise<Summary> {
  const secrets = await loadSecrets(settings.dataDir);
  const { sql, storage, close } = await openSnapshot(settings, secrets);
  try {
    const header: Header = {
      format: FORMAT,
      release: readRelease(),
      createdAt: new Date().toISOString(),
      migrations: await readVersions(sql),
    };
    await archive.add(HEADER_ENTRY, JSON.stringify(header, null, 2));
    const inUse = secretsInUse(secrets, env);
    await archive.add(SECRETS_ENTRY, JSON.stringify(inUse, null, 2));
    const tables: BackedUpTable[] = [];
    let rows = 0;
    for (const table of await readTables(sql)) {
      rows += await writeRows(sql, archive, table);
      tables.push(table);
    }
    const files = await writeFiles(archive, storage);
    const missing = await readMissing(sql, new Set(files));
    const names = new Set(tables.map(({ schema, name }) => `${schema}.${name}`));
    const { unreadable } = await surveySecretsWithin(sql, readKeys(inUse.secretsKey), names);
    await archive.finish({ ...header, tables, sequences: await readSequences(sql), missing });
    return { tables: tables.length, rows, files: files.length, missing, unreadable };
  } finally {
    await close();
  }
}

function readRelease(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"));
  return version;
}

/** A key in the environment takes precedence over the one in the folder, because it encrypted the stored secrets. */
function secretsInUse(secrets: Secrets, env: NodeJS.ProcessEnv): Secrets {
  return {
    ...secrets,
    secretsKey: env.SECRETS_KEY || secrets.secretsKey,
    cookieSecret: env.COOKIE_SECRET || secrets.cookieSecret,
  };
}

async function readVersions(sql: SqlInTransaction): Promise<string[]> {
  const rows = await sql`select version from supabase_migrations.schema_migrations order by version`;
  return rows.map(({ version }) => version);
}

/** Every table except the record of migrations, which running them writes, and the record of the preparation. */
async function readTables(sql: SqlInTransaction): Promise<BackedUpTable[]> {
  const rows = await sql<{ schema: string; name: string; columns: string }[]>`
    select n.nspname as schema, c.relname as name,
           (select json_agg(a.attname order by a.attnum) from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')::text as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage', 'supabase_migrations')
       and (n.nspname, c.relname) not in (('supabase_migrations', 'schema_migrations'), ('supabase_migrations', 'prepared'))
     order by 1, 2`;
  return rows.map(({ schema, name, columns }) => ({ schema, name, columns: JSON.parse(columns), pieces: 0 }));
}

/**
 * Writes a table in COPY's text format, from values that Postgres formatted as text. COPY TO itself hangs in postgres.js 3.4.9 when the end
 * of the response arrives while its stream is full: nothing resumes the socket.
 * @returns the number of rows; sets the number of pieces in `table`.
 */
async function writeRows(
  sql: SqlInTransaction,
  archive: ArchiveWriter,
  table: BackedUpTable,
): Promise<number> {
  const columns = table.columns.map((column) => `${quoteName(column)}::text`).join(", ");
  await sql.unsafe(
    `declare rows no scroll cursor for select ${columns} from ${quoteName(table.schema, table.name)}`,
  );
  let rows = 0;
  let pending: string[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    table.pieces += 1;
    await archive.add(pieceName(table, table.pieces), pending.join(""));
    pending = [];
    bytes = 0;
  };
  let fetched = 1;
  for (;;) {
    const batch: (string | null)[][] = await sql.unsafe(`fetch ${fetched} from rows`).values();
    if (batch.length === 0) break;
    rows += batch.length;
    let batchBytes = 0;
    for (const row of batch) {
      const line = `${row.map(encode).join("\t")}\n`;
      pending.push(line);
      bytes += line.length;
      batchBytes += line.length;
      if (bytes >= PIECE_BYTES) await flush();
    }
    const fitting = Math.ceil((PIECE_BYTES * batch.length) / batchBytes);
    fetched = Math.min(MOST_ROWS, fetched * 8, fitting);
  }
  await flush();
  await sql.unsafe("close rows");
  return rows;
}

/** Encodes a value in COPY's text format. */
function encode(value: string | null): string {
  if (value === null) return "\\N";
  return value.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** @returns the names of the files, which are hashes of bucket and key. */
async function writeFiles(archive: ArchiveWriter, storage: string): Promise<string[]> {
  const names: string[] = [];
  for (const folder of (await readdir(storage)).sort()) {
    for (const name of (await readdir(join(storage, folder))).sort()) {
      await archive.addFile(`${STORAGE_FOLDER}${folder}/${name}`, join(storage, folder, name));
      names.push(name);
    }
  }
  return names;
}

async function readMissing(sql: SqlInTransaction, files: Set<string>): Promise<string[]> {
  const rows = await sql<{ bucket: string; name: string }[]>`
    select bucket_id as bucket, name from storage.objects order by name`;
  return rows.filter(({ bucket, name }) => !files.has(objectFileName(bucket, name))).map(({ name }) => name);
}

async function readSequences(sql: SqlInTransaction): Promise<Record<string, string>> {
  const rows = await sql<{ schema: string; name: string; value: string | null }[]>`
    select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname in ('public', 'private', 'auth', 'storage')`;
  return Object.fromEntries(
    rows.flatMap(({ schema, name, value }) => (value === null ? [] : [[quoteName(schema, name), value]])),
  );
}
