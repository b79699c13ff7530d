// Owns the state of the database's schema: runs supabase/migrations/*.sql once each, recorded as the supabase CLI does.
// Must not make auth and storage: gateway/system-schema.ts does, before.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { Fatal } from "./fatal.ts";

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** The migrations of a folder in the order in which they run. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const files = (await readdir(dir).catch(() => [])).filter((file) => /^\d+_.+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, version = "", name = ""] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
      return { version, name, sql: await readFile(join(dir, file), "utf8") };
    }),
  );
}

/** A short name for a set of migrations: it changes when any of them does. */
export function fingerprint(migrations: Migration[]): string {
  const hash = createHash("sha256");
  for (const { version, sql } of migrations) hash.update(`${version}\0${sql}\0`);
  return hash.digest("hex").slice(0, 16);
}

/**
 * Applies what is not yet applied, each in a transaction of its own with its record.
 * @param sql a connection as the owner.
 * @returns how many ran.
 * @throws Fatal when one fails or when the database knows a migration that this copy does not have.
 */
export async function migrate(sql: Sql, migrations: Migration[]): Promise<number> {
  await sql.unsafe(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
    alter table supabase_migrations.schema_migrations add column if not exists statements text[];
    alter table supabase_migrations.schema_migrations add column if not exists name text;
  `);
  const applied = new Set(
    (await sql<{ version: string }[]>`select version from supabase_migrations.schema_migrations`).map(
      (row) => row.version,
    ),
  );
  const unknown = [...applied].filter((version) => !migrations.some((one) => one.version === version));
  if (unknown.length > 0) {
    throw new Fatal(
      `The database was written by a newer Parley (migration ${unknown[0]} is unknown here): update this copy, or set PARLEY_DATA_DIR to another folder.`,
    );
  }
  const pending = migrations.filter((one) => !applied.has(one.version));
  for (const one of pending) await apply(sql, one);
  return pending.length;
}

async function apply(sql: Sql, { version, name, sql: text }: Migration): Promise<void> {
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(text);
      await tx`
        insert into supabase_migrations.schema_migrations (version, name, statements)
        values (${version}, ${name}, ${[text]})`;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fatal(`The migration ${version}_${name}.sql failed (${reason}); nothing of it was kept.`);
  }
}
