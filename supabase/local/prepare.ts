// Owns the one-shot process that brings a database up to date: roles, lite's schemas, migrations, seed.sql. It ends
// before anything else uses the database. The supervisor runs it only when preparation.ts detects a change.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { isLoss } from "../../edge-functions/_shared/database/line.ts";
import { lineOf } from "../../edge-functions/_shared/operation/log.ts";
import { withLogin } from "./database-login.ts";
import { Fatal } from "./fatal.ts";
import { createLite } from "./gateway/lite.ts";
import { readGatewaySettings } from "./gateway/settings.ts";
import { ensureSystemSchema } from "./gateway/system-schema.ts";
import { type Migration, migrate, readMigrations, readStanding } from "./migrate.ts";
import {
  databaseEnded,
  ensureRecords,
  PREPARED_TABLE,
  preparationFingerprint,
  whatIsMissing,
} from "./preparation.ts";
import { readReleases, requireReleased } from "./releases.ts";
import { SafetyCopy } from "./safety-copy.ts";
import { projectDir } from "./settings.ts";

/** Migrating a large database takes long, so the general statement limit does not apply. */
const STATEMENT_MS = 24 * 3_600_000;

const settings = readGatewaySettings(process.env);
const functionsUrl = process.env.AUTHENTICATOR_URL ?? "";
const read = (path: string) => readFile(join(projectDir, path), "utf8").catch(() => "");
const say = (message: string, fields: { isNotice?: true } = {}) =>
  console.log(lineOf("info", message, { process: "prepare", ...fields }));

// The driver throws outside of any promise when its server dies within a transaction.
process.once("uncaughtException", (error) => {
  fail(new Fatal(databaseEnded, { cause: error }));
  process.exit();
});
try {
  const migrations = await readMigrations(join(projectDir, "supabase/migrations"));
  requireReleased(migrations, await readReleases());
  await withPreparationLock(() => prepare(migrations));
  const missing = await whatIsMissing(settings.databaseUrl, functionsUrl);
  if (missing) throw new Fatal(missing);
} catch (error) {
  fail(isLoss(error) ? new Fatal(databaseEnded) : error);
}

function fail(error: unknown): void {
  const words = error instanceof Fatal ? error.message : `The database could not be prepared (${error}).`;
  console.error(lineOf("error", words, { process: "prepare" }));
  process.exitCode = 1;
}

async function prepare(migrations: Migration[]): Promise<void> {
  await withOwner(async (sql) => {
    await sql.unsafe(await read("supabase/local/postgres/init.sql"));
    await ensureFunctionsRole(sql);
  });
  const lite = await createLite(settings);
  try {
    await ensureSystemSchema(lite);
  } finally {
    await lite.close();
  }
  await withOwner(async (sql) => {
    const ran = await upgrade(sql, migrations);
    if (process.env.PARLEY_DEMO !== "false") await seedOnce(sql, await read("supabase/seed.sql"));
    await sql.unsafe(`
      create table if not exists ${PREPARED_TABLE} (id boolean primary key default true check (id), fingerprint text not null);
      alter table ${PREPARED_TABLE} enable row level security;`);
    await sql`
      insert into ${sql(PREPARED_TABLE)} (fingerprint) values (${await preparationFingerprint(functionsUrl)})
      on conflict (id) do update set fingerprint = excluded.fingerprint`;
    say(`${ran} migrations applied`);
  });
}

/** Runs the migrations. An embedded database with data is copied first; the copy stays when one fails. */
async function upgrade(sql: Sql, migrations: Migration[]): Promise<number> {
  const { applied, pending } = await readStanding(sql, migrations);
  const last = applied.at(-1);
  const copy = process.env.DATABASE_DIR && last ? new SafetyCopy(process.env.DATABASE_DIR) : undefined;
  if (last && pending.length > 0) {
    const changes = `${pending.length} ${pending.length === 1 ? "change" : "changes"}`;
    say(`Upgrading the database: ${changes}`, { isNotice: true });
    await copy?.take(settings.databaseUrl, last);
  }
  try {
    const ran = await migrate(sql, migrations);
    await copy?.remove();
    return ran;
  } catch (error) {
    if (!(error instanceof Fatal) || !copy) throw error;
    throw new Fatal(`${error.message} The database as it was before the upgrade is kept in ${copy.path}.`);
  }
}

/** Creates the functions' login. Our passwords are base64url, so they need no quoting: ALTER ROLE takes no parameters. */
async function ensureFunctionsRole(sql: Sql): Promise<void> {
  const { username, password } = new URL(functionsUrl);
  const name = decodeURIComponent(username);
  const known = await sql`select from pg_roles where rolname = ${name}`;
  const role = `"${name.replaceAll('"', '""')}"`;
  await sql.unsafe(`
    ${known.length > 0 ? "alter" : "create"} role ${role} with login noinherit password '${password.replaceAll("'", "''")}';
    grant anon, authenticated, service_role to ${role};`);
}

/** Serializes two copies that start on one database at the same moment. */
async function withPreparationLock(work: () => Promise<void>): Promise<void> {
  await withOwner(async (sql) => {
    await sql`select pg_advisory_lock(hashtext('parley preparation'))`;
    await work();
  });
}

function withOwner<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = { statement_timeout: STATEMENT_MS };
  return withLogin(settings.databaseUrl, work, { fetch_types: false, connection });
}

/** Recorded in the supabase CLI's own table, so `supabase db push --include-seed` does not run it again. */
async function seedOnce(sql: Sql, text: string): Promise<void> {
  if (!text.trim()) return;
  await ensureRecords(sql);
  const path = "supabase/seed.sql";
  const rows = await sql`select 1 from supabase_migrations.seed_files where path = ${path}`;
  if (rows.length > 0) return;
  await sql.begin(async (tx) => {
    await tx`select set_config('parley.demo_accounts', 'on', true)`;
    await tx.unsafe(text);
    await tx`insert into supabase_migrations.seed_files (path, hash) values (${path}, ${""})`;
  });
}
