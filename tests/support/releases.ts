// Owns the installations of past releases that upgrades are tested on (tests/fixtures/releases). Does not upgrade them.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import postgres, { type Sql } from "postgres";
import { startPostgres } from "../../supabase/local/postgres/server.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { copyTemplate } from "./postgres.ts";

const releasesDir = "tests/fixtures/releases";

/** Every past release, such as "1.0.0". */
export const releases = readdirSync(releasesDir, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The path of the bytes in the release's storage. */
export const storageOf = (release: string) => join(releasesDir, release, "storage");

/**
 * Replaces a database's content with a release's.
 * @param url the owner's login.
 */
export async function loadRelease(url: string, release: string): Promise<void> {
  const dump = gunzipSync(readFileSync(join(releasesDir, release, "database.sql.gz"))).toString("utf8");
  // A dump changes the session's settings, so it gets a session of its own.
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { statement_timeout: 300_000 },
  });
  try {
    await sql.unsafe(readFileSync("supabase/local/postgres/init.sql", "utf8"));
    await sql.unsafe(
      "drop schema if exists public, private, auth, storage, extensions, supabase_migrations cascade",
    );
    await sql.unsafe(
      "create schema public authorization pg_database_owner; grant usage on schema public to public",
    );
    await sql.unsafe(dump);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Copies a release's files and secrets into a data folder. */
export function copyReleaseFiles(release: string, dataDir: string): void {
  for (const name of ["storage", "secrets.json"]) {
    const from = join(releasesDir, release, name);
    if (existsSync(from)) cpSync(from, join(dataDir, name), { recursive: true });
  }
}

export interface Table {
  /** `schema.name`, quoted where necessary. */
  name: string;
  key: string[];
  columns: string[];
}

/** Every table of ours and of auth and storage, with its primary key. */
export async function readTables(sql: Sql): Promise<Table[]> {
  const rows = await sql<{ name: string; key: string; columns: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
           (select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)) from pg_index i
              join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
             where i.indrelid = c.oid and i.indisprimary)::text as key,
           (select json_agg(a.attname order by a.attnum) from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage', 'supabase_migrations')
     order by 1`;
  return rows.map(({ name, key, columns }) => ({ name, key: JSON.parse(key), columns: JSON.parse(columns) }));
}

/** A table's rows by their primary key, each value in Postgres's JSON form. */
export async function readRowsByKey(
  sql: Sql,
  { name, key, columns }: Table,
): Promise<Map<string, Record<string, unknown>>> {
  const list = columns.map((column) => `t."${column}"`).join(", ");
  const rows = await sql.unsafe(`select to_jsonb(r)::text as row from (select ${list} from ${name} t) r`);
  return new Map(
    rows.map(({ row }) => {
      const values: Record<string, unknown> = JSON.parse(row);
      return [JSON.stringify(key.map((column) => values[column])), values];
    }),
  );
}

/** A data folder as the release left it: the input of today's `npm start`. */
export async function makeReleaseFolder(release: string, dataDir: string): Promise<void> {
  copyReleaseFiles(release, dataDir);
  // The cluster is copied: creating one takes seconds. loadRelease() replaces its content.
  const empty = await copyTemplate("bare");
  cpSync(empty.dataDir, join(dataDir, "postgres"), { recursive: true });
  rmSync(empty.folder, { recursive: true });
  await withFolder(dataDir, (url) => loadRelease(url, release));
}

/** Opens the embedded database of a data folder that is not in use. */
export async function withFolder<T>(
  dataDir: string,
  work: (url: string, sql: Sql) => Promise<T>,
): Promise<T> {
  const secrets = await loadSecrets(dataDir);
  const passwords = { postgres: secrets.postgresPassword, authenticator: secrets.authenticatorPassword };
  const running = await startPostgres({
    dataDir: join(dataDir, "postgres"),
    port: 0,
    passwords,
    durable: false,
  });
  const url = `postgres://postgres:${passwords.postgres}@127.0.0.1:${running.port}/postgres`;
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(url, sql);
  } finally {
    await sql.end({ timeout: 1 });
    await running.stop();
  }
}

/** All rows of all tables, by table and key; those that a preparation writes separately. */
export async function readEverything(sql: Sql): Promise<Record<string, Record<string, unknown>>> {
  const own = ["supabase_migrations.schema_migrations", "supabase_migrations.prepared"];
  const tables = (await readTables(sql)).filter(({ name }) => !own.includes(name));
  const everything: Record<string, Record<string, unknown>> = {};
  for (const table of tables) everything[table.name] = Object.fromEntries(await readRowsByKey(sql, table));
  return everything;
}
