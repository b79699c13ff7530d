// Owns test databases on a native Postgres (TEST_DATABASE_URL, a superuser's, on a server for tests alone: it sets the password of the role
// authenticator). Each test file has a database, copied from a template.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import postgres from "postgres";

const initSql = new URL("../../supabase/local/postgres/init.sql", import.meta.url);

/**
 * Creates a database and returns its name.
 * @param template name of the database to copy; `prepare` builds it when the server has none of that name
 */
export async function copyOwnDatabase(
  server: string,
  template: string,
  authenticatorPassword: string,
  prepare: (url: string) => Promise<void>,
): Promise<{ name: string; drop: () => Promise<void> }> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  const name = `parley_test_${randomUUID().replaceAll("-", "")}`;
  try {
    // Concurrent test files build the template once and copy it in turn: it must have no connections.
    await sql`select pg_advisory_lock(hashtext('parley tests'))`;
    if ((await sql`select 1 from pg_database where datname = ${template}`).length === 0) {
      const unfinished = `${template}_unfinished`;
      await sql.unsafe(`drop database if exists ${unfinished} with (force)`);
      await sql.unsafe(`create database ${unfinished}`);
      const made = postgres(inDatabase(server, unfinished), { max: 1, onnotice: () => {} });
      await made.unsafe(readFileSync(initSql, "utf8"));
      await made.end();
      await prepare(inDatabase(server, unfinished));
      await sql.unsafe(`alter database ${unfinished} rename to ${template}`);
    }
    await setPassword(sql, server, authenticatorPassword);
    // Copying the files takes half the CPU time of writing each page to the log, the default.
    await sql.unsafe(`create database ${name} template ${template} strategy file_copy`);
    // A database's settings are not copied with it.
    await sql.unsafe(`alter database ${name} set search_path to "$user", public, extensions`);
  } finally {
    await sql.end();
  }
  return {
    name,
    drop: async () => {
      const again = postgres(server, { max: 1, onnotice: () => {} });
      await again.unsafe(`drop database if exists ${name} with (force)`);
      await again.end();
    },
  };
}

/** Sets the password of authenticator, a role of the whole server, which another installation may have set otherwise. */
async function setPassword(sql: postgres.Sql, server: string, password: string): Promise<void> {
  const url = new URL(server);
  url.username = "authenticator";
  url.password = password;
  const theirs = postgres(url.href, { max: 1, onnotice: () => {} });
  try {
    await theirs`select 1`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== "28P01") throw error;
    await sql.unsafe(`alter role authenticator with login password '${password}'`);
  } finally {
    await theirs.end();
  }
}

export function inDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
