// Owns the change of the key that seals stored secrets: of a data folder, which keeps its keys itself, or of an installation whose
// SECRETS_KEY is set by whoever runs it. Does not end before every secret is sealed with the first key.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fatal } from "../fatal.ts";
import { lockDataDir } from "../lock.ts";
import { withDatabase, withLogin, withStoppedDatabase } from "../open-database.ts";
import { loadSecrets, writeSecrets } from "../secrets.ts";
import type { Settings } from "../settings.ts";
import { type Keys, resealSecrets, type Survey } from "./reseal.ts";

export interface Rotation {
  /** What was found; `earlier` are sealed anew now. */
  survey: Survey;
  /** Keys that are still there beside the first. */
  earlierKeys: number;
  /** Whether the keys are those of the data folder, or of SECRETS_KEY. */
  from: "folder" | "environment";
}

/** The keys of SECRETS_KEY, the first of which seals. @throws Fatal when one of them is too short */
export function readKeys(text: string): Keys {
  const [first, ...rest] = text.split(",").map((key) => key.trim());
  if (first === undefined || [first, ...rest].some((key) => key.length < 32)) {
    throw new Fatal(
      "A key in SECRETS_KEY has fewer than 32 characters: make one with openssl rand -base64 32.",
    );
  }
  return [first, ...rest];
}

/**
 * Seals every stored secret with the first key. The keys of a data folder get a new one first, or, with `forget`, lose all but the
 * first when every secret opens with it.
 * @throws Fatal when the installation is in use and would not know a new key, and when a secret would be lost with its key.
 */
export async function rotateSecrets(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  { forget }: { forget: boolean },
): Promise<Rotation> {
  if (env.SECRETS_KEY) return await resealWithEnvironment(settings, readKeys(env.SECRETS_KEY), forget);
  requireInstallation(settings);
  const lock = lockStopped(settings.dataDir);
  try {
    const secrets = await loadSecrets(settings.dataDir);
    const known = readKeys(secrets.secretsKey);
    const keys: Keys = forget ? known : [randomBytes(32).toString("base64"), ...known];
    // Before the first row: killed in between, both keys are there.
    const keep = (list: readonly string[]) =>
      writeSecrets(settings.dataDir, { ...secrets, secretsKey: list.join(",") });
    if (!forget) keep(keys);
    const survey = await withStoppedDatabase(settings, secrets, (url) =>
      withLogin(url, (sql) => resealSecrets(sql, keys)),
    );
    if (forget) {
      requireReadable(survey);
      keep([keys[0]]);
    }
    return { survey, earlierKeys: forget ? 0 : keys.length - 1, from: "folder" };
  } finally {
    lock.release();
  }
}

async function resealWithEnvironment(settings: Settings, keys: Keys, forget: boolean): Promise<Rotation> {
  if (forget) {
    throw new Fatal(
      "SECRETS_KEY is yours to set: leave the earlier keys out of it once they seal nothing any more.",
    );
  }
  const work = (url: string) => withLogin(url, (sql) => resealSecrets(sql, keys));
  const url = settings.externalDatabaseUrl;
  if (!url) requireInstallation(settings);
  const survey = url
    ? await work(url)
    : await withDatabase(settings, await loadSecrets(settings.dataDir), work);
  return { survey, earlierKeys: keys.length - 1, from: "environment" };
}

/** @throws Fatal where there is none: reading its secrets would make them */
function requireInstallation({ dataDir }: Settings): void {
  if (existsSync(join(dataDir, "secrets.json"))) return;
  throw new Fatal(
    `There is no installation in ${dataDir}: set PARLEY_DATA_DIR to its folder, or SECRETS_KEY and DATABASE_URL for a hosted one.`,
  );
}

/** @throws Fatal naming what would be lost */
function requireReadable({ unreadable }: Survey): void {
  if (unreadable.length === 0) return;
  throw new Fatal(
    `${unreadable.length} stored secrets open with none of the keys, ${unreadable[0]} for one: connect those sources and apps again, or put their key back, before an earlier key is forgotten.`,
  );
}

/** Processes that run would seal with the earlier key, and could not open what is sealed with the new one. */
function lockStopped(dataDir: string) {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof Fatal)) throw error;
    throw new Fatal(`Parley runs on ${dataDir}: stop it, change the key, and start it again.`);
  }
}
