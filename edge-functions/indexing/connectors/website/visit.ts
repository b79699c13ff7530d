// Owns one request to a website: delays, redirects hop by hop, decompression, the login. Does not know what a page says.
import { gunzipSync, inflateSync } from "node:zlib";
import { type OutboundRequest, send } from "../../../_shared/outbound/outbound.ts";
import { OutboundError } from "../../../_shared/outbound/outbound-error.ts";
import { type RetryPolicy, sleep, withRetries } from "../../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { decodeText } from "../../parsers/decode.ts";
import { SourceRefused, SourceUnavailable } from "../connector.ts";
import { passingFailure, type Service } from "../http.ts";

export interface SiteService extends Service {
  /** The setting with the site's URL, named in the error when the site must not be called. */
  field: string;
}

export interface Answer {
  /** The URL after all redirects within the origin. A redirect to another origin is not followed: then this is its target. */
  url: URL;
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** The delay between two requests to a host that asks for none. */
export const usualDelayMs = 200;
const mostHops = 6;
const mostBytes = 8 * 2 ** 20;
const timeoutMs = 20_000;
/** Longer waits are left to the task. */
const policy: RetryPolicy = { tries: 3, firstMs: 800, factor: 2, longestMs: 5_000 };

/** The earliest time of the next request per host, across all sources of this process. */
const nextAt = new Map<string, number>();

async function waitForTurn(host: string, delayMs: number, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  const at = Math.max(now, nextAt.get(host) ?? 0);
  nextAt.set(host, at + delayMs);
  if (nextAt.size > 1000) for (const [name, time] of nextAt) if (time < now) nextAt.delete(name);
  if (at > now) await sleep(at - now, signal);
}

/**
 * Requests a URL and follows redirects within its origin, each hop checked like the first. Retries failures that pass soon. An
 * unreachable host, 408, 429, 5xx and a compressed answer that is damaged or cut off throw.
 * @param known validators for a conditional request
 * @throws SourceUnavailable; SourceRefused for a URL that must not be called
 */
export async function visit(
  service: SiteService,
  from: URL,
  delayMs: number,
  known: { etag?: string | null; lastModified?: string | null } = {},
): Promise<Answer> {
  let url = from;
  for (let hop = 0; hop < mostHops; hop++) {
    const answer = await ask(service, url, delayMs, hop === 0 ? known : {});
    const next = answer.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(answer.status) || !next) return answer;
    const target = URL.parse(next, url);
    if (!target) return answer;
    // Does not follow to another origin: the caller sees the target.
    if (target.origin !== from.origin) return { ...answer, url: target };
    url = target;
  }
  throw new SourceUnavailable(sentenceOf("websiteRound", { service: service.name, path: from.pathname }));
}

async function ask(
  service: SiteService,
  url: URL,
  delayMs: number,
  { etag, lastModified }: { etag?: string | null; lastModified?: string | null },
): Promise<Answer> {
  const passing = new Set<unknown>();
  const once = async () => {
    await waitForTurn(url.host, delayMs, service.signal);
    const answer = await exchange(service, url, {
      signal: service.signal,
      timeoutMs,
      maxBytes: mostBytes,
      headers: {
        accept: "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
        "accept-encoding": "gzip, deflate",
        ...(etag ? { "if-none-match": etag } : {}),
        ...(lastModified ? { "if-modified-since": lastModified } : {}),
        // Credentials go only to the addresses that they were entered for.
        ...(service.addresses.includes(url.origin) ? service.headers : {}),
      },
    });
    const failure = passingFailure(service, answer.status, answer.headers);
    if (!failure) return answer;
    passing.add(failure);
    throw failure;
  };
  // A site that cannot be reached is left to the task: each of its tries would take the full timeout.
  return await withRetries(policy, service.signal, once, (failure) =>
    failure instanceof SourceUnavailable && passing.has(failure) ? (failure.retryAfterMs ?? 0) : undefined,
  );
}

async function exchange({ name, field }: SiteService, url: URL, request: OutboundRequest): Promise<Answer> {
  try {
    const { status, headers, bytes } = await send(url, request);
    return { url, status, headers, bytes: decompress(bytes, headers) };
  } catch (cause) {
    if (isNodeError(cause, "ERR_BUFFER_TOO_LARGE")) return { ...tooLarge, url };
    if (isNodeError(cause, "Z_"))
      throw new SourceUnavailable(sentenceOf("illegible", { service: name }), undefined, { cause });
    if (cause instanceof OutboundError && cause.problem === "forbidden")
      throw new SourceRefused(cause.message, field, { cause });
    if (cause instanceof OutboundError && cause.problem === "too_large") return { ...tooLarge, url };
    if (cause instanceof OutboundError)
      throw new SourceUnavailable(
        cause.problem === "timed_out"
          ? sentenceOf("noAnswer", { service: name })
          : sentenceOf("unreachable", { service: name, host: url.hostname }),
        undefined,
        { cause },
      );
    throw cause;
  }
}

/** Stands for a response over the size limit, with a server's own status for that. */
const tooLarge = { status: 413, headers: new Headers(), bytes: new Uint8Array() };

/** @throws an error of zlib for a response that is too long, damaged or cut off */
function decompress(bytes: Uint8Array, headers: Headers): Uint8Array {
  const encoding = headers.get("content-encoding")?.toLowerCase();
  const isZipped = encoding === "gzip" || (!encoding && bytes[0] === 0x1f && bytes[1] === 0x8b);
  if (isZipped) return gunzipSync(bytes, { maxOutputLength: mostBytes });
  if (encoding === "deflate") return inflateSync(bytes, { maxOutputLength: mostBytes });
  return bytes;
}

const isNodeError = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith(code);

export const isHtml = ({ headers, bytes }: Answer): boolean => {
  const type = headers.get("content-type");
  if (type) return /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type);
  return /^\s*<(?:!doctype html|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)));
};

/** A response's text: by byte-order mark, as UTF-8, by the declared encoding, otherwise by the likeliest one. */
export function textOf({ bytes, headers }: Answer): string {
  const declared = /charset\s*=\s*["']?([\w-]+)/i;
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 2048));
  const label = declared.exec(headers.get("content-type") ?? "")?.[1] ?? declared.exec(head)?.[1];
  return decodeText(bytes, label).text;
}
