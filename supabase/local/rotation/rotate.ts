// Owns the rotation of the key that encrypts stored secrets: of a data folder, which stores its own keys, or of an
// installation whose operator sets SECRETS_KEY. Does not end before every secret is encrypted with the first key.
import { randomBytes } from "node:crypto";
import { withLogin } from "../database-login.ts";
import { Fatal } from "../fatal.ts";
import { lockDataDir } from "../lock.ts";
import { requireInstallation, withDatabase, withStoppedDatabase } from "../open-database.ts";
import { loadSecrets, writeSecrets } from "../secrets.ts";
import type { Settings } from "../settings.ts";
import { type Keys, resealSecrets, type Survey } from "./reseal.ts";

export interface Rotation {
  /** What was found; `earlier` secrets are encrypted with the first key now. */
  survey: Survey;
  /** Keys that remain besides the first. */
  earlierKeys: number;
  /** Whether the keys come from the data folder or from SECRETS_KEY. */
  from: "folder" | "environment";
}

/** The keys of SECRETS_KEY; the first one encrypts. @throws Fatal when one of them is too short */
export function readKeys(text: string): Keys {
  const [first, ...rest] = text.split(",").map((key) => key.trim());
  if (first === undefined || [first, ...rest].some((key) => key.length < 32)) {
    throw new Fatal(
      "A key in SECRETS_KEY has fewer than 32 characters: create one with openssl rand -base64 32.",
    );
  }
  return [first, ...rest];
}

/**
 * Encrypts every stored secret with the first key. Adds a new key to a data folder first, or, with `forget`, removes
 * all but the first once it decrypts every secret.
 * @throws Fatal when the installation runs and would not know a new key, and when a secret would be lost with its key.
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
    // Before the first row: if the process is killed in between, both keys are stored.
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
      "SECRETS_KEY is yours to set: remove the earlier keys from it once no secret is encrypted with them.",
    );
  }
  const survey = await withDatabase(settings, (url) => withLogin(url, (sql) => resealSecrets(sql, keys)));
  return { survey, earlierKeys: keys.length - 1, from: "environment" };
}

/** @throws Fatal that names what would be lost */
function requireReadable({ unreadable }: Survey): void {
  if (unreadable.length === 0) return;
  throw new Fatal(
    `${unreadable.length} stored secrets open with none of the keys, ${unreadable[0]} for one: connect those sources and apps again, or put their key back, before an earlier key is forgotten.`,
  );
}

/** Running processes would encrypt with the earlier key, and could not decrypt what uses the new one. */
function lockStopped(dataDir: string) {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof Fatal)) throw error;
    throw new Fatal(`Parley runs on ${dataDir}: stop it, change the key, and start it again.`);
  }
}
