// Owns the record of one-time work on a database (preparation, demo data), so that a later start skips it.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { withLogin as withDatabaseLogin } from "./database-login.ts";
import { fingerprint, readMigrations } from "./migrate.ts";
import { projectDir } from "./settings.ts";

export const PREPARED_TABLE = "supabase_migrations.prepared";
const SEEDED_TABLE = "supabase_migrations.seeded";

/**
 * Changes whenever the preparation would: covers its inputs and the version of lite.
 * @param functionsUrl the login of the edge functions.
 */
export async function preparationFingerprint(functionsUrl: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(fingerprint(await readMigrations(join(projectDir, "supabase/migrations"))));
  const { username, password } = new URL(functionsUrl);
  hash.update(`${username}:${password}`);
  for (const path of [
    "supabase/releases.json",
    "supabase/local/postgres/init.sql",
    "supabase/local/gateway/system-schema.ts",
    "supabase/seed.sql",
    "node_modules/@supabase/lite/package.json",
  ]) {
    hash.update(`\0${path}\0`);
    hash.update(await readFile(join(projectDir, path), "utf8").catch(() => ""));
  }
  return hash.digest("hex");
}

export const databaseEnded =
  "The database ended while it was being prepared: start Parley again, which goes on from there.";

/**
 * True when the database is in the state that the preparation produces. The record alone does not prove it: a copy of the database on
 * another server includes the record, but not the server's roles.
 * @param url the owner's login.
 */
export async function isPrepared(url: string, functionsUrl: string): Promise<boolean> {
  if ((await readFingerprint(url)) !== (await preparationFingerprint(functionsUrl))) return false;
  return (await whatIsMissing(url, functionsUrl)) === undefined;
}

/** True when a start has prepared the database. A backup leaves the record out: a restored database has none until it is started. */
export async function wasPrepared(url: string): Promise<boolean> {
  return (await readFingerprint(url)) !== undefined;
}

/** A sentence about what keeps the functions from using a prepared database; undefined when nothing does. */
export async function whatIsMissing(url: string, functionsUrl: string): Promise<string | undefined> {
  const whole = await withLogin(url, async (sql) => {
    const [row] = await sql<{ whole: boolean }[]>`
      select (select count(*) from pg_roles where rolname in ('anon', 'authenticated', 'service_role')) = 3
         and exists (
           select from pg_class c, aclexplode(c.relacl) a
            where c.oid = to_regclass('public.teams') and a.grantee = to_regrole('service_role'))
         and exists (select from pg_policies where schemaname = 'public' and 'authenticated' = any (roles)) as whole`;
    return row?.whole === true;
  });
  if (!whole) {
    return "The database was copied here without the rights of its roles, so that nobody could use it: bring it here by npm run backup and npm run restore.";
  }
  try {
    await withLogin(functionsUrl, (sql) => sql.begin((tx) => tx`set local role service_role`));
    return undefined;
  } catch (error) {
    const { username } = new URL(functionsUrl);
    const reason = error instanceof Error ? error.message : String(error);
    return `The edge functions cannot log in to the database as ${username} (${reason}): let that role in (pg_hba.conf).`;
  }
}

/** Waits, while the database starts and is migrated, until it has the wanted fingerprint. "" does not wait. */
export async function waitUntilPrepared(url: string, wanted: string): Promise<void> {
  while (wanted && (await readFingerprint(url).catch(() => undefined)) !== wanted) await sleep(50);
}

/** True when the demo data was created once. Later releases do not create it again, so what users have deleted of it stays deleted. */
export async function isSeeded(url: string): Promise<boolean> {
  return withLogin(url, async (sql) => {
    const [known] = await sql`select to_regclass(${SEEDED_TABLE}) is not null as here`;
    return known?.here && (await sql`select 1 from ${sql(SEEDED_TABLE)} limit 1`).length > 0;
  });
}

/** Creates the tables that record seeds; the first is the supabase CLI's own. */
export async function ensureRecords(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null);
    alter table supabase_migrations.seed_files enable row level security;
    create table if not exists ${SEEDED_TABLE} (fingerprint text primary key);
    alter table ${SEEDED_TABLE} enable row level security;`);
}

export async function recordSeed(url: string): Promise<void> {
  await withLogin(url, async (sql) => {
    await ensureRecords(sql);
    // Earlier releases stored a hash of the program.
    await sql`insert into ${sql(SEEDED_TABLE)} values ('created') on conflict do nothing`;
  });
}

function readFingerprint(url: string): Promise<string | undefined> {
  return withLogin(url, async (sql) => {
    const [known] = await sql`select to_regclass(${PREPARED_TABLE}) is not null as here`;
    if (!known?.here) return undefined;
    const [row] = await sql`select fingerprint from ${sql(PREPARED_TABLE)}`;
    return row?.fingerprint;
  });
}

const withLogin = <T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> =>
  withDatabaseLogin(url, work, { connect_timeout: 5, fetch_types: false });
