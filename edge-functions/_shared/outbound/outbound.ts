// Owns calls to addresses that users name: the public internet only, over TLS, to the exact address that was checked.
// PARLEY_OUTBOUND_ALLOW permits single places. Must not follow redirects or know what it carries.
import { Buffer } from "node:buffer";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { env } from "../env.ts";
import { type ProblemCode, sentenceOf } from "../text/sentences.ts";
import { isPublicAddress } from "./addresses.ts";
import { failAtUpgrade, isOutdated, makeConnections } from "./connections.ts";
import { OutboundError } from "./outbound-error.ts";

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

// Shorter than any usual service keeps its side open: a call that is lost with its connection must not be sent twice, unless it reads.
const route = makeConnections(4000);
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

function exchange(
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal,
  isFresh = false,
): Promise<OutboundAnswer> {
  const { method = "GET", headers = {}, body, maxBytes = defaultMaxBytes } = request;
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const call = open(
      url,
      {
        method,
        signal,
        ...route(url, isAllowedPlace(url), isFresh),
        headers: {
          accept: "application/json",
          "user-agent": "Parley/1.0",
          ...headers,
          ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        },
      },
      (response) => {
        isAnswered = true;
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
    failAtUpgrade(call, reject);
    call.on("error", (error) => {
      if (isAnswered || method !== "GET" || !isOutdated(call, error)) reject(error);
      else resolve(exchange(url, request, signal, true));
    });
    call.end(body);
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
