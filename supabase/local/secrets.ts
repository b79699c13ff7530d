// Owns the secrets of one installation: generated once and stored in <data>/secrets.json, readable only by its owner. Must not contain a
// default, because everybody would know it.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { z } from "zod";
import { codeOf } from "./error-code.ts";
import { Fatal } from "./fatal.ts";
import { syncFolderNow } from "./sync-folder.ts";

const Secrets = z.object({
  /** HS256 key of every access token, as with hosted Supabase's legacy keys. */
  jwtSecret: z.string().min(32),
  anonKey: z.string().min(1),
  serviceKey: z.string().min(1),
  /**
   * Base64 of 32 bytes: encrypts connector credentials before they reach Postgres. May be several, comma-separated, as
   * in SECRETS_KEY.
   */
  secretsKey: z.string().min(32),
  cookieSecret: z.string().min(32),
  postgresPassword: z.string().min(16),
  authenticatorPassword: z.string().min(16),
});

export type Secrets = z.infer<typeof Secrets>;

const FILE = "secrets.json";
const TEN_YEARS = 10 * 365 * 24 * 3600;

/**
 * Reads the secrets of a data folder, or generates them at the first start.
 * @throws Fatal when the file exists but cannot be parsed: new secrets could not decrypt any stored credential.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return create(dataDir);
    throw error;
  }
  const parsed = Secrets.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  throw new Fatal(
    `The file ${path} is damaged: put it back from a backup, or remove the data folder ${dataDir} to start again.`,
  );
}

async function create(dataDir: string): Promise<Secrets> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const jwtSecret = randomBytes(48).toString("base64url");
  const secrets: Secrets = {
    jwtSecret,
    anonKey: await signKey(jwtSecret, "anon"),
    serviceKey: await signKey(jwtSecret, "service_role"),
    secretsKey: randomBytes(32).toString("base64"),
    cookieSecret: randomBytes(32).toString("base64url"),
    postgresPassword: randomBytes(24).toString("base64url"),
    authenticatorPassword: randomBytes(24).toString("base64url"),
  };
  writeSecrets(dataDir, secrets);
  return secrets;
}

/** Written to a temporary file and renamed: after a crash the secrets are either the old or the new ones, complete. */
export function writeSecrets(dataDir: string, secrets: Secrets): void {
  const path = join(dataDir, FILE);
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  writeSync(file, `${JSON.stringify(secrets, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  syncFolderNow(dataDir);
}

function signKey(jwtSecret: string, role: "anon" | "service_role"): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ role })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer("supabase-local")
    .setIssuedAt(now)
    .setExpirationTime(now + TEN_YEARS)
    .sign(new TextEncoder().encode(jwtSecret));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
