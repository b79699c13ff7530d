// Owns the record of what was done to a database once (preparation, demo data), so that a warm start skips the work.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { fingerprint, readMigrations } from "./migrate.ts";
import { builtDir, projectDir } from "./settings.ts";

export const PREPARED_TABLE = "supabase_migrations.prepared";
const SEEDED_TABLE = "supabase_migrations.seeded";

/** Changes whenever the preparation would do something else: its inputs and the version of lite. */
export async function preparationFingerprint(authenticatorPassword: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(fingerprint(await readMigrations(join(projectDir, "supabase/migrations"))));
  hash.update(authenticatorPassword);
  for (const path of [
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

/** @param url the owner's login. */
export async function isPrepared(url: string, authenticatorPassword: string): Promise<boolean> {
  return (await readFingerprint(url)) === (await preparationFingerprint(authenticatorPassword));
}

/** Waits, while the database starts and is migrated, until it is in the wanted state. "" does not wait. */
export async function waitUntilPrepared(url: string, wanted: string): Promise<void> {
  while (wanted && (await readFingerprint(url).catch(() => undefined)) !== wanted) await sleep(50);
}

/** What the demo data is made by; "" when this copy has none. */
export async function seedFingerprint(): Promise<string> {
  const program = await readFile(join(builtDir, "seed.js")).catch(() => "");
  return program && createHash("sha256").update(program).digest("hex");
}

/** Whether the demo data was made: what people removed of it since does not come back with every start. */
export async function isSeeded(url: string, wanted: string): Promise<boolean> {
  return withOwner(url, async (sql) => {
    const [known] = await sql`select to_regclass(${SEEDED_TABLE}) is not null as here`;
    if (!known?.here) return false;
    return (await sql`select 1 from ${sql(SEEDED_TABLE)} where fingerprint = ${wanted}`).length > 0;
  });
}

export async function recordSeed(url: string, made: string): Promise<void> {
  await withOwner(url, async (sql) => {
    await sql.unsafe(`
      create table if not exists ${SEEDED_TABLE} (fingerprint text primary key);
      alter table ${SEEDED_TABLE} enable row level security;`);
    await sql`insert into ${sql(SEEDED_TABLE)} values (${made}) on conflict do nothing`;
  });
}

function readFingerprint(url: string): Promise<string | undefined> {
  return withOwner(url, async (sql) => {
    const [known] = await sql`select to_regclass(${PREPARED_TABLE}) is not null as here`;
    if (!known?.here) return undefined;
    const [row] = await sql`select fingerprint from ${sql(PREPARED_TABLE)}`;
    return row?.fingerprint;
  });
}

async function withOwner<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
