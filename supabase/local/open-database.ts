// Owns a command's access to the database: of a data folder, whether Parley runs on it or not, or an external one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fatal } from "./fatal.ts";
import { lockDataDir, supervisorOf } from "./lock.ts";
import { startPostgres } from "./postgres/server.ts";
import { loadSecrets, type Secrets } from "./secrets.ts";
import { databaseDir, type Settings } from "./settings.ts";

/** @throws Fatal when there is no installation: reading its secrets or opening its database would create them */
export function requireInstallation({ dataDir }: Settings): void {
  if (existsSync(join(dataDir, "secrets.json"))) return;
  throw new Fatal(
    `There is no installation in ${dataDir}: set PARLEY_DATA_DIR to its folder, or start it once with npm start.`,
  );
}

/**
 * Passes the owner's login to `work`. Starts the embedded database for it when Parley is stopped.
 * @throws Fatal when there is no installation or no database, or another process locks the folder at the same moment.
 */
export async function withDatabase<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  const { dataDir, ports, externalDatabaseUrl } = settings;
  if (externalDatabaseUrl) return await work(externalDatabaseUrl);
  requireInstallation(settings);
  const secrets = await loadSecrets(dataDir);
  if (supervisorOf(dataDir)) return await work(addressOf(secrets, ports.postgres));
  const lock = lockDataDir(dataDir);
  try {
    return await withStoppedDatabase(settings, secrets, work);
  } finally {
    lock.release();
  }
}

/** The same for a caller that holds the data folder's lock. */
export async function withStoppedDatabase<T>(
  settings: Settings,
  secrets: Secrets,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (settings.externalDatabaseUrl) return await work(settings.externalDatabaseUrl);
  // The engine would create one, empty, and a backup of it would look like one of the installation.
  if (!existsSync(databaseDir(settings))) {
    throw new Fatal(
      `There is no database in ${settings.dataDir}: set DATABASE_URL as Parley is started with.`,
    );
  }
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
