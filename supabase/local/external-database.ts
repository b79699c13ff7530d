// Owns the check of whether an external Postgres (DATABASE_URL) can run the stack. Must not change it.
import postgres from "postgres";
import { Fatal } from "./fatal.ts";

/** @throws Fatal that names the problem, but never the address, because it contains a password. */
export async function requireUsableDatabase(url: string): Promise<void> {
  const sql = connect(url);
  try {
    const [row] = await sql<{ version: number; vector: boolean; superuser: boolean }[]>`
      select current_setting('server_version_num')::int as version,
        exists (select from pg_available_extensions where name = 'vector') as vector,
        (select rolsuper from pg_roles where rolname = current_user) as superuser`;
    if (!row) throw new Error("it did not answer");
    if (row.version < 150_000) {
      throw new Fatal(
        "The Postgres of DATABASE_URL is older than 15: use a newer one, or leave DATABASE_URL out.",
      );
    }
    if (!row.vector) {
      throw new Fatal(
        "The Postgres of DATABASE_URL has no pgvector: install the extension there, or leave DATABASE_URL out.",
      );
    }
    if (!row.superuser) {
      throw new Fatal(
        "The login of DATABASE_URL is not a superuser, so it could not create roles: use one that is, or leave DATABASE_URL out.",
      );
    }
  } catch (error) {
    if (error instanceof Fatal) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fatal(
      `The Postgres of DATABASE_URL cannot be used (${reason}): start it, correct DATABASE_URL, or leave it out.`,
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function connect(url: string): postgres.Sql {
  try {
    return postgres(url, { max: 1, connect_timeout: 10, fetch_types: false, onnotice: () => {} });
  } catch {
    throw new Fatal(
      "DATABASE_URL is not an address of the form postgres://user:password@host:5432/database.",
    );
  }
}
