// Owns the one-shot process that brings a database up to date: roles, lite's schemas, migrations, seed.sql.
// It ends before anything else uses the database; the supervisor runs it only when fingerprint.ts says that something changed.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Fatal } from "./fatal.ts";
import { createLite } from "./gateway/lite.ts";
import { readGatewaySettings } from "./gateway/settings.ts";
import { ensureSystemSchema } from "./gateway/system-schema.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { PREPARED_TABLE, preparationFingerprint } from "./preparation.ts";
import { projectDir } from "./settings.ts";

const lite = await createLite(readGatewaySettings(process.env));
const sql = lite.app.connection.driver;
try {
  const password = process.env.AUTHENTICATOR_PASSWORD ?? "";
  const read = (path: string) => readFile(join(projectDir, path), "utf8").catch(() => "");
  await sql.unsafe(await read("supabase/local/postgres/init.sql"));
  // Passwords of ours are base64url, so quoting them is enough: ALTER ROLE takes no parameters.
  await sql.unsafe(
    `alter role authenticator with login noinherit password '${password.replaceAll("'", "''")}'`,
  );
  await ensureSystemSchema(lite);
  const ran = await migrate(sql, await readMigrations(join(projectDir, "supabase/migrations")));
  await seedOnce(await read("supabase/seed.sql"));
  await sql.unsafe(`
    create table if not exists ${PREPARED_TABLE} (id boolean primary key default true check (id), fingerprint text not null);
    alter table ${PREPARED_TABLE} enable row level security;`);
  await sql`
    insert into ${sql(PREPARED_TABLE)} (fingerprint) values (${await preparationFingerprint(password)})
    on conflict (id) do update set fingerprint = excluded.fingerprint`;
  console.log(JSON.stringify({ level: "info", process: "prepare", message: `${ran} migrations applied` }));
} catch (error) {
  const words = error instanceof Fatal ? error.message : `The database could not be prepared (${error}).`;
  console.error(JSON.stringify({ level: "error", process: "prepare", message: words }));
  process.exitCode = 1;
} finally {
  await lite.close();
}

/** The record is the supabase CLI's own table, so that `supabase db push --include-seed` would not run it again. */
async function seedOnce(text: string): Promise<void> {
  if (!text.trim()) return;
  await sql.unsafe(
    "create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null)",
  );
  const path = "supabase/seed.sql";
  const rows = await sql`select 1 from supabase_migrations.seed_files where path = ${path}`;
  if (rows.length > 0) return;
  await sql.begin(async (tx) => {
    await tx.unsafe(text);
    await tx`insert into supabase_migrations.seed_files (path, hash) values (${path}, ${""})`;
  });
}
