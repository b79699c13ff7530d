// Owns how connectors ask a service for JSON: patience, Retry-After, what a refusal means. Must not know any one service.
import type { z } from "zod";
import { OutboundError, type OutboundRequest, send } from "../../_shared/outbound.ts";
import { ItemGone, SourceRefused, SourceUnavailable } from "./connector.ts";

export interface Service {
  /** The service's name in sentences: "Jira". */
  name: string;
  /** What to do when it does not know the credentials. */
  renew: string;
  signal: AbortSignal;
}

export interface JsonRequest<T> extends Pick<OutboundRequest, "method" | "headers" | "body"> {
  schema: z.ZodType<T>;
  /** What a 4xx other than 401, 403, 404 and 429 means, where the service's answer tells; undefined leaves the general words. */
  explain?: (status: number, body: unknown) => Error | undefined;
}

export interface JsonAnswer<T> {
  data: T;
  headers: Headers;
}

const tries = 3;
const firstWaitMs = 400;
/** Longer waits are the task's, which gives its worker to others meanwhile. */
const longestWaitMs = 5_000;

/**
 * Asks for JSON of a known shape. What passes soon is waited for here.
 * @throws SourceUnavailable (rate limits, time-outs, 5xx, nonsense), SourceRefused (401, 403, other 4xx), ItemGone (404)
 */
export async function askJson<T>(
  service: Service,
  url: URL,
  request: JsonRequest<T>,
): Promise<JsonAnswer<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(service, url, request);
    } catch (error) {
      if (!(error instanceof SourceUnavailable) || attempt >= tries) throw error;
      const own = firstWaitMs * 2 ** (attempt - 1);
      const wait = Math.max(error.retryAfterMs ?? 0, own * (0.5 + Math.random()));
      if (wait > longestWaitMs) throw error;
      await sleep(wait, service.signal);
    }
  }
}

async function askOnce<T>(service: Service, url: URL, request: JsonRequest<T>): Promise<JsonAnswer<T>> {
  const { schema, explain, headers, body, method } = request;
  const { name, signal } = service;
  const answer = await sent(service, url, {
    signal,
    ...(method ? { method } : {}),
    ...(body === undefined ? {} : { body }),
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
  });
  const { status, headers: answered, text } = answer;
  const json = parsed(text);
  if (status >= 200 && status < 300) {
    const found = json === undefined ? undefined : schema.safeParse(json);
    if (found?.success) return { data: found.data, headers: answered };
    throw new SourceUnavailable(`${name} answered in a form that cannot be read.`);
  }
  const explained = status >= 400 && status < 500 ? explain?.(status, json) : undefined;
  if (explained) throw explained;
  throw refusal(service, status, answered);
}

async function sent({ name }: Service, url: URL, request: OutboundRequest) {
  try {
    return await send(url, request);
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    if (cause.problem === "forbidden") throw new SourceRefused(cause.message, "config", { cause });
    if (cause.problem === "timed_out")
      throw new SourceUnavailable(`${name} did not answer in time.`, undefined, { cause });
    if (cause.problem === "too_large")
      throw new SourceUnavailable(`${name} answered with more than can be taken at once.`, undefined, {
        cause,
      });
    throw new SourceUnavailable(`${name} cannot be reached at ${url.hostname}.`, undefined, { cause });
  }
}

function refusal({ name, renew }: Service, status: number, headers: Headers): Error {
  if (status === 401)
    return new SourceRefused(
      `${name} does not accept these credentials: they are wrong, expired or revoked. ${renew}`,
      "credentials",
    );
  if (status === 403)
    return new SourceRefused(
      `${name} accepts these credentials, but they may not read this. ${renew}`,
      "credentials",
    );
  if (status === 404 || status === 410) return new ItemGone(`${name} has no such thing`);
  if (status === 429)
    return new SourceUnavailable(`${name} asks to be called less often.`, retryAfterMs(headers));
  if (status >= 500 || status === 408)
    return new SourceUnavailable(`${name} has a problem of its own (${status}).`, retryAfterMs(headers));
  if (status >= 300 && status < 400)
    return new SourceRefused(`${name} sends callers to another address. Give that one.`, "config");
  return new SourceRefused(`${name} did not understand what it was asked (${status}).`);
}

/** Retry-After in milliseconds: seconds or a date, which is measured by the service's own clock where it tells. */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value), 86_400) * 1000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, Math.min(until - now, 86_400_000));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws the signal's reason */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}
