// Owns how connectors ask a service for JSON: patience, Retry-After, what a refusal means. Must not know any one service.
import type { z } from "zod";
import {
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
  send,
} from "../../_shared/outbound/outbound.ts";
import { type RetryPolicy, retried, retryAfterMs } from "../../_shared/outbound/retry.ts";
import { ItemGone, ItemUnreadable, SourceRefused, SourceUnavailable } from "./connector.ts";
import { tooLargeFile } from "./readable.ts";

export interface Service {
  /** The service's name in sentences: "Jira". */
  name: string;
  /** What to do when it does not know the credentials. */
  renew: string;
  signal: AbortSignal;
  /** The origins that its credentials belong to; no other is called. */
  addresses: readonly string[];
  /** What its credentials become. They go along with every call. */
  headers: Record<string, string>;
}

interface ServiceRequest extends Pick<OutboundRequest, "method" | "body" | "maxBytes"> {
  /** Of the body; JSON unless told otherwise. */
  contentType?: string;
  /** What a 3xx or a 4xx means, where the service's answer tells; undefined leaves the general words. */
  explain?: (status: number, body: unknown, headers: Headers) => Error | undefined;
}

export interface JsonRequest<T> extends ServiceRequest {
  schema: z.ZodType<T>;
}

export interface BytesRequest extends ServiceRequest {
  maxBytes: number;
  /** The form in which a service gives a file out, where it has several. */
  accept?: string;
  /** Whether a redirect is followed to an address; none is unless told so. Credentials stay with the service's addresses. */
  leadsTo?: (url: URL) => boolean;
  /** How long it may take to come, and how often it is asked for; for what the service has to make first. */
  patience?: { timeoutMs: number; tries: number };
}

export interface JsonAnswer<T> {
  data: T;
  headers: Headers;
}

/** Longer waits are the task's, which gives its worker to others meanwhile. */
const policy: RetryPolicy = { tries: 3, firstMs: 400, factor: 2, longestMs: 5_000 };

/**
 * Asks for JSON of a known shape. What passes soon is waited for here.
 * @throws SourceUnavailable (rate limits, time-outs, 5xx, nonsense), SourceRefused (401, 403, other 4xx), ItemGone (404)
 */
export function askJson<T>(service: Service, url: URL, request: JsonRequest<T>): Promise<JsonAnswer<T>> {
  return patiently(service, policy.tries, async () => {
    const { text, headers } = await askOnce(service, url, request);
    const json = parsed(text);
    const found = json === undefined ? undefined : request.schema.safeParse(json);
    if (found?.success) return { data: found.data, headers };
    throw new SourceUnavailable(`${service.name} sent an answer that cannot be read.`);
  });
}

/** How often a file may send callers on, and how long it may take to come. */
const mostHops = 3;
const fileMs = 55_000;

/**
 * Asks for a file, as it is.
 * @throws as askJson does; ItemUnreadable for a file that is too large
 */
export function askBytes(service: Service, url: URL, request: BytesRequest): Promise<Uint8Array> {
  return patiently(service, request.patience?.tries, async () => {
    let at = url;
    for (let hop = 0; hop <= mostHops; hop++) {
      const answer = await askOnce(service, at, request, hop > 0).catch((error) => {
        if (error instanceof TooLarge) throw new ItemUnreadable(tooLargeFile, { cause: error });
        throw error;
      });
      if (answer.status < 300) return answer.bytes;
      at = new URL(answer.headers.get("location") ?? "", at);
    }
    throw new SourceUnavailable(`${service.name} sent an answer that cannot be read.`);
  });
}

/** A host that gives a file out slowly must not hold up the source that names it. */
const linkedMs = 45_000;

/**
 * Asks for a file that a service's content names by its address, wherever that is, and without credentials.
 * @throws ItemUnreadable whatever is wrong there: the file fails alone
 */
