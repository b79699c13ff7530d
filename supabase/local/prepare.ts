// Owns the one-shot process that brings a database up to date: roles, lite's schemas, migrations, seed.sql.
// It ends before anything else uses the database; the supervisor runs it only when preparation.ts says that something changed.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { Fatal } from "./fatal.ts";
import { createLite } from "./gateway/lite.ts";
import { readGatewaySettings } from "./gateway/settings.ts";
import { ensureSystemSchema } from "./gateway/system-schema.ts";
import { type Migration, migrate, readMigrations, readStanding } from "./migrate.ts";
import { ensureRecords, PREPARED_TABLE, preparationFingerprint, whatIsMissing } from "./preparation.ts";
import { readReleases, requireReleased } from "./releases.ts";
import { SafetyCopy } from "./safety-copy.ts";
import { projectDir } from "./settings.ts";

/** A migration of a large database takes long: the limit for everybody's statements is not meant for it. */
const STATEMENT_MS = 24 * 3_600_000;

const settings = readGatewaySettings(process.env);
const functionsUrl = process.env.AUTHENTICATOR_URL ?? "";
const read = (path: string) => readFile(join(projectDir, path), "utf8").catch(() => "");
const say = (level: string, message: string) =>
  console.log(JSON.stringify({ level, process: "prepare", message }));

try {
  const migrations = await readMigrations(join(projectDir, "supabase/migrations"));
  requireReleased(migrations, await readReleases());
  await alone(() => prepare(migrations));
  const missing = await whatIsMissing(settings.databaseUrl, functionsUrl);
  if (missing) throw new Fatal(missing);
} catch (error) {
  const words = error instanceof Fatal ? error.message : `The database could not be prepared (${error}).`;
  console.error(JSON.stringify({ level: "error", process: "prepare", message: words }));
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
    say("info", `${ran} migrations applied`);
  });
}

/** Runs the migrations; a database with data is copied before, where it is ours to copy, and the copy kept on failure. */
async function upgrade(sql: Sql, migrations: Migration[]): Promise<number> {
  const { applied, pending } = await readStanding(sql, migrations);
  const last = applied.at(-1);
  const copy = process.env.DATABASE_DIR && last ? new SafetyCopy(process.env.DATABASE_DIR) : undefined;
  if (last && pending.length > 0) {
    say("notice", `Upgrading the database: ${pending.length} ${pending.length === 1 ? "change" : "changes"}`);
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

/** The functions' login; passwords of ours are base64url, and ALTER ROLE takes no parameters. */
async function ensureFunctionsRole(sql: Sql): Promise<void> {
  const { username, password } = new URL(functionsUrl);
  const name = decodeURIComponent(username);
  const known = await sql`select from pg_roles where rolname = ${name}`;
  const role = `"${name.replaceAll('"', '""')}"`;
  await sql.unsafe(`
    ${known.length > 0 ? "alter" : "create"} role ${role} with login noinherit password '${password.replaceAll("'", "''")}';
    grant anon, authenticated, service_role to ${role};`);
}

/** Two copies that start on one database at the same moment prepare it one after the other. */
async function alone(work: () => Promise<void>): Promise<void> {
  await withOwner(async (sql) => {
    await sql`select pg_advisory_lock(hashtext('parley preparation'))`;
    await work();
  });
}

async function withOwner<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = { statement_timeout: STATEMENT_MS };
  const sql = postgres(settings.databaseUrl, { max: 1, fetch_types: false, onnotice: () => {}, connection });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The record is the supabase CLI's own table, so that `supabase db push --include-seed` would not run it again. */
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
