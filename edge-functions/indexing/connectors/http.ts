// Owns how connectors call a service: timeouts, retries, Retry-After, redirects, the meaning of a refusal. Knows no single service.
import type { z } from "zod";
import { parseStorableJson } from "../../_shared/outbound/json-depth.ts";
import { type OutboundAnswer, type OutboundRequest, send } from "../../_shared/outbound/outbound.ts";
import { OutboundError } from "../../_shared/outbound/outbound-error.ts";
import { type RetryPolicy, retryAfterMs, withRetries } from "../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { ItemGone, ItemUnreadable, RequestRefused, SourceRefused, SourceUnavailable } from "./connector.ts";
import { tooLargeFile } from "./readable.ts";

export interface Service {
  /** The service's name in sentences: "Jira". */
  name: string;
  /** A sentence on what to do when the service refuses the credentials. */
  renew: string;
  signal: AbortSignal;
  /** The origins that the credentials belong to. Every request starts at one of them; only a redirect of a file may lead elsewhere. */
  addresses: readonly string[];
  /** The headers with the credentials, sent to these origins only. */
  headers: Record<string, string>;
}

interface ServiceRequest extends Pick<OutboundRequest, "method" | "body" | "maxBytes"> {
  /** The type of the body; JSON by default. */
  contentType?: string;
  /** Interprets a 3xx or a 4xx by the service's response; undefined selects the general message. */
  explain?: (status: number, body: unknown, headers: Headers) => Error | undefined;
}

export interface JsonRequest<T> extends ServiceRequest {
  schema: z.ZodType<T>;
}

export interface BytesRequest extends ServiceRequest {
  maxBytes: number;
  /** The format to request a file in, if the service has several. */
  accept?: string;
  /** Whether to follow a redirect to an address; none is followed by default. Credentials stay with the service's addresses. */
  leadsTo?: (url: URL) => boolean;
  /** Timeout and attempts for what the service has to produce first. */
  patience?: { timeoutMs: number; tries: number };
}

export interface JsonAnswer<T> {
  data: T;
  headers: Headers;
}

/** Longer waits are left to the task, which frees its worker. */
const policy: RetryPolicy = { tries: 3, firstMs: 400, factor: 2, longestMs: 5_000 };

/**
 * Requests JSON of a known schema. Retries failures that pass soon.
 * @throws SourceUnavailable (rate limits, timeouts, 5xx, too long or malformed responses), SourceRefused (redirects, 401, 403),
 * RequestRefused (other 4xx), ItemGone (404, 410), and what `explain` returns
 */
export function requestJson<T>(service: Service, url: URL, request: JsonRequest<T>): Promise<JsonAnswer<T>> {
  return retryRequest(service, policy.tries, async () => {
    const { text, headers } = await requestOnce(service, url, request);
    const json = parseJson(text);
    const found = json === undefined ? undefined : request.schema.safeParse(json);
    if (found?.success) return { data: found.data, headers };
    throw new SourceUnavailable(sentenceOf("illegible", { service: service.name }));
  });
}

/** The maximum redirects of a file, and its timeout. */
const mostHops = 3;
const fileMs = 55_000;

/**
 * Requests a file's bytes.
 * @throws as requestJson(); ItemUnreadable when the file is too large
 */
export function requestBytes(service: Service, url: URL, request: BytesRequest): Promise<Uint8Array> {
  return retryRequest(service, request.patience?.tries, async () => {
    let at = url;
    for (let hop = 0; hop <= mostHops; hop++) {
      const answer = await requestOnce(service, at, request, hop > 0).catch((error) => {
        if (error instanceof TooLarge) throw new ItemUnreadable(tooLargeFile, { cause: error });
        throw error;
      });
      if (answer.status < 300) return answer.bytes;
      at = new URL(answer.headers.get("location") ?? "", at);
    }
    throw new SourceUnavailable(sentenceOf("illegible", { service: service.name }));
  });
}

/** Shorter than a document's timeout: a slow host must not stop the source that links to it. */
const linkedMs = 45_000;

/**
 * Requests a file that a service's content links to, on any host and without credentials.
 * @throws ItemUnreadable on any failure, so that the file fails alone; the signal's reason
 */