export async function askLinkedFile(signal: AbortSignal, url: URL, maxBytes: number): Promise<Uint8Array> {
  const host: Service = {
    name: url.hostname,
    renew: "",
    signal: AbortSignal.any([signal, AbortSignal.timeout(linkedMs)]),
    addresses: [url.origin],
    headers: {},
  };
  try {
    // Each hop is checked to be on the open internet when it is called.
    return await askBytes(host, url, { maxBytes, leadsTo: () => true });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ItemUnreadable) throw cause;
    throw new ItemUnreadable(
      `${url.hostname} does not provide this file. Attach the file itself, or upload it.`,
      { cause },
    );
  }
}

function patiently<T>(service: Service, tries = policy.tries, ask: () => Promise<T>): Promise<T> {
  const passes = (failure: unknown) =>
    failure instanceof SourceUnavailable ? (failure.retryAfterMs ?? 0) : undefined;
  return retried({ ...policy, tries }, service.signal, ask, passes);
}

/** An answer that is one, or a redirect that is followed. */
async function askOnce(
  service: Service,
  url: URL,
  request: ServiceRequest & Pick<Partial<BytesRequest>, "leadsTo" | "accept">,
  isOnward = false,
): Promise<OutboundAnswer> {
  const { explain, body, method, maxBytes, leadsTo, accept, contentType = "application/json" } = request;
  const { name, signal, headers } = service;
  const isOurs = service.addresses.includes(url.origin);
  if (!isOurs && !isOnward)
    throw new Error(`${name} is not called at ${url.origin}: its credentials belong elsewhere`);
  const answer = await sent(service, url, {
    signal,
    ...(method ? { method } : {}),
    ...(maxBytes ? { maxBytes } : {}),
    ...(leadsTo || accept ? { timeoutMs: fileMs } : {}),
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(leadsTo ? { accept: "*/*" } : {}),
      ...(isOurs ? headers : {}),
      ...(accept ? { accept } : {}),
      ...(body === undefined ? {} : { "content-type": contentType }),
    },
  });
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  const to = status >= 300 && status < 400 ? URL.parse(answer.headers.get("location") ?? "", url) : null;
  if (to && leadsTo?.(to)) return answer;
  const explained =
    status >= 300 && status < 500 ? explain?.(status, parsed(answer.text), answer.headers) : undefined;
  throw explained ?? refusal(service, status, answer.headers);
}

class TooLarge extends SourceUnavailable {}

async function sent({ name }: Service, url: URL, request: OutboundRequest) {
  try {
    return await send(url, request);
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    if (cause.problem === "forbidden") throw new SourceRefused(cause.message, "config", { cause });
    if (cause.problem === "timed_out")
      throw new SourceUnavailable(`${name} did not answer in time.`, undefined, { cause });
    if (cause.problem === "too_large")
      throw new TooLarge(`${name} sent more data than can be read at once.`, undefined, { cause });
    throw new SourceUnavailable(`${name} cannot be reached at ${url.hostname}.`, undefined, { cause });
  }
}

/** What a service says that does not know the credentials. */
export const unaccepted = ({ name, renew }: Pick<Service, "name" | "renew">) =>
  new SourceRefused(
    `${name} does not accept these credentials: they are wrong, expired or revoked. ${renew}`,
    "credentials",
  );

function refusal(service: Service, status: number, headers: Headers): Error {
  const { name, renew } = service;
  if (status === 401) return unaccepted(service);
  if (status === 403)
    return new SourceRefused(
      `${name} accepts these credentials, but they may not read this. ${renew}`,
      "credentials",
    );
  if (status === 404 || status === 410) return new ItemGone(`${name} has no such thing`);
  if (status === 429)
    return new SourceUnavailable(`${name} asks to be called less often.`, retryAfterMs(headers));
  if (status >= 500 || status === 408)
    return new SourceUnavailable(`${name} reports an internal error (${status}).`, retryAfterMs(headers));
  if (status >= 300 && status < 400)
    return new SourceRefused(`${name} redirects to another address. Enter that address.`, "config");
  return new SourceRefused(`${name} rejected the request (${status}).`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
