// Owns the settings: read once, validated at start. The only module besides the functions' index.ts that may know the runtime. Must not
// hold defaults that fit only one machine.
import process from "node:process";
import { z } from "zod";
import { readRanges } from "./requests/client-address.ts";

/** A Supabase project's keys by name, as hosted functions receive them: {"default":"sb_secret_…"}. */
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

/** A limit per minute. */
const perMinute = (usual: number) => z.coerce.number().int().min(1).max(1_000_000).default(usual);

const schema = z.object({
  /** A login that may become anon, authenticated or service_role. */
  DATABASE_URL: z.string(),
  /** Maximum connections of one process. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  /** Whether statements stay prepared. Not over a pooler in transaction mode, which uses another connection for each transaction. */
  DATABASE_PREPARE: flag.default(false),
  /** The address that browsers and other programs use. */
  SUPABASE_URL: z.url(),
  /** The address for the platform's own calls, which need not pass the public proxy. Default: SUPABASE_URL. */
  SUPABASE_INTERNAL_URL: z.url().optional(),
  /** The project's public and secret keys, and the two legacy keys, which are JWTs. */
  SUPABASE_PUBLISHABLE_KEYS: keysByName,
  SUPABASE_SECRET_KEYS: keysByName,
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_SERVICE_ROLE_KEY: z.string().optional(),
  /** HS256 secret of the access tokens. Without it they are verified with the keys that Supabase publishes. */
  JWT_SECRET: z.string().optional(),
  WEB_URL: z.url(),
  /** Encrypts credentials and signs visitor tokens. Comma-separated: the first key encrypts, all of them decrypt. */
  SECRETS_KEY: z
    .string()
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.tuple([z.string().min(32)], z.string().min(32))),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.string().optional(),
  OPENAI_MODEL: z.string().optional(),
  OPENAI_EMBEDDING_MODEL: z.string().optional(),
  OPENAI_EMBEDDING_DIMENSIONS: z.string().optional(),
  /** US dollars per million tokens. Without them no cost is counted. */
  OPENAI_PROMPT_PRICE: z.coerce.number().min(0).optional(),
  OPENAI_COMPLETION_PRICE: z.coerce.number().min(0).optional(),
  OPENAI_EMBEDDING_PRICE: z.coerce.number().min(0).optional(),
  /** Addresses of local models, host:port, comma-separated. Only platform admins may connect them. */
  LOCAL_MODELS: z.string().default("127.0.0.1:11434,127.0.0.1:1234"),
  SMTP_URL: z.string().optional(),
  MAIL_FROM: z.string().default("Parley <no-reply@parley.test>"),
  SUPPORT_EMAIL: z.string().default("support@parley.test"),
  /** Who may create an account: everybody, or those with an invitation to a team. */
  REGISTRATION: z.enum(["open", "invited"]).default("open"),
  /** See indexing/operator-limits.ts. Without: no limit. */
  TEAM_STORAGE_MIB: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
  NEW_TEAM_MODEL_CAP: z.coerce.number().min(0).max(10_000_000).optional(),
  TEAMS_PER_PERSON_AND_DAY: z.coerce.number().int().min(1).max(1_000_000).optional(),
  /** Comma-separated. When empty, every delivery report is rejected. */
  SNS_TOPIC_ARNS: z.string().default(""),
  SENTRY_DSN: z.string().optional(),
  /** Bearer token that a scraper of /metrics sends. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Without a token, allows callers on the same machine to read /metrics. For processes that only this machine can reach. */
  METRICS_ON_LOCALHOST: z.stringbool().optional(),
  /** Whether no other process writes replies in this database: at its start a process then ends those of a dead one. */
  ONLY_API_PROCESS: flag.default(false),
  /** Credentials of the Slack app that docs/slack.md describes. Slack is off unless all three are set. */
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_API_URL: z.url().default("https://slack.com/api"),
  /** How long storage may be silent before a call to it fails. */
  STORAGE_TIMEOUT_SECONDS: z.coerce.number().positive().max(3600).default(20),
  PARLEY_OUTBOUND_ALLOW: z.string().default(""),
  /** Proxies trusted in X-Forwarded-For in addition to this machine: addresses or CIDR ranges, comma-separated. */
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
  /** Whether Deno traces this process. Deno itself reads this variable, OTEL_EXPORTER_OTLP_ENDPOINT and the other OTEL ones. */
  OTEL_DENO: z
    .enum(["true", "1", "false", "0"])
    .default("false")
    .transform((value) => value === "true" || value === "1"),
  /** The port this process listens on. Hosted functions have none. */
  PORT: z.coerce.number().int().optional(),
});

export type Env = z.infer<typeof schema> & {
  SUPABASE_INTERNAL_URL: string;
  /** Keys accepted from a client without a session, and from the platform itself. We send the first of each. */
  publicKeys: string[];
  serviceKeys: string[];
};

/**
 * Parses the settings from an environment. SUPABASE_DB_URL, which hosted Supabase sets, replaces a missing DATABASE_URL. An empty
 * variable counts as unset: a file copied from .env.example contains them all.
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
  if (parsed.success && wrong.size === 0) {
    const { SUPABASE_URL, SUPABASE_INTERNAL_URL = SUPABASE_URL } = parsed.data;
    return { ...parsed.data, SUPABASE_INTERNAL_URL, publicKeys, serviceKeys };
  }
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

/** The settings of this process, parsed on first use. */
export function env(): Env {
  cached ??= readEnv(process.env);
  return cached;
}
