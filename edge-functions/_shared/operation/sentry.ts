// Owns reporting unexpected errors to Sentry, if SENTRY_DSN is set. Must never receive a body, a token or a header.
// Envelope protocol: https://develop.sentry.dev/sdk/data-model/envelopes/
import { env } from "../env.ts";

type About = { requestId: string; method: string; route: string };

/** Reports an error. Resolves to false when SENTRY_DSN is not set. @throws Error when Sentry rejects the report */
export async function report(error: unknown, about: About): Promise<boolean> {
  const { SENTRY_DSN } = env();
  if (!SENTRY_DSN) return false;
  const dsn = new URL(SENTRY_DSN);
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const event = {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: "javascript",
    level: "error",
    transaction: `${about.method} ${about.route}`,
    tags: { request_id: about.requestId },
    exception: {
      values: [
        {
          type: error instanceof Error ? error.name : "Error",
          value: error instanceof Error ? error.message : String(error),
        },
      ],
    },
    extra: { stack: error instanceof Error ? error.stack : undefined },
  };
  const header = { event_id: eventId, sent_at: new Date().toISOString() };
  const response = await fetch(`${dsn.origin}/api${dsn.pathname}/envelope/`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-sentry-envelope",
      "X-Sentry-Auth": `Sentry sentry_version=7, sentry_client=parley/1.0, sentry_key=${dsn.username}`,
    },
    body: [header, { type: "event" }, event].map((part) => JSON.stringify(part)).join("\n"),
    signal: AbortSignal.timeout(5_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`Sentry answered ${response.status}`);
  return true;
}
