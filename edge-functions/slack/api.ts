// Owns the calls to Slack's Web API, made with its own client: typed failures, the waits that Slack asks for, and no second post. Knows no
// token's origin and nothing of chats.
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
import { type RetryPolicy, retried } from "../_shared/outbound/retry.ts";

/** Slack answered, and said no. `code` is one of its own, such as channel_not_found. */
export class SlackRefusal extends Error {
  override readonly name = "SlackRefusal";
  constructor(
    readonly method: string,
    readonly code: string,
  ) {
    super(`${method}: ${code}`);
  }
}

/** No usable answer: whether the call took effect is not known. */
export class SlackUnreachable extends Error {
  override readonly name = "SlackUnreachable";
  constructor(
    readonly method: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(`${method}: no answer`, options);
  }
}

export type SlackAnswer = Record<string, unknown> & { ok: true };
export type Arguments = Record<string, unknown>;
export type SlackCall = (method: string, args: Arguments, signal?: AbortSignal) => Promise<SlackAnswer>;

const timeoutMs = 15_000;
const maxAnswerBytes = 8 * 1024 * 1024;
/** A longer wait is the queue's to keep. */
const policy: RetryPolicy = { tries: 4, firstMs: 600, factor: 2, longestMs: 30_000 };
/** Done twice, these would be seen twice: only a clear refusal to listen (429) is tried again. */
const notRepeatable = new Set([
  "chat.postMessage",
  "chat.startStream",
  "chat.appendStream",
  "oauth.v2.access",
]);

const nothing = () => undefined;
/** Failures are thrown, and said by those who catch them. */
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
 * Calls a method with a token, or with the client's own credentials where `token` is undefined.
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
  return await retried(policy, signal, () => once(token, method, args, signal), passes);
}

/** One request, which the client neither repeats nor holds back: waits and second tries are the policy's. */
async function once(
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
    return (await client.apiCall(method, args)) as SlackAnswer; // anything else is thrown
  } catch (cause) {
    throw failureOf(method, cause);
  }
}

const unheard = new Set(["", "internal_error", "service_unavailable"]);

function failureOf(method: string, cause: unknown): SlackRefusal | SlackUnreachable {
  if (cause instanceof WebAPIRateLimitedError) return new SlackUnreachable(method, cause.retryAfter * 1000);
  if (cause instanceof WebAPIPlatformError) {
    const { error, response_metadata: metadata } = cause.data;
    // What is no answer of Slack's, such as a proxy's page, stands there whole.
    const code = /^\w+$/.test(error) ? error : "";
    if (code === "ratelimited") return new SlackUnreachable(method, (metadata?.retryAfter ?? 1) * 1000);
    return unheard.has(code) ? new SlackUnreachable(method) : new SlackRefusal(method, code);
  }
  return new SlackUnreachable(method, undefined, { cause });
}

/**
 * A stream where a second try would be seen: Deno sends a text again by itself when a connection that it had kept open is
 * closed under it (measured), and cannot send a stream twice.
 */
function bodyOf(method: string, form: string): RequestInit {
  if (!notRepeatable.has(method)) return { body: form };
  const body = new Blob([form]).stream();
  // Node's fetch asks for `duplex` beside a stream, which the type does not know.
  return { body, duplex: "half" } as RequestInit;
}

/** A text in an answer, by its path; undefined where there is none. */
export function textAt(answer: unknown, ...path: string[]): string | undefined {
  let value: unknown = answer;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return typeof value === "string" && value !== "" ? value : undefined;
}
