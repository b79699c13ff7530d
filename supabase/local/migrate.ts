// Owns the version of the database's schema: runs each of supabase/migrations/*.sql once, and records it as the
// supabase CLI does. Does not create auth and storage: gateway/system-schema.ts does, before.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { isLoss } from "../../edge-functions/_shared/database/line.ts";
import { codeOf } from "./error-code.ts";
import { Fatal } from "./fatal.ts";

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** Postgres's code for a full disk. */
const DISK_FULL = "53100";

/** Serializes two processes that migrate one database. */
const TURN = "select pg_advisory_xact_lock(hashtext('parley migrations'))";

/**
 * A folder's migrations in the order they run.
 * @throws Fatal when a file would be skipped or two have the same number.
 */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const files = (await readdir(dir).catch(() => [])).filter((file) => file.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? [];
      if (!version || !name) {
        throw new Fatal(`${join(dir, file)} is not named like a migration: <14 digits>_<name>.sql.`);
      }
      return { version, name, sql: await readFile(join(dir, file), "utf8") };
    }),
  );
  const twin = migrations.find((one, index) => one.version === migrations[index - 1]?.version);
  if (twin) throw new Fatal(`Two migrations have the number ${twin.version}: give one of them a later one.`);
  return migrations;
}

/** A short hash of a set of migrations: it changes when any of them does. */
export function fingerprint(migrations: Migration[]): string {
  const hash = createHash("sha256");
  for (const { version, sql } of migrations) hash.update(`${version}\0${sql}\0`);
  return hash.digest("hex").slice(0, 16);
}

/** The migrations that a database has applied, and those of ours that it has not. */
export interface Standing {
  /** Versions, in order; empty for a new database. */
  applied: string[];
  pending: Migration[];
}

/**
 * Reads the applied migrations; creates the record's table when it is missing.
 * @throws Fatal when the database has applied a migration that this copy lacks, or has with other content.
 */
export async function readStanding(sql: Sql, migrations: Migration[]): Promise<Standing> {
  await sql.begin(async (tx) => {
    await tx.unsafe(TURN);
    await tx.unsafe(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
      alter table supabase_migrations.schema_migrations add column if not exists statements text[];
      alter table supabase_migrations.schema_migrations add column if not exists name text;
    `);
  });
  return compareStanding(await readRecord(sql), migrations);
}

/** A migration in a database's record. */
export type Run = { version: string; text: string | null };

/** The migrations that a database has applied; changes nothing. */
export async function readRecord(sql: Sql): Promise<Run[]> {
  return await sql<Run[]>`
    select version, array_to_string(statements, '') as text
      from supabase_migrations.schema_migrations order by version`;
}

/** @throws Fatal as readStanding() does */
export function compareStanding(rows: Run[], migrations: Migration[]): Standing {
  for (const { version, text } of rows) {
    const ours = migrations.find((one) => one.version === version);
    if (!ours) {
      throw new Fatal(
        `The database was written by a newer Parley (migration ${version} is unknown here): update this copy, or set PARLEY_DATA_DIR to another folder.`,
      );
    }
    if (text && essence(text) !== essence(ours.sql)) {
      throw new Fatal(
        `The database has run another migration ${version}_${ours.name}.sql than the one here, so its schema is unknown: restore that file, or set PARLEY_DATA_DIR to another folder.`,
      );
    }
  }
  const applied = rows.map(({ version }) => version);
  return { applied, pending: migrations.filter(({ version }) => !applied.includes(version)) };
}

/** The supabase CLI records a migration as trimmed statements without their semicolons. */
function essence(text: string): string {
  return text.replace(/[\s;]+/g, "");
}

/**
 * Applies the pending migrations, each in its own transaction together with its record, so an interrupted run continues
 * with the next one.
 * @param sql a connection as the owner.
 * @returns how many were applied.
 * @throws Fatal when one fails, and as `readStanding` does.
 */
export async function migrate(sql: Sql, migrations: Migration[]): Promise<number> {
  const { pending } = await readStanding(sql, migrations);
  let ran = 0;
  for (const one of pending) ran += Number(await apply(sql, one));
  return ran;
}

/** @returns false when another process has applied it first. */
async function apply(sql: Sql, { version, name, sql: text }: Migration): Promise<boolean> {
  try {
    return await sql.begin(async (tx) => {
      await tx.unsafe(TURN);
      const done = await tx`select from supabase_migrations.schema_migrations where version = ${version}`;
      if (done.length > 0) return false;
      await tx.unsafe(text);
      await tx`
        insert into supabase_migrations.schema_migrations (version, name, statements)
        values (${version}, ${name}, array[${text}])`;
      return true;
    });
  } catch (error) {
    if (isLoss(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const advice =
      codeOf(error) === DISK_FULL
        ? " Free space on the database's disk and start again: the upgrade goes on where it stopped."
        : "";
    throw new Fatal(
      `The migration ${version}_${name}.sql failed (${reason}); nothing of it was kept.${advice}`,
    );
  }
}
