// Owns a connection for one piece of work with the database. Does not know where the database is.
import postgres, { type Options, type PostgresType, type Sql } from "postgres";

/** @param options of postgres.js, beside one connection that prepares nothing, as poolers require */
export async function withLogin<T>(
  url: string,
  work: (sql: Sql) => Promise<T>,
  options: Options<Record<string, PostgresType>> = {},
): Promise<T> {
  const sql = postgres(url, { max: 1, prepare: false, connect_timeout: 10, onnotice: () => {}, ...options });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
