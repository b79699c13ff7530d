// The web server's settings, read from the environment once and validated at start. No other module reads process.env.
import { z } from "zod";
import { readRanges } from "../../edge-functions/_shared/requests/client-address.ts";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);

/** "/help=https://help.example.com /old/**=/new/**": each maps one of our paths to another path or site. */
const redirects = z
  .string()
  .default("")
  .transform((text) => text.split(/\s+/).filter(Boolean))
  .pipe(
    z.array(
      z.string().regex(/^\/[^=\s]*=(\/(?!\/)|https?:\/\/)\S*$/, "must be /path=/path or /path=https://…"),
    ),
  )
  .transform((pairs) =>
    Object.fromEntries(
      pairs.map((pair): [string, string] => [
        pair.slice(0, pair.indexOf("=")),
        pair.slice(pair.indexOf("=") + 1),
      ]),
    ),
  );

const port = z.coerce.number().int().min(1).max(65535);

const settings = z.object({
  /** The address to listen on; 0.0.0.0 listens on every address of the machine. */
  HOST: z.union([z.ipv4(), z.ipv6()], "must be an IP address").default("127.0.0.1"),
  PORT: port.default(3000 + offset),
  /** The public address. Only its origin may post to the web server. */
  WEB_URL: z.url().default(`http://127.0.0.1:${3000 + offset}`),
  SDK_PORT: port.default(3001 + offset),
  /** Address of the host that serves the widget. Its origin differs from WEB_URL's, so the widget cannot reach a login. */
  SDK_URL: z.url().default(`http://127.0.0.1:${3001 + offset}`),
  /** The gateway (functions, auth, storage), as browsers call it. */
  SUPABASE_URL: z.url().default(`http://127.0.0.1:${54321 + offset}`),
  /** The gateway for the web server's own calls, which need not pass the public proxy. Default: SUPABASE_URL. */
  SUPABASE_INTERNAL_URL: z.url().optional(),
  /** The v1 function itself when it runs on this machine: pages then bypass the gateway. */
  API_URL: z.url().optional(),
  /** Signs the one-time messages that a cookie carries across a redirect. */
  COOKIE_SECRET: z.string().min(16, "at least 16 characters"),
  SUPPORT_EMAIL: z.email().default("support@parley.test"),
  /** Page of the local mailbox; set only on a developer's machine. */
  MAILBOX_URL: z.url().optional(),
  /** "offline" while the built-in models answer; every page then shows a notice. */
  PARLEY_MODELS: z.enum(["offline", "live"]).default("offline"),
  /** Lets callers on the same machine read /metrics without a token. */
  METRICS_ON_LOCALHOST: z.stringbool().optional(),
  /** The token that a scraper of /metrics sends. */
  METRICS_TOKEN: z.string().min(16, "at least 16 characters").optional(),
  /** Whether and where to send traces. OpenTelemetry's packages read its other variables themselves. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(["http/protobuf", "http/json"]).default("http/protobuf"),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  /** Proxies whose X-Forwarded-For is trusted, in addition to this machine's: addresses or CIDR ranges, comma-separated. */
  TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return readRanges(text);
      } catch (error) {
        context.addIssue({
          code: "custom",
          message: error instanceof Error ? error.message : "is malformed",
        });
        return z.NEVER;
      }
    }),
  /** The public agent on the front page and the widget's demo page. Without it they have no live demo. */
  DEMO_AGENT_ID: z.uuid("must be an agent's id").optional(),
  /** The file that holds the demo agent's id, written by the local stack's seed. */
  DEMO_AGENT_FILE: z.string().optional(),
  /** Redirects of this installation. */
  ROUTE_REDIRECTS: redirects,
});

export type Env = z.infer<typeof settings> & { SUPABASE_INTERNAL_URL: string };

function read(): Env {
  // An empty variable counts as unset: a file copied from .env.example names them all.
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
  const result = settings.safeParse(given);
  if (result.success) {
    const { SUPABASE_URL, SUPABASE_INTERNAL_URL = SUPABASE_URL } = result.data;
    return { ...result.data, SUPABASE_INTERNAL_URL };
  }
  const problems = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  throw new Error(`The web server's settings are wrong. ${problems}`);
}

export const env: Env = read();
