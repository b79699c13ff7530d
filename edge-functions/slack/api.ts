// Owns the calls to Slack's Web API: form-encoded, typed failures, waits that Slack asks for. Knows no token's origin and
// nothing of chats. Ours rather than @slack/web-api, which would wait and retry where a second post must not happen.
import { setTimeout as sleep } from "node:timers/promises";
import { boundedAnswer } from "../_shared/bounded-answer.ts";
import { env } from "../_shared/env.ts";

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
const tries = 4;
/** A longer wait than this is the queue's to keep. */
const longestWaitMs = 30_000;
/** Done twice, these would be seen twice: only a clear refusal to listen (429) is tried again. */
const notRepeatable = new Set([
  "chat.postMessage",
  "chat.startStream",
  "chat.appendStream",
  "oauth.v2.access",
]);

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
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await once(token, method, args, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SlackUnreachable) || attempt >= tries) throw error;
      const limited = error.retryAfterMs !== undefined;
      const wait = error.retryAfterMs ?? 300 * 2 ** attempt;
      if ((!limited && notRepeatable.has(method)) || wait > longestWaitMs) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
}

async function once(
  token: string | undefined,
  method: string,
  args: Arguments,
  wanted?: AbortSignal,
): Promise<SlackAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = wanted ? AbortSignal.any([wanted, limit]) : limit;
  const response = await fetch(`${env().SLACK_API_URL.replace(/\/$/, "")}/${method}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...bodyOf(method, formOf(args).toString()),
    redirect: "error",
    signal,
  }).catch((cause: unknown) => {
    throw new SlackUnreachable(method, undefined, { cause });
  });
  if (response.status === 429) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get("Retry-After") ?? "1");
    throw new SlackUnreachable(method, Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 1000);
  }
  const body: unknown = await boundedAnswer(response, maxAnswerBytes, signal)
    .json()
    .catch((cause: unknown) => {
      throw new SlackUnreachable(method, undefined, { cause });
    });
  if (isAnswer(body)) return body;
  const code = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "";
  if (response.status >= 500 || code === "" || code === "internal_error" || code === "service_unavailable") {
    throw new SlackUnreachable(method);
  }
  if (code === "ratelimited") throw new SlackUnreachable(method, 1000);
  throw new SlackRefusal(method, code);
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

/** Every method takes a form; what is not a word or a number goes into it as JSON. */
function formOf(args: Arguments): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return form;
}

function isAnswer(body: unknown): body is SlackAnswer {
  return typeof body === "object" && body !== null && "ok" in body && body.ok === true;
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
