// Owns the stand-in projects' databases: one server, prepared as the platform prepares its own. Does not run migrations.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { createLite } from "../../supabase/local/gateway/lite.ts";
import { ensureSystemSchema } from "../../supabase/local/gateway/system-schema.ts";
import { loadRelease } from "../support/releases.ts";

/** The password of every role that logs in: the server is the test's alone. */
export const databasePassword = "the-password-of-the-database";

const read = (name: string) => readFileSync(new URL(`platform/${name}`, import.meta.url), "utf8");

/** The address of a project's database on the server itself, without the pooler. */
export function directUrl(server: string, ref: string, user = "postgres"): string {
  const url = new URL(server);
  url.username = user;
  url.password = databasePassword;
  url.pathname = `/${ref}`;
  return url.href;
}

export const adminUrl = (server: string, ref: string) => directUrl(server, ref, "supabase_admin");

/**
 * Creates the platform's roles on a fresh server.
 * @param server a superuser named postgres, renamed afterwards: on the platform the role postgres is no superuser
 */
export async function prepareServer(server: string): Promise<void> {
  await withLogin(server, async (sql) => {
    await sql.unsafe(`create role supabase_admin superuser login password '${databasePassword}'`);
  });
  await withLogin(adminUrl(server, "postgres"), async (sql) => {
    await sql.unsafe("alter role postgres rename to first_superuser");
    await sql.unsafe(read("roles.sql"));
    for (const role of ["postgres", "authenticator"])
      await sql.unsafe(`alter role ${role} password '${databasePassword}'`);
  });
}

export interface DatabaseOptions {
  /** "open": created before May 2026, when tables in public were granted to the API's roles by default. */
  privileges: "open" | "closed";
  /** The release whose installation it is, with its data; none: a fresh project. */
  release?: string;
}

/** Creates a project's database, named after its ref. */
export async function createDatabase(
  server: string,
  ref: string,
  { privileges, release }: DatabaseOptions,
): Promise<void> {
  const admin = adminUrl(server, ref);
  await withLogin(adminUrl(server, "postgres"), (sql) => sql.unsafe(`create database ${ref} owner postgres`));
  if (release !== undefined) {
    await loadRelease(admin, release);
    // Its migrations ran as the project's owner.
    await withLogin(admin, (sql) => sql.unsafe("reassign owned by supabase_admin to postgres"));
  }
  await withLogin(admin, async (sql) => {
    await sql.unsafe(read("database.sql"));
    if (privileges === "open") await sql.unsafe(read("open-default-privileges.sql"));
  });
  await makeServersTables(admin);
  await withLogin(admin, async (sql) => {
    await sql.unsafe(read("owned.sql"));
    await sql.unsafe(read("schedule.sql"));
  });
}

/** Creates the schemas auth and storage as the platform's servers do. */
async function makeServersTables(databaseUrl: string): Promise<void> {
  const storageDir = mkdtempSync(join(tmpdir(), "parley-hosted-storage-"));
  const nowhere = "http://127.0.0.1:9";
  const lite = await createLite({
    ...{ port: 0, databaseUrl, jwtSecret: "x".repeat(32), anonKey: "none", serviceKey: "none", storageDir },
    ...{
      supabaseUrl: nowhere,
      webUrl: nowhere,
      smtpUrl: "smtp://127.0.0.1:9",
      mailFrom: "nobody@parley.test",
    },
    functions: {},
  });
  try {
    await ensureSystemSchema(lite);
  } finally {
    await lite.close();
    rmSync(storageDir, { recursive: true, force: true });
  }
}

export async function withLogin<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}
