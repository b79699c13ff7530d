// Owns the environment of each process: the settings and secrets that it needs, and no others.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { preparationFingerprint } from "./preparation.ts";
import type { Secrets } from "./secrets.ts";
import { builtDir, databaseDir, type Settings } from "./settings.ts";

export type Environment = Record<string, string>;

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/** The user's own settings for models, mail, Slack and error reports. Passed on unchanged; a missing one stays missing. */
const PRODUCT_SETTINGS = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENAI_MODEL",
  "OPENAI_EMBEDDING_MODEL",
  "OPENAI_EMBEDDING_DIMENSIONS",
  "OPENAI_PROMPT_PRICE",
  "OPENAI_COMPLETION_PRICE",
  "OPENAI_EMBEDDING_PRICE",
  "LOCAL_MODELS",
  "SLACK_CLIENT_ID",
  "SLACK_CLIENT_SECRET",
  "SLACK_SIGNING_SECRET",
  "SLACK_API_URL",
  "SUPPORT_EMAIL",
  "REGISTRATION",
  "TEAM_STORAGE_MIB",
  "NEW_TEAM_MODEL_CAP",
  "TEAMS_PER_PERSON_AND_DAY",
  "SNS_TOPIC_ARNS",
  "SENTRY_DSN",
  "METRICS_TOKEN",
  "PARLEY_OUTBOUND_ALLOW",
  "STORAGE_TIMEOUT_SECONDS",
  "DATABASE_POOL_SIZE",
  "DATABASE_PREPARE",
  "ONLY_API_PROCESS",
  "TRUSTED_PROXIES",
];

/** Every rate limit setting. */
const limitSettings = (env: NodeJS.ProcessEnv) =>
  Object.keys(env).filter((name) => name.startsWith("LIMIT_"));

/**
 * OpenTelemetry's variables, when an endpoint is set. Each process is a service of its own. Deno exports traces only: logs and metrics are
 * collected in other ways.
 */
function tracing({ env }: Context, name: string): Environment {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return {};
  const isOn = env.OTEL_TRACES_EXPORTER !== "none";
  return {
    OTEL_DENO: String(isOn),
    OTEL_DENO_CONSOLE: "ignore",
    ...pick(
      env,
      Object.keys(env).filter((key) => key.startsWith("OTEL_")),
    ),
    OTEL_SERVICE_NAME: `${env.OTEL_SERVICE_NAME || "parley"}-${name}`,
  };
}

/** What a program needs from the machine's environment, and nothing else of the user's shell. */
const MACHINE = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "TZ",
  "SystemRoot",
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "PARLEY_PORT_OFFSET",
];

/** The machine's proxy, in either spelling. Deno would call our own services through it. */
function proxySettings(env: NodeJS.ProcessEnv): Environment {
  const [http, https, except] = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].map(
    (name) => env[name] || env[name.toLowerCase()] || "",
  );
  if (!http && !https) return {};
  return pick(
    { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: [except, ...LOOPBACK].filter(Boolean).join(",") },
    ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"],
  );
}

/** Limit of a role's name in bytes: Postgres truncates longer ones. */
const LONGEST_NAME = 63;

export interface Context {
  settings: Settings;
  secrets: Secrets;
  env: NodeJS.ProcessEnv;
}

/** The login that owns the database, for the gateway and the migrations, never for a function. */
export function ownerUrl({ settings, secrets }: Context): string {
  return (
    settings.externalDatabaseUrl ??
    `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${settings.ports.postgres}/postgres`
  );
}

/** The login of the edge functions, which can only switch to anon, authenticated or service_role. */
export function authenticatorUrl({ settings, secrets }: Context): string {
  const external = settings.externalDatabaseUrl;
  const url = new URL(external ?? `postgres://127.0.0.1:${settings.ports.postgres}/postgres`);
  url.username = external ? authenticatorOf(external) : "authenticator";
  url.password = secrets.authenticatorPassword;
  return url.href;
}

/**
 * The functions' role on an external Postgres. Roles belong to the whole server, so the name contains the database: two
 * installations then do not overwrite each other's password.
 */
export function authenticatorOf(externalUrl: string): string {
  const { pathname, username } = new URL(externalUrl);
  const database = decodeURIComponent(pathname.slice(1) || username || "postgres");
  const name = `authenticator_${database}`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  return `authenticator_${createHash("sha256").update(database).digest("hex").slice(0, 16)}`;
}

/** A process authorizes callers on this machine only if it listens on the loopback address alone. */
function metricsOnLocalhost(host: string | undefined): Environment {
  return ["", ...LOOPBACK].includes(host ?? "") ? { METRICS_ON_LOCALHOST: "true" } : {};
}

/** True when the user has set neither an API key nor an address for models: the offline models then answer with quotes. */
export function usesOfflineModels(env: NodeJS.ProcessEnv): boolean {
  return !env.OPENAI_API_KEY && !env.OPENAI_BASE_URL;
}

function modelSettings({ settings, env }: Context): Environment {
  if (!usesOfflineModels(env)) return {};
  return {
    OPENAI_API_KEY: "offline",
    OPENAI_BASE_URL: `${settings.modelsUrl}/v1`,
    OPENAI_MODEL: "offline-extract",
    OPENAI_EMBEDDING_MODEL: "offline-hash-2",
  };
}

/** The settings that every process receives. */
function baseEnv({ settings, env }: Context): Environment {
  return {
    ...pick(env, MACHINE),
    ...proxySettings(env),
    NODE_ENV: "production",
    PARLEY_DATA_DIR: settings.dataDir,
  };
}

