// Owns access to the one running stack of the v1 and browser suites: its address, its keys, a connection to its database. tests/run.mjs
// starts it and passes its address; by hand: `npm start`, then vitest with the same PARLEY_PORT_OFFSET and PARLEY_DATA_DIR. Must not start
// anything.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import postgres, { type Options, type Sql } from "postgres";
import { authenticatorOf } from "../../supabase/local/environments.ts";
import { loadSecrets, type Secrets } from "../../supabase/local/secrets.ts";
import { readSettings, type Settings } from "../../supabase/local/settings.ts";
import type { Claims } from "./actors.ts";

export interface Stack {
  webUrl: string;
  supabaseUrl: string;
  /** `{supabaseUrl}/functions/v1`, before the API's paths, which start with /v1. */
  apiUrl: string;
  mailboxUrl: string;
  modelsUrl: string;
  anonKey: string;
  serviceKey: string;
  jwtSecret: string;
  databaseUrl(login: "postgres" | "authenticator"): string;
  /** A postgres.js client; end it at the end of the test file. */
  connect(login: "postgres" | "authenticator", options?: Options<Record<string, never>>): Sql;
  /** An access token with the given claims, signed as the auth server signs, valid for `seconds`. */
  token(claims: Claims, seconds?: number): Promise<string>;
}

let found: Promise<Stack> | undefined;

/** @throws when no stack has been started with these settings. */
export function findStack(): Promise<Stack> {
  found ??= find();
  return found;
}

async function find(): Promise<Stack> {
  const settings = readSettings(process.env);
  if (!existsSync(join(settings.dataDir, "secrets.json")))
    throw new Error(`No stack was started in ${settings.dataDir}: run npm start, or npm test -- v1.`);
  return locate(settings, await loadSecrets(settings.dataDir));
}

function locate(settings: Settings, secrets: Secrets): Stack {
  const databaseUrl = (login: "postgres" | "authenticator") => {
    const url = new URL(
      settings.externalDatabaseUrl ?? `postgres://127.0.0.1:${settings.ports.postgres}/postgres`,
    );
    if (login === "postgres" && settings.externalDatabaseUrl) return url.href;
    url.username =
      login === "authenticator" && settings.externalDatabaseUrl
        ? authenticatorOf(settings.externalDatabaseUrl)
        : login;
    url.password = login === "postgres" ? secrets.postgresPassword : secrets.authenticatorPassword;
    return url.href;
  };
  return {
    webUrl: settings.webUrl,
    supabaseUrl: settings.supabaseUrl,
    apiUrl: `${settings.supabaseUrl}/functions/v1`,
    mailboxUrl: settings.mailboxUrl,
    modelsUrl: settings.modelsUrl,
    anonKey: secrets.anonKey,
    serviceKey: secrets.serviceKey,
    jwtSecret: secrets.jwtSecret,
    databaseUrl,
    connect: (login, options = {}) => postgres(databaseUrl(login), { onnotice: () => {}, ...options }),
    token: (claims, seconds = 3600) =>
      new SignJWT({ aud: "authenticated", ...claims })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(new TextEncoder().encode(secrets.jwtSecret)),
  };
}
