// Owns the settings: read once, checked at start. The only module besides the functions' index.ts that may know the
// runtime; it must not hold defaults that only fit one machine.
import process from "node:process";
import { z } from "zod";
import { readRanges } from "./requests/client-address.ts";

/** Keys of a Supabase project by name, as hosted functions are given them: {"default":"sb_secret_…"}. */
const keysByName = z
  .string()
  .transform((text, context) => {
    const parsed = z.record(z.string(), z.string().min(1)).safeParse(parseJson(text));
    if (parsed.success) return Object.values(parsed.data);
    context.addIssue("must be a JSON object of keys");
    return z.NEVER;
  })
  .optional();

const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** How often something is allowed in a minute. */
const perMinute = (usual: number) => z.coerce.number().int().min(1).max(1_000_000).default(usual);

const schema = z.object({
  /** A login that may become anon, authenticated or service_role. */
  DATABASE_URL: z.string(),
  /** Connections that one process opens at most. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  /** Whether statements stay prepared: not over a pooler in transaction mode, which gives each transaction another connection. */
  DATABASE_PREPARE: flag.default(false),
  SUPABASE_URL: z.url(),
  /** The public and the secret keys of a project, and the two legacy keys, which are JWTs. */
  SUPABASE_PUBLISHABLE_KEYS: keysByName,
  SUPABASE_SECRET_KEYS: keysByName,
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_SERVICE_ROLE_KEY: z.string().optional(),
  /** HS256 secret of the access tokens; without it they are checked with the keys that SUPABASE_URL publishes. */
  JWT_SECRET: z.string().optional(),
  WEB_URL: z.url(),
  /** Encrypts credentials and signs visitors' tokens. Several, comma-separated: the first encrypts, all of them open. */
  SECRETS_KEY: z
    .string()
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.tuple([z.string().min(32)], z.string().min(32))),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.string().optional(),
  OPENAI_MODEL: z.string().optional(),
  OPENAI_EMBEDDING_MODEL: z.string().optional(),
  OPENAI_EMBEDDING_DIMENSIONS: z.string().optional(),
  /** In US dollars per million tokens; without them nothing is counted as cost. */
  OPENAI_PROMPT_PRICE: z.coerce.number().min(0).optional(),
  OPENAI_COMPLETION_PRICE: z.coerce.number().min(0).optional(),
  OPENAI_EMBEDDING_PRICE: z.coerce.number().min(0).optional(),
  /** Where models of this machine are looked for, host:port and comma-separated; platform admins alone may connect them. */
  LOCAL_MODELS: z.string().default("127.0.0.1:11434,127.0.0.1:1234"),
  SMTP_URL: z.string().optional(),
  MAIL_FROM: z.string().default("Parley <no-reply@parley.test>"),
  SUPPORT_EMAIL: z.string().default("support@parley.test"),
  /** Comma-separated; empty: no report about mails is believed. */
  SNS_TOPIC_ARNS: z.string().default(""),
  SENTRY_DSN: z.string().optional(),
  /** What a scraper of /metrics shows. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Without a token, callers on the same machine may read /metrics: for processes that only this machine reaches. */
  METRICS_ON_LOCALHOST: z.stringbool().optional(),
  /** Of the Slack app that docs/slack.md describes; without all three there is no Slack. */
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_API_URL: z.url().default("https://slack.com/api"),
  /** How long storage may be silent before a call to it is given up. */
  STORAGE_TIMEOUT_SECONDS: z.coerce.number().positive().max(3600).default(20),
  PARLEY_OUTBOUND_ALLOW: z.string().default(""),
  /** Proxies whose X-Forwarded-For is believed, beside those of this machine: addresses or CIDR ranges, comma-separated. */
  TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return readRanges(text);
      } catch {
        context.addIssue({ code: "custom", message: "Neither addresses nor ranges." });
        return z.NEVER;
      }
    }),
  /** See usage-limits.ts and request-counts.ts. */
  LIMIT_REQUESTS_PER_ADDRESS: perMinute(12_000),
  LIMIT_REQUESTS_PER_CALLER: perMinute(6_000),
  LIMIT_ANSWERS_PER_MEMBER: perMinute(300),
  LIMIT_ANSWERS_PER_VISITOR: perMinute(20),
  LIMIT_ANSWERS_PER_ADDRESS: perMinute(60),
  LIMIT_ANSWERS_PER_API_KEY: perMinute(1_200),
  LIMIT_ANSWERS_PER_WORKSPACE: perMinute(300),
  LIMIT_ANSWERS_PER_TEAM: perMinute(3_000),
  LIMIT_ANSWERS_PER_PUBLIC_AGENTS: perMinute(600),
  LIMIT_SEARCHES_PER_MEMBER: perMinute(1_200),
  LIMIT_SEARCHES_PER_API_KEY: perMinute(2_400),
  LIMIT_SEARCHES_PER_TEAM: perMinute(6_000),
  /** Whether Deno traces this process: its own switch, which it reads itself, as it does OTEL_EXPORTER_OTLP_ENDPOINT and the others. */
  OTEL_DENO: z
    .enum(["true", "1", "false", "0"])
    .default("false")
    .transform((value) => value === "true" || value === "1"),
  /** Where this process listens; hosted functions have none. */
  PORT: z.coerce.number().int().optional(),
});

export type Env = z.infer<typeof schema> & {
  /** What a client without a session may show, and what the platform itself may; the first of each is what we send. */
  publicKeys: string[];
  serviceKeys: string[];
};

/**
 * The settings from an environment; SUPABASE_DB_URL, which hosted Supabase sets, stands in for DATABASE_URL. An empty variable is
 * as good as none: a file made from .env.example names them all.
 * @throws Error naming every missing or malformed variable, without its value
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const parsed = schema.safeParse({ ...given, DATABASE_URL: given.DATABASE_URL ?? given.SUPABASE_DB_URL });
  const wrong = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  const publicKeys = listKeys(parsed.data?.SUPABASE_PUBLISHABLE_KEYS, parsed.data?.SUPABASE_ANON_KEY);
  const serviceKeys = listKeys(parsed.data?.SUPABASE_SECRET_KEYS, parsed.data?.SUPABASE_SERVICE_ROLE_KEY);
  if (!given.SUPABASE_PUBLISHABLE_KEYS && !given.SUPABASE_ANON_KEY) wrong.add("SUPABASE_PUBLISHABLE_KEYS");
  if (!given.SUPABASE_SECRET_KEYS && !given.SUPABASE_SERVICE_ROLE_KEY) wrong.add("SUPABASE_SECRET_KEYS");
  if (parsed.success && wrong.size === 0) return { ...parsed.data, publicKeys, serviceKeys };
  throw new Error(`These settings are missing or malformed: ${[...wrong].join(", ")}. See .env.example.`);
}

const listKeys = (named: string[] = [], legacy?: string) =>
  legacy === undefined ? named : [...named, legacy];

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

let cached: Env | undefined;

/** The settings of this process, read at first use. */
export function env(): Env {
  cached ??= readEnv(process.env);
  return cached;
}
