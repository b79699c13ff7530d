// Owns the way of a command to the database of a data folder, whether Parley runs on it or not, and to one of the user's own.
import postgres, { type Sql } from "postgres";
import { lockDataDir, supervisorOf } from "./lock.ts";
import { startPostgres } from "./postgres/server.ts";
import type { Secrets } from "./secrets.ts";
import { databaseDir, type Settings } from "./settings.ts";

/**
 * Gives the owner's login to the database of an installation. The embedded one is started for the work where Parley does not run.
 * @throws Fatal when another process takes the folder at the same moment.
 */
export async function withDatabase<T>(
  settings: Settings,
  secrets: Secrets,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const { dataDir, ports, externalDatabaseUrl } = settings;
  if (externalDatabaseUrl) return await work(externalDatabaseUrl);
  if (supervisorOf(dataDir)) return await work(addressOf(secrets, ports.postgres));
  const lock = lockDataDir(dataDir);
  try {
    return await withStoppedDatabase(settings, secrets, work);
  } finally {
    lock.release();
  }
}

/** The same for whoever holds the lock of the data folder. */
export async function withStoppedDatabase<T>(
  settings: Settings,
  secrets: Secrets,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (settings.externalDatabaseUrl) return await work(settings.externalDatabaseUrl);
  const passwords = { postgres: secrets.postgresPassword, authenticator: secrets.authenticatorPassword };
  const running = await startPostgres({ dataDir: databaseDir(settings), port: 0, passwords });
  try {
    return await work(addressOf(secrets, running.port));
  } finally {
    await running.stop();
  }
}

const addressOf = ({ postgresPassword }: Secrets, port: number) =>
  `postgres://postgres:${postgresPassword}@127.0.0.1:${port}/postgres`;

export async function withLogin<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, prepare: false, connect_timeout: 10, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
