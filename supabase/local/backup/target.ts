// Owns the filling of an empty database from a backup: runs the migrations of the backup's time, loads its rows, then
// runs the later migrations.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Sql, TransactionSql } from "postgres";
import { withLogin } from "../database-login.ts";
import { Fatal } from "../fatal.ts";
import { createLite } from "../gateway/lite.ts";
import { ensureSystemSchema } from "../gateway/system-schema.ts";
import { migrate, readMigrations } from "../migrate.ts";
import { ensureRecords } from "../preparation.ts";
import { readReleases, requireReleased } from "../releases.ts";
import { projectDir } from "../settings.ts";
import { readEntries } from "./archive.ts";
import { type BackedUpTable, DATA_FOLDER, type Manifest, quoteName } from "./manifest.ts";

const STATEMENT_MS = 24 * 3_600_000;

/** @throws Fatal when a newer release of Parley wrote the backup. */
export async function requireKnown(manifest: Manifest): Promise<void> {
  const ours = await readMigrations(join(projectDir, "supabase/migrations"));
  const unknown = manifest.migrations.find((version) => !ours.some((one) => one.version === version));
  if (!unknown) return;
  throw new Fatal(
    `The backup was made by a newer Parley (${manifest.release}, migration ${unknown} is unknown here): update this copy first.`,
  );
}

/** True when a database contains an installation, or the remains of one. */
export async function isInUse(url: string): Promise<boolean> {
  return withOwner(url, async (sql) => {
    const [row] = await sql`select to_regclass('public.teams') is not null
      or to_regclass('supabase_migrations.schema_migrations') is not null as used`;
    return row?.used === true;
  });
}

/**
 * Fills an empty database. Commits all rows together, or none.
 * @param url the owner's login.
 * @param beforeCommit puts in place what must exist before the rows are committed.
 */
export async function fillDatabase(
  url: string,
  path: string,
  manifest: Manifest,
  beforeCommit: () => Promise<void> = async () => {},
): Promise<void> {
  const ours = await readMigrations(join(projectDir, "supabase/migrations"));
  requireReleased(ours, await readReleases());
  await withOwner(url, async (sql) =>
    sql.unsafe(await readFile(join(projectDir, "supabase/local/postgres/init.sql"), "utf8")),
  );
  await makeSystemSchema(url);
  await withOwner(url, async (sql) => {
    await migrate(
      sql,
      ours.filter(({ version }) => manifest.migrations.includes(version)),
    );
    await ensureRecords(sql);
    await requireTables(sql, manifest.tables);
    await sql.begin(async (tx) => {
      // Loads rows unchanged: no trigger fires, and foreign keys accept any order.
      await tx`set local session_replication_role = replica`;
      const names = manifest.tables.map(({ schema, name }) => quoteName(schema, name));
      await tx.unsafe(`truncate ${names.join(", ")}`);
      for await (const { name, content } of readEntries(path)) {
        const table = manifest.tables.find((one) =>
          name.startsWith(`${DATA_FOLDER}${one.schema}.${one.name}/`),
        );
        if (table) await copyIn(tx, table, content);
      }
      for (const [name, value] of Object.entries(manifest.sequences))
        await tx`select setval(${name}::regclass, ${value}::bigint)`;
      await beforeCommit();
    });
    await migrate(sql, ours);
    await sql`analyze`;
  });
}

async function copyIn(
  tx: TransactionSql,
  table: BackedUpTable,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const columns = table.columns.map((column) => quoteName(column)).join(", ");
  const into = await tx
    .unsafe(`copy ${quoteName(table.schema, table.name)} (${columns}) from stdin`)
    .writable();
  await pipeline(Readable.from(content), into);
}

/** @throws Fatal when the backup has a table or column that its migrations do not create here. */
async function requireTables(sql: Sql, tables: BackedUpTable[]): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname || '.' || a.attname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r'`;
  const here = new Set(rows.map(({ name }) => name));
  const needed = tables.flatMap(({ schema, name, columns }) =>
    columns.map((column) => `${schema}.${name}.${column}`),
  );
  const missing = needed.find((name) => !here.has(name));
  if (missing) throw new Fatal(`The backup has ${missing}, which this copy of Parley does not know.`);
}

/** Creates the schemas auth and storage, as lite does. */
async function makeSystemSchema(url: string): Promise<void> {
  const nowhere = "http://127.0.0.1:9";
  const lite = await createLite({
    port: 0,
    databaseUrl: url,
    jwtSecret: "nobody is served while a backup is restored",
    anonKey: "none",
    serviceKey: "none",
    supabaseUrl: nowhere,
    webUrl: nowhere,
    smtpUrl: "smtp://127.0.0.1:9",
    storageDir: "/nonexistent",
    mailFrom: "Parley <no-reply@parley.test>",
    functions: {},
  });
  try {
    await ensureSystemSchema(lite);
  } finally {
    await lite.close();
  }
}

function withOwner<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = { statement_timeout: STATEMENT_MS, TimeZone: "UTC", DateStyle: "ISO" };
  return withLogin(url, work, { fetch_types: false, connection });
}
