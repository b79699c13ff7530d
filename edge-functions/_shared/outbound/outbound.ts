// Owns calls to addresses that users name: the public internet only, over TLS, to the exact address that was checked.
// PARLEY_OUTBOUND_ALLOW permits single places. Must not follow redirects or know what it carries.
import { Buffer } from "node:buffer";
import { type LookupAddress, lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { env } from "../env.ts";
import { type ProblemCode, sentenceOf } from "../text/sentences.ts";
import { isPublicAddress } from "./addresses.ts";

export type OutboundProblem = "forbidden" | "unreachable" | "timed_out" | "too_large";

/** `message` contains no part of the address except its host. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  constructor(
    readonly problem: OutboundProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface OutboundRequest {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** For the whole exchange. */
  timeoutMs?: number;
  maxBytes?: number;
}

export interface OutboundAnswer {
  status: number;
  headers: Headers;
  /** Raw bytes. A caller that requested a content encoding decodes it. */
  bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly text: string;
}

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 16 * 1024 * 1024;

/** True when PARLEY_OUTBOUND_ALLOW names the place: plain HTTP and a private address are allowed there. */
export function isAllowedPlace(url: URL, allowed = env().PARLEY_OUTBOUND_ALLOW): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const place = `${url.hostname}:${port}`.toLowerCase();
  return allowed
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .includes(place);
}

/**
 * Checks an address before its host is looked up.
 * @throws OutboundError forbidden
 */
export function checkAddress(url: URL, allowed?: string): void {
  const refuse = (code: ProblemCode) =>
    new OutboundError("forbidden", sentenceOf(code, { host: url.hostname || "This address" }));
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new OutboundError("forbidden", sentenceOf("onlyHttps"));
  if (url.username || url.password) throw refuse("nameInAddress");
  if (isAllowedPlace(url, allowed)) return;
  if (url.protocol !== "https:") throw refuse("notHttps");
  const host = bare(url.hostname);
  const isLiteral = /^[\d.]+$/.test(host) || host.includes(":");
  if (isLiteral && !isPublicAddress(host)) throw refuse("notPublic");
  if (/(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host)) throw refuse("notPublic");
}

/**
 * Sends one request. Returns any status, redirects included, and never follows one.
 * @throws OutboundError; the signal's reason
 */
export async function send(url: URL, request: OutboundRequest = {}): Promise<OutboundAnswer> {
  checkAddress(url);
  request.signal?.throwIfAborted();
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), request.timeoutMs ?? defaultTimeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timer.signal]) : timer.signal;
  try {
    return await exchange(url, request, signal);
  } catch (cause) {
    if (request.signal?.aborted) throw request.signal.reason;
    if (cause instanceof OutboundError) throw cause;
    if (timer.signal.aborted)
      throw new OutboundError("timed_out", sentenceOf("noAnswer", { service: url.hostname }));
    throw new OutboundError("unreachable", sentenceOf("hostUnreachable", { host: url.hostname }), { cause });
  } finally {
    clearTimeout(timeout);
  }
}

function exchange(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
  const { method = "GET", headers = {}, body, maxBytes = defaultMaxBytes } = request;
  const isOpen = isAllowedPlace(url);
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = open(
      url,
      {
        method,
        signal,
        // Connections are not shared: each is opened to an address checked for this call.
        agent: false,
        lookup: isOpen ? undefined : checkedLookup,
        headers: {
          accept: "application/json",
          "user-agent": "Parley/1.0",
          ...headers,
          ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on("data", (part: Buffer) => {
          size += part.byteLength;
          if (size <= maxBytes) return void parts.push(part);
          reject(new OutboundError("too_large", sentenceOf("hostTooMuch", { host: url.hostname })));
          call.destroy();
        });
        response.on("error", reject);
        response.on("aborted", () => reject(new Error("the answer broke off")));
        response.on("end", () => {
          const whole = Buffer.concat(parts);
          resolve({
            status: response.statusCode ?? 0,
            headers: headersOf(response.headers),
            // A plain Uint8Array: pdf.js rejects a Buffer.
            bytes: new Uint8Array(whole),
            get text() {
              return whole.toString("utf8");
            },
          });
        });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Looks up a host and connects only to the checked addresses, so that a second DNS answer has no effect. */
export function checkedLookup(host: string, options: { all?: boolean }, found: Found): void {
  lookup(host, { all: true }, (error, addresses) => {
    if (error) return found(error, "");
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return found(new OutboundError("forbidden", sentenceOf("notPublic", { host })), "");
    if (options.all) found(null, addresses);
    else found(null, first.address, first.family);
  });
}

export function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "");