export function postgresEnv(context: Context): Environment {
  return {
    ...baseEnv(context),
    PORT: String(context.settings.ports.postgres),
    POSTGRES_PASSWORD: context.secrets.postgresPassword,
    AUTHENTICATOR_PASSWORD: context.secrets.authenticatorPassword,
  };
}

export async function gatewayEnv(context: Context): Promise<Environment> {
  return {
    ...baseEnv(context),
    ...liteEnv(context),
    PREPARED_FINGERPRINT: await preparationFingerprint(authenticatorUrl(context)),
  };
}

export function mailboxEnv(context: Context): Environment {
  const { ports, dataDir } = context.settings;
  return {
    ...baseEnv(context),
    PORT: String(ports.mailbox),
    SMTP_PORT: String(ports.smtp),
    MAILBOX_DIR: join(dataDir, "mailbox"),
  };
}

export function modelsEnv(context: Context): Environment {
  const { settings, env } = context;
  return {
    ...baseEnv(context),
    ...pick(env, ["OFFLINE_WORD_PAUSE_MS"]),
    PORT: String(settings.ports.models),
  };
}

export function functionEnv(context: Context, name: "v1" | "indexing"): Environment {
  const { settings, secrets, env } = context;
  return {
    ...baseEnv(context),
    ...metricsOnLocalhost(undefined),
    // Where Deno caches compiled code, instead of the user's home.
    DENO_DIR: join(builtDir, "deno"),
    // The embedded Postgres supports prepared statements. An external one may be behind a pooler that does not.
    ...(settings.externalDatabaseUrl ? {} : { DATABASE_PREPARE: "true" }),
    ...pick(env, [...PRODUCT_SETTINGS, ...limitSettings(env)]),
    ...modelSettings(context),
    ...tracing(context, name),
    PORT: String(settings.ports[name]),
    DATABASE_URL: authenticatorUrl(context),
    ...gatewayUrls(settings),
    SUPABASE_ANON_KEY: secrets.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: secrets.serviceKey,
    JWT_SECRET: secrets.jwtSecret,
    SECRETS_KEY: env.SECRETS_KEY || secrets.secretsKey,
    SMTP_URL: settings.smtpUrl,
    ...pick(env, ["MAIL_FROM"]),
    WEB_URL: settings.webUrl,
  };
}

/** As others reach the gateway, perhaps through a proxy, and as this machine does. */
function gatewayUrls({ supabaseUrl, ports }: Settings): Environment {
  return { SUPABASE_URL: supabaseUrl, SUPABASE_INTERNAL_URL: `http://127.0.0.1:${ports.gateway}` };
}

/** The file in which the seed stores the id of its agent, for the web server. */
export function demoAgentFile(settings: Settings): string {
  return join(settings.dataDir, "demo-agent");
}

/** The web server is exposed to browsers, so it gets no key with more access than a browser's own. */
export function webEnv(context: Context): Environment {
  const { settings, secrets, env } = context;
  return {
    ...baseEnv(context),
    ...pick(env, [
      "SUPPORT_EMAIL",
      "SENTRY_DSN",
      "METRICS_TOKEN",
      "ROUTE_REDIRECTS",
      "TRUSTED_PROXIES",
      "DEMO_AGENT_ID",
    ]),
    ...tracing(context, "web"),
    ...metricsOnLocalhost(env.HOST),
    DEMO_AGENT_FILE: demoAgentFile(settings),
    PORT: String(settings.ports.web),
    SDK_PORT: String(settings.ports.sdk),
    SDK_URL: settings.sdkUrl,
    ...gatewayUrls(settings),
    API_URL: `http://127.0.0.1:${settings.ports.v1}`,
    COOKIE_SECRET: env.COOKIE_SECRET || secrets.cookieSecret,
    WEB_URL: settings.webUrl,
    // Pages link to the mailbox only when mails are delivered there.
    ...(env.SMTP_URL ? {} : { MAILBOX_URL: settings.mailboxUrl }),
    PARLEY_MODELS: usesOfflineModels(env) ? "offline" : "live",
  };
}

/** For our one-shot jobs, such as the preparation and the seed. */
export function jobEnv(context: Context): Environment {
  return {
    ...baseEnv(context),
    ...liteEnv(context),
    ...gatewayUrls(context.settings),
    AUTHENTICATOR_URL: authenticatorUrl(context),
    MAILBOX_URL: context.settings.mailboxUrl,
    PARLEY_DEMO: String(context.settings.demo),
    DEMO_AGENT_FILE: demoAgentFile(context.settings),
    // Only the embedded database is a folder that can be copied before an upgrade.
    ...(context.settings.externalDatabaseUrl ? {} : { DATABASE_DIR: databaseDir(context.settings) }),
  };
}

/** Settings of the gateway, and of the one-shot preparation, which shares its code. */
function liteEnv(context: Context): Environment {
  const { settings, secrets, env } = context;
  const local = (port: number) => `http://127.0.0.1:${port}`;
  return {
    EXPERIMENTAL_STORAGE: "1",
    PORT: String(settings.ports.gateway),
    DATABASE_URL: ownerUrl(context),
    JWT_SECRET: secrets.jwtSecret,
    SUPABASE_ANON_KEY: secrets.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: secrets.serviceKey,
    SUPABASE_URL: settings.supabaseUrl,
    WEB_URL: settings.webUrl,
    SMTP_URL: settings.smtpUrl,
    ...pick(env, ["MAIL_FROM"]),
    STORAGE_DIR: join(settings.dataDir, "storage"),
    FUNCTIONS: JSON.stringify({
      v1: local(settings.ports.v1),
      slack: local(settings.ports.v1),
      indexing: local(settings.ports.indexing),
    }),
  };
}

function pick(env: NodeJS.ProcessEnv, names: string[]): Environment {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value ? [[name, value]] : [];
    }),
  );
}
