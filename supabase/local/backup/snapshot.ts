// Owns the point in time of a backup: a database that no longer changes, and links to the stored files at that time.
// Does not write the backup.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, cp, link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import postgres, { type ReservedSql, type Sql } from "postgres";
import { codeOf } from "../error-code.ts";
import { Fatal } from "../fatal.ts";
import { backupLock, type Lock, lockDataDir, takeLock } from "../lock.ts";
import { copyFolder, requireRoomForCopy } from "../postgres/copy-folder.ts";
import { startPostgres } from "../postgres/server.ts";
import type { Secrets } from "../secrets.ts";
import { databaseDir, type Settings } from "../settings.ts";

/** Long, because reading a large table takes long. */
const STATEMENT_MS = 24 * 3_600_000;
/** The copy has no other client, and a backup pauses for as long as it compresses what it has read and a slow disk takes it. */
const limits = { statementMs: STATEMENT_MS, idleInTransactionMs: STATEMENT_MS };

/** Not a name that a person would give a folder of their backups. */
const folderName = /^backup-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A connection inside a transaction. */
export type SqlInTransaction = ReservedSql;

export interface Snapshot {
  /** Sees the database at the snapshot's time. */
  sql: SqlInTransaction;
  /** Folder of files named by the hash of their key. */
  storage: string;
  close(): Promise<void>;
}

/**
 * For the holder of the lock of backups.
 * @throws Fatal when the database cannot be reached.
 */
export async function openSnapshot(settings: Settings, secrets: Secrets): Promise<Snapshot> {
  await removeAbandoned(settings.dataDir);
  const folder = join(settings.dataDir, `backup-${randomUUID()}`);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // Not recursive: on a full disk that form reports a missing folder.
    await mkdir(folder, { mode: 0o700 });
    return settings.externalDatabaseUrl
      ? await openNative(settings.externalDatabaseUrl, settings, folder, remove)
      : await openEmbedded(settings, secrets, folder, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Two at once could write the same file, and would need the disk space of two copies.
 * @throws Fatal when another backup of the data folder is running.
 */
export function lockBackups(dataDir: string): Lock {
  const lock = takeLock(backupLock(dataDir));
  if ("release" in lock) return lock;
  throw new Fatal(`Another backup of ${dataDir} is running: wait until it ends.`);
}

/** Deletes the copies that killed backups have left: each holds a database, and the bytes of files deleted since. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (folderName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/**
 * The engine has one session, and reading everything through it would block all others. So the backup reads a copy of the engine's folder.
 */
async function openEmbedded(
  settings: Settings,
  secrets: Secrets,
  folder: string,
  remove: () => Promise<void>,
): Promise<Snapshot> {
  const [database, copy, storage] = [
    databaseDir(settings),
    join(folder, "postgres"),
    join(folder, "storage"),
  ];
  if (!existsSync(database)) {
    throw new Fatal(`There is no database in ${settings.dataDir}: set PARLEY_DATA_DIR, or DATABASE_URL.`);
  }
  await requireRoomForCopy(database, "The backup");
  const linkStorage = () => linkFiles(join(settings.dataDir, "storage"), storage);
  const lock = tryLock(settings.dataDir);
  if (lock) {
    try {
      await cp(database, copy, { recursive: true });
      await linkStorage();
    } finally {
      lock.release();
    }
  } else {
    const port = settings.ports.postgres;
    const url = `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port}/postgres`;
    await copyFolder(url, database, copy, linkStorage).catch((error: unknown) => {
      if (codeOf(error) !== "ECONNREFUSED") throw error;
      throw new Fatal(
        `Parley runs on ${settings.dataDir} and its database does not answer on port ${port}: set PARLEY_PORT_OFFSET as it was started with.`,
      );
    });
  }
  const passwords = { postgres: secrets.postgresPassword, authenticator: secrets.authenticatorPassword };
  const running = await startPostgres({ dataDir: copy, port: 0, passwords, durable: false, limits });
  const client = connect(`postgres://postgres:${passwords.postgres}@127.0.0.1:${running.port}/postgres`);
  const sql = await begin(client);
  return {
    sql,
    storage,
    close: async () => {
      await end(client, sql);
      await running.stop();
      await remove();
    },
  };
}

/** One transaction sees one snapshot. Files are linked before and after it starts, because one may be added or deleted in between. */
async function openNative(
  url: string,
  settings: Settings,
  folder: string,
  remove: () => Promise<void>,
): Promise<Snapshot> {
  const storage = join(folder, "storage");
  await linkFiles(join(settings.dataDir, "storage"), storage);
  const client = connect(url);
  const sql = await begin(client);
  await linkFiles(join(settings.dataDir, "storage"), storage);
  return {
    sql,
    storage,
    close: async () => {
      await end(client, sql);
      await remove();
    },
  };
}

async function begin(client: Sql): Promise<SqlInTransaction> {
  // In postgres.js 3.4.9, reserve() never resolves while the connection has yet to be opened.
  await client`select 1`;
  const sql = await client.reserve();
  await sql`begin isolation level repeatable read read only`;
  // The first statement takes the snapshot.
  await sql`select 1`;
  return sql;
}

async function end(client: Sql, sql: SqlInTransaction): Promise<void> {
  await sql`rollback`;
  sql.release();
  await client.end({ timeout: 1 });
}

function connect(url: string): Sql {
  // Fixes the text format of values, whatever the server's own settings are.
  const connection = {
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: 0,
    TimeZone: "UTC",
    DateStyle: "ISO",
    IntervalStyle: "postgres",
    extra_float_digits: "3",
  };
  return postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection });
}

function tryLock(dataDir: string): Lock | undefined {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof Fatal) return undefined;
    throw error;
  }
}

/** A stored object's file is replaced as a whole and never written in place, so a hard link preserves it. */
async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const folder of existsSync(from) ? await readdir(from) : []) {
    await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(from, folder))) {
      const [file, kept] = [join(from, folder, name), join(to, folder, name)];
      if (!/^[0-9a-f]{64}$/.test(name) || existsSync(kept)) continue;
      await link(file, kept).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return undefined;
        return copyFile(file, kept);
      });
    }
  }
}