export async function requestLinkedFile(
  signal: AbortSignal,
  url: URL,
  maxBytes: number,
): Promise<Uint8Array> {
  const host: Service = {
    name: url.hostname,
    renew: "",
    signal: AbortSignal.any([signal, AbortSignal.timeout(linkedMs)]),
    addresses: [url.origin],
    headers: {},
  };
  try {
    // Every hop is checked to be on the public internet when it is called.
    return await requestBytes(host, url, { maxBytes, leadsTo: () => true });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ItemUnreadable) throw cause;
    throw new ItemUnreadable(sentenceOf("linkedFile", { host: url.hostname }), { cause });
  }
}

function retryRequest<T>(service: Service, tries = policy.tries, ask: () => Promise<T>): Promise<T> {
  const passes = (failure: unknown) =>
    failure instanceof SourceUnavailable ? (failure.retryAfterMs ?? 0) : undefined;
  return withRetries({ ...policy, tries }, service.signal, ask, passes);
}

/** Returns a successful response, or a redirect that may be followed. */
async function requestOnce(
  service: Service,
  url: URL,
  request: ServiceRequest & Pick<Partial<BytesRequest>, "leadsTo" | "accept">,
  isOnward = false,
): Promise<OutboundAnswer> {
  const { explain, body, method, maxBytes, leadsTo, accept, contentType = "application/json" } = request;
  const { name, signal, headers } = service;
  const isOurs = service.addresses.includes(url.origin);
  if (!isOurs && !isOnward)
    throw new Error(`${name} is not called at ${url.origin}: its credentials belong to other addresses`);
  const answer = await sendTo(service, url, {
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
    status >= 300 && status < 500 ? explain?.(status, parseJson(answer.text), answer.headers) : undefined;
  throw explained ?? refusal(service, status, answer.headers);
}

class TooLarge extends SourceUnavailable {}

async function sendTo({ name }: Service, url: URL, request: OutboundRequest) {
  try {
    return await send(url, request);
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    if (cause.problem === "forbidden") throw new SourceRefused(cause.message, "config", { cause });
    if (cause.problem === "timed_out")
      throw new SourceUnavailable(sentenceOf("noAnswer", { service: name }), undefined, { cause });
    if (cause.problem === "too_large")
      throw new TooLarge(sentenceOf("tooMuch", { service: name }), undefined, { cause });
    throw new SourceUnavailable(sentenceOf("unreachable", { service: name, host: url.hostname }), undefined, {
      cause,
    });
  }
}

/** The error for refused credentials. */
export const refusalOfCredentials = ({ name, renew }: Pick<Service, "name" | "renew">) =>
  new SourceRefused(sentenceOf("credentialsRefused", { service: name, advice: renew }), "credentials");

/** The error for a status that may pass by itself, with the wait that the service asks for; undefined for any other status. */
export function passingFailure(
  { name }: Pick<Service, "name">,
  status: number,
  headers: Headers,
): SourceUnavailable | undefined {
  if (status === 429)
    return new SourceUnavailable(sentenceOf("calledTooOften", { service: name }), retryAfterMs(headers));
  if (status >= 500 || status === 408)
    return new SourceUnavailable(
      sentenceOf("ownProblemStatus", { service: name, status }),
      retryAfterMs(headers),
    );
  return undefined;
}

function refusal(service: Service, status: number, headers: Headers): Error {
  const { name, renew } = service;
  if (status === 401) return refusalOfCredentials(service);
  if (status === 403)
    return new SourceRefused(
      sentenceOf("credentialsTooFew", { service: name, advice: renew }),
      "credentials",
    );
  if (status === 404 || status === 410) return new ItemGone(`${name} has no such thing`);
  const passing = passingFailure(service, status, headers);
  if (passing) return passing;
  if (status >= 300 && status < 400)
    return new SourceRefused(sentenceOf("moved", { service: name }), "config");
  return new RequestRefused(sentenceOf("misunderstoodStatus", { service: name, status }));
}

/** GitHub lists a hundred thousand files at once, of seven fields each. */
const mostValues = 1_000_000;

function parseJson(text: string): unknown {
  try {
    return parseStorableJson(text, mostValues);
  } catch {
    return undefined;
  }
}
