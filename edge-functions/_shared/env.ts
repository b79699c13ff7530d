// Owns the settings: read once, checked at start. The only module besides the functions' index.ts that may know the
// runtime; it must not hold defaults that only fit one machine.
import process from "node:process";
import { z } from "zod";

const optional = (schema: z.ZodString = z.string()) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const schema = z.object({
  /** A login that may become anon, authenticated or service_role. */
  DATABASE_URL: z.string().min(1),
  SUPABASE_URL: z.url(),
  SUPABASE_ANON_KEY: z.string().min(1),
  SUPABASE_SERVICE_ROLE_KEY: z.string().min(1),
  /** HS256 secret of the access tokens; without it they are checked with the keys that SUPABASE_URL publishes. */
  JWT_SECRET: optional(),
  WEB_URL: z.url(),
  /** Encrypts credentials and signs visitors' tokens. */
  SECRETS_KEY: z.string().min(32),
  OPENAI_API_KEY: optional(),
  OPENAI_BASE_URL: optional(),
  OPENAI_MODEL: optional(),
  OPENAI_EMBEDDING_MODEL: optional(),
  OPENAI_EMBEDDING_DIMENSIONS: optional(),
  SMTP_URL: optional(),
  MAIL_FROM: z.preprocess((value) => value || "Parley <no-reply@parley.test>", z.string()),
  SUPPORT_EMAIL: z.preprocess((value) => value || "support@parley.test", z.string()),
  /** Comma-separated; empty: no report about mails is believed. */
  SNS_TOPIC_ARNS: z.preprocess((value) => value ?? "", z.string()),
  SENTRY_DSN: optional(),
  /** Of the Slack app that docs/slack.md describes; without all three there is no Slack. */
  SLACK_CLIENT_ID: optional(),
  SLACK_CLIENT_SECRET: optional(),
  SLACK_SIGNING_SECRET: optional(),
  SLACK_API_URL: z.preprocess((value) => value || "https://slack.com/api", z.url()),
  /** How long storage may be silent before a call to it is given up. */
  STORAGE_TIMEOUT_SECONDS: z.preprocess((value) => value || 20, z.coerce.number().positive().max(3600)),
  PARLEY_OUTBOUND_ALLOW: z.preprocess((value) => value ?? "", z.string()),
  /** Where this process listens; hosted functions have none. */
  PORT: z.preprocess((value) => (value === "" ? undefined : value), z.coerce.number().int().optional()),
});

export type Env = z.infer<typeof schema>;

/**
 * The settings from an environment; SUPABASE_DB_URL, which hosted Supabase sets, stands in for DATABASE_URL.
 * @throws Error naming every missing or malformed variable, without its value
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse({
    ...variables,
    DATABASE_URL: variables.DATABASE_URL ?? variables.SUPABASE_DB_URL,
  });
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".")))];
  throw new Error(`These settings are missing or malformed: ${names.join(", ")}. See .env.example.`);
}

let cached: Env | undefined;

/** The settings of this process, read at first use. */
export function env(): Env {
  cached ??= readEnv(process.env);
  return cached;
}
