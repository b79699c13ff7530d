// Owns `npm run restore`: creates an installation from a backup, embedded or native, whichever kind the backup came from.
import { createWriteStream, existsSync, mkdirSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { requireUsableDatabase } from "../external-database.ts";
import { Fatal } from "../fatal.ts";
import { lockDataDir } from "../lock.ts";
import { startPostgres } from "../postgres/server.ts";
import { makingFolder, markComplete, PARTS, putInPlace } from "../restored-parts.ts";
import { loadSecrets } from "../secrets.ts";
import { databaseDir, type Settings } from "../settings.ts";
import { verifyArchive } from "./archive.ts";
import { type Manifest, SECRETS_ENTRY, STORAGE_FOLDER } from "./manifest.ts";
import { fillDatabase, isInUse, requireKnown } from "./target.ts";

export interface Restored {
  manifest: Manifest;
  /** Where the previous content was moved; only with `force`. */
  replaced?: string;
}

/**
 * Verifies a backup, then creates an installation from it.
 * @param options force: moves the data folder's content aside. An external database must be empty in any case.
 * @throws Fatal when the backup is damaged or newer than this release, or the target is in use; nothing has changed
 * then.
 */
export async function restore(
  settings: Settings,
  path: string,
  options: { force?: boolean } = {},
): Promise<Restored> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Fatal(`There is no file ${path}.`);
  const { dataDir, externalDatabaseUrl } = settings;
  const lock = lockDataDir(dataDir);
  const making = makingFolder(dataDir);
  let isComplete = false;
  try {
    const taken = PARTS.filter((name) => existsSync(join(dataDir, name)));
    if (taken.length > 0 && !options.force) {
      throw new Fatal(
        `The folder ${dataDir} holds an installation (${taken.join(", ")}): set PARLEY_DATA_DIR to an empty one, or put that one aside with --force.`,
      );
    }
    if (externalDatabaseUrl) await requireEmpty(externalDatabaseUrl);
    await rm(making, { recursive: true, force: true });
    await mkdir(making, { recursive: true, mode: 0o700 });
    const manifest = await unpack(path, making);
    await requireKnown(manifest);
    let replaced: string | undefined;
    const finish = async () => {
      await markComplete(dataDir);
      isComplete = true;
      replaced = putInPlace(dataDir);
    };
    if (externalDatabaseUrl) {
      // The secrets come first: some rows cannot be decrypted without their key.
      await fillDatabase(externalDatabaseUrl, path, manifest, finish);
    } else {
      await fillEmbedded(databaseDir({ dataDir: making }), making, path, manifest);
      await finish();
    }
    return { manifest, replaced };
  } finally {
    // Complete parts that could not be moved are moved by whatever locks the folder next.
    if (!isComplete) await rm(making, { recursive: true, force: true });
    lock.release();
  }
}

async function requireEmpty(url: string): Promise<void> {
  await requireUsableDatabase(url);
  if (!(await isInUse(url))) return;
  throw new Fatal(
    "The database of DATABASE_URL holds an installation already: create an empty database (createdb parley) and set DATABASE_URL to it.",
  );
}

/** Writes secrets and storage, and verifies every entry. */
async function unpack(path: string, to: string): Promise<Manifest> {
  const writing: Promise<void>[] = [];
  const manifest = await verifyArchive(path, (name) => {
    if (name !== SECRETS_ENTRY && !isObject(name)) return undefined;
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    const through = new PassThrough();
    writing.push(pipeline(through, createWriteStream(join(to, name), { mode: 0o600, flush: true })));
    return through;
  });
  await Promise.all(writing);
  await mkdir(join(to, "storage"), { recursive: true, mode: 0o700 });
  await loadSecrets(to);
  return manifest;
}

/** Accepts only names that stay inside the storage folder. */
function isObject(name: string): boolean {
  return (
    name.startsWith(STORAGE_FOLDER) && /^[0-9a-f]{2}\/[0-9a-f]{64}$/.test(name.slice(STORAGE_FOLDER.length))
  );
}

async function fillEmbedded(
  database: string,
  folder: string,
  path: string,
  manifest: Manifest,
): Promise<void> {
  const { postgresPassword, authenticatorPassword } = await loadSecrets(folder);
  const passwords = { postgres: postgresPassword, authenticator: authenticatorPassword };
  const running = await startPostgres({ dataDir: database, port: 0, passwords });
  try {
    await fillDatabase(
      `postgres://postgres:${postgresPassword}@127.0.0.1:${running.port}/postgres`,
      path,
      manifest,
    );
  } finally {
    await running.stop();
  }
}
