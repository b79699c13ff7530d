// Owns what each process is told: the settings and secrets that it needs and no other.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { preparationFingerprint } from "./preparation.ts";
import type { Secrets } from "./secrets.ts";
import { builtDir, databaseDir, type Settings } from "./settings.ts";

export type Environment = Record<string, string>;

/** The user's own settings for models, mail, Slack and errors: handed on as they are, absent when absent. */
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
  "SNS_TOPIC_ARNS",
  "SENTRY_DSN",
  "METRICS_TOKEN",
  "PARLEY_OUTBOUND_ALLOW",
  "STORAGE_TIMEOUT_SECONDS",
  "DATABASE_POOL_SIZE",
  "DATABASE_PREPARE",
  "TRUSTED_PROXIES",
];

/** Every setting of how often something is allowed. */
const limitSettings = (env: NodeJS.ProcessEnv) =>
  Object.keys(env).filter((name) => name.startsWith("LIMIT_"));

/**
 * OpenTelemetry's variables, where they say where traces go. Each process is a service of its own. The log and the metrics have ways
 * of their own, so Deno does not send its log unless it is told to.
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

/** What a program needs of the machine, and nothing of the user's shell. */
const MACHINE = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "TZ",
  "SystemRoot",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "PARLEY_PORT_OFFSET",
];

/** Of a role, in bytes: Postgres cuts longer ones. */
const LONGEST_NAME = 63;

export interface Context {
  settings: Settings;
  secrets: Secrets;
  env: NodeJS.ProcessEnv;
}

/** The login that owns the database: the gateway's and the migrations', never a function's. */
export function ownerUrl({ settings, secrets }: Context): string {
  return (
    settings.externalDatabaseUrl ??
    `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${settings.ports.postgres}/postgres`
  );
}

/** The login of the edge functions, which can only become anon, authenticated or service_role. */
export function authenticatorUrl({ settings, secrets }: Context): string {
  const external = settings.externalDatabaseUrl;
  const url = new URL(external ?? `postgres://127.0.0.1:${settings.ports.postgres}/postgres`);
  url.username = external ? authenticatorOf(external) : "authenticator";
  url.password = secrets.authenticatorPassword;
  return url.href;
}

/**
 * The functions' role on a Postgres of the user's own. Roles belong to the whole server: named after the database, those
 * of two installations do not take each other's password.
 */
export function authenticatorOf(externalUrl: string): string {
  const { pathname, username } = new URL(externalUrl);
  const database = decodeURIComponent(pathname.slice(1) || username || "postgres");
  const name = `authenticator_${database}`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  return `authenticator_${createHash("sha256").update(database).digest("hex").slice(0, 16)}`;
}

/** Only where nothing but this machine can reach the process is "this machine asks" worth anything. */
function metricsOnLocalhost(host: string | undefined): Environment {
  return ["", "127.0.0.1", "localhost", "::1"].includes(host ?? "") ? { METRICS_ON_LOCALHOST: "true" } : {};
}

/** Without a key or an address of the user's own, the offline models answer, which only quote. */
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

/** What every process gets. */
function baseEnv({ settings, env }: Context): Environment {
  return { ...pick(env, MACHINE), NODE_ENV: "production", PARLEY_DATA_DIR: settings.dataDir };
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
  return { ...baseEnv(context), PORT: String(context.settings.ports.models) };
}

export function functionEnv(context: Context, name: "v1" | "indexing"): Environment {
  const { settings, secrets, env } = context;
  return {
    ...baseEnv(context),
    ...metricsOnLocalhost(undefined),
    // Deno keeps what it compiled; not in the user's home.
    DENO_DIR: join(builtDir, "deno"),
    // The embedded Postgres keeps statements; what stands before another one is not known.
    ...(settings.externalDatabaseUrl ? {} : { DATABASE_PREPARE: "true" }),
    ...pick(env, [...PRODUCT_SETTINGS, ...limitSettings(env)]),
    ...modelSettings(context),
    ...tracing(context, name),
    PORT: String(settings.ports[name]),
    DATABASE_URL: authenticatorUrl(context),
    SUPABASE_URL: settings.supabaseUrl,
    SUPABASE_ANON_KEY: secrets.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: secrets.serviceKey,
    JWT_SECRET: secrets.jwtSecret,
    SECRETS_KEY: env.SECRETS_KEY || secrets.secretsKey,
    SMTP_URL: settings.smtpUrl,
    WEB_URL: settings.webUrl,
  };
}

/** Where the seed notes the id of the agent that it has created, for the web server to show. */
export function demoAgentFile(settings: Settings): string {
  return join(settings.dataDir, "demo-agent");
}

/** The web server faces browsers: it has no key that opens more than a browser's own. */
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
    SUPABASE_URL: settings.supabaseUrl,
    API_URL: `http://127.0.0.1:${settings.ports.v1}`,
    COOKIE_SECRET: env.COOKIE_SECRET || secrets.cookieSecret,
    WEB_URL: settings.webUrl,
    // Pages point to the mailbox only where the mails go there.
    ...(env.SMTP_URL ? {} : { MAILBOX_URL: settings.mailboxUrl }),
    PARLEY_MODELS: usesOfflineModels(env) ? "offline" : "live",
  };
}

/** Of a one-shot job of ours, such as the preparation and the seed. */
export function jobEnv(context: Context): Environment {
  return {
    ...baseEnv(context),
    ...liteEnv(context),
    AUTHENTICATOR_URL: authenticatorUrl(context),
    MAILBOX_URL: context.settings.mailboxUrl,
    PARLEY_DEMO: String(context.settings.demo),
    DEMO_AGENT_FILE: demoAgentFile(context.settings),
    // Only the embedded database is a folder that can be copied before an upgrade.
    ...(context.settings.externalDatabaseUrl ? {} : { DATABASE_DIR: databaseDir(context.settings) }),
  };
}

/** What the gateway, and the one-shot preparation that shares its code, read. */
function liteEnv(context: Context): Environment {
  const { settings, secrets } = context;
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
