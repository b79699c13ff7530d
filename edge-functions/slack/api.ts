// Owns calls to Slack's Web API through Slack's client: typed failures, rate-limit waits, no duplicate posts. Does not know where
// tokens come from, nor chats.
import "./unnamed-system.ts";
import {
  type Logger,
  LogLevel,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
} from "@slack/web-api";
import { env } from "../_shared/env.ts";
import { boundedAnswer } from "../_shared/outbound/bounded-answer.ts";
import { type RetryPolicy, withRetries } from "../_shared/outbound/retry.ts";

/** Slack refused the call. `code` is Slack's error code, such as channel_not_found. */
export class SlackRefusal extends Error {
  override readonly name = "SlackRefusal";
  constructor(
    readonly method: string,
    readonly code: string,
  ) {
    super(`${method}: ${code}`);
  }
}

/** No usable response: it is unknown whether the call took effect. */
export class SlackUnreachable extends Error {
  override readonly name = "SlackUnreachable";
  constructor(
    readonly method: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(`${method}: no answer`, options);
  }

  /** Slack takes no more calls for a while, so this one had no effect. */
  get isLimit(): boolean {
    return this.retryAfterMs !== undefined;
  }
}

export type SlackAnswer = Record<string, unknown> & { ok: true };
export type Arguments = Record<string, unknown>;
export type SlackCall = (method: string, args: Arguments, signal?: AbortSignal) => Promise<SlackAnswer>;

const timeoutMs = 15_000;
const maxAnswerBytes = 8 * 1024 * 1024;
/** Longer waits are left to the queue. */
const policy: RetryPolicy = { tries: 4, firstMs: 600, factor: 2, longestMs: 30_000 };
/** Repeating these would be visible to users, so only a 429 is retried. */
const notRepeatable = new Set([
  "chat.postMessage",
  "chat.startStream",
  "chat.appendStream",
  "oauth.v2.access",
]);

const nothing = () => undefined;
/** Failures are thrown; the callers log them. */
const silent: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};

/**
 * Calls a method with a token, or with the client's own credentials when `token` is undefined.
 * @throws SlackRefusal; SlackUnreachable; the signal's reason when aborted
 */
export async function callSlack(
  token: string | undefined,
  method: string,
  args: Arguments,
  signal?: AbortSignal,
): Promise<SlackAnswer> {
  signal?.throwIfAborted();
  const passes = (failure: unknown) => {
    if (!(failure instanceof SlackUnreachable)) return undefined;
    return notRepeatable.has(method) ? failure.retryAfterMs : (failure.retryAfterMs ?? 0);
  };
  return await withRetries(policy, signal, () => sendOnce(token, method, args, signal), passes);
}

/** Sends one request, with the client's own retries and rate limiting off: the policy does both. */
async function sendOnce(
  token: string | undefined,
  method: string,
  args: Arguments,
  wanted?: AbortSignal,
): Promise<SlackAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = wanted ? AbortSignal.any([wanted, limit]) : limit;
  const client = new WebClient(token, {
    slackApiUrl: env().SLACK_API_URL,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, ...bodyOf(method, String(init?.body)), signal });
      return boundedAnswer(response, maxAnswerBytes, signal);
    },
  });
  try {
    return (await client.apiCall(method, args)) as SlackAnswer; // errors are thrown
  } catch (cause) {
    throw failureOf(method, cause);
  }
}

const transientCodes = new Set([
  "",
  "external_channel_migrating",
  "fatal_error",
  "internal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
  "update_failed",
]);

function failureOf(method: string, cause: unknown): SlackRefusal | SlackUnreachable {
  if (cause instanceof WebAPIRateLimitedError) return new SlackUnreachable(method, cause.retryAfter * 1000);
  if (cause instanceof WebAPIPlatformError) {
    const { error, response_metadata: metadata } = cause.data;
    // The error field holds the whole body of a response that is not Slack's, such as a proxy's page.
    const code = /^\w+$/.test(error) ? error : "";
    if (code === "ratelimited" || code === "rate_limited")
      return new SlackUnreachable(method, (metadata?.retryAfter ?? 1) * 1000);
    return transientCodes.has(code) ? new SlackUnreachable(method) : new SlackRefusal(method, code);
  }
  return new SlackUnreachable(method, undefined, { cause });
}

/**
 * Uses a stream for calls that must not repeat: Deno resends a text body by itself when a kept-alive connection closes under it
 * (measured), and cannot resend a stream.
 */
function bodyOf(method: string, form: string): RequestInit {
  if (!notRepeatable.has(method)) return { body: form };
  const body = new Blob([form]).stream();
  // Node's fetch requires `duplex` with a stream, which the type lacks.
  return { body, duplex: "half" } as RequestInit;
}

/** The text at a path of an answer, or undefined. */
export function textAt(answer: unknown, ...path: string[]): string | undefined {
  let value: unknown = answer;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return typeof value === "string" && value !== "" ? value : undefined;
}
