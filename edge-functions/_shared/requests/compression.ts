// Owns response compression: content negotiation, dynamic responses, and cached responses compressed once. Does not touch streams: they
// are sent as they are written.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { parseAccept } from "hono/utils/accept";

export type Encoding = "br" | "gzip";
type Bytes = Buffer<ArrayBuffer>;

/** Fits into one packet with its headers, so compression would save no time. */
const TINY = 1024;
const WHOLE_ANSWERS = /^(application\/json|text\/html)(;|$)/;

const pack: Record<Encoding, (bytes: Bytes, isKept: boolean) => Promise<Bytes>> = {
  br: (bytes, isKept) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isKept ? 11 : 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, isKept) => promisify(gzip)(bytes, { level: isKept ? 9 : 6 }),
};

/** The client's preferred encoding (RFC 9110, section 12.5.3); on a tie, the first one offered. */
export function encodingFor(accepted: string | null, offered: Encoding[]): Encoding | undefined {
  if (!accepted) return undefined;
  const named = parseAccept(accepted);
  const weight = (encoding: string): number => {
    const one =
      named.find(({ type }) => type.toLowerCase() === encoding) ?? named.find(({ type }) => type === "*");
    return one?.q ?? 0;
  };
  return offered.filter((one) => weight(one) > 0).sort((a, b) => weight(b) - weight(a))[0];
}

/**
 * Compresses JSON and HTML responses.
 * @param isLeftAlone true for requests whose responses are sent uncompressed
 */
export function compressAnswers(
  offered: Encoding[],
  isLeftAlone: (request: Request) => boolean = () => false,
): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!mayCompress(c.res)) return;
    addVary(c);
    if (isLeftAlone(c.req.raw)) return forbidCompression(c);
    const encoding = encodingFor(c.req.header("accept-encoding") ?? null, offered);
    if (!encoding || !c.res.body || c.req.method === "HEAD") return;
    const { status } = c.res;
    const plain = Buffer.from(await c.res.arrayBuffer());
    const sent = new Headers(c.res.headers);
    sent.delete("content-length");
    const isTiny = plain.length < TINY;
    if (!isTiny) sent.set("content-encoding", encoding);
    const body = isTiny ? plain : await pack[encoding](plain, false);
    // Hono would copy the old headers.
    c.res = undefined;
    c.res = new Response(body, { status, headers: sent });
  };
}

const NO_TRANSFORM = "no-transform";

function mayCompress({ headers, status }: Response): boolean {
  if (status === 206 || headers.has("content-encoding")) return false;
  if (headers.get("cache-control")?.includes(NO_TRANSFORM)) return false;
  return WHOLE_ANSWERS.test(headers.get("content-type") ?? "");
}

/** Applies to proxies in front, too. */
function forbidCompression(c: Context): void {
  const before = c.res.headers.get("cache-control");
  c.res.headers.set("cache-control", before ? `${before}, ${NO_TRANSFORM}` : NO_TRANSFORM);
}

function addVary(c: Context): void {
  const before = c.res.headers.get("vary");
  if (before && /(^|,)\s*(accept-encoding|\*)\s*(,|$)/i.test(before)) return;
  // c.header() would copy the whole response, and turn its text into a stream.
  c.res.headers.set("vary", before ? `${before}, Accept-Encoding` : "Accept-Encoding");
}

/** A cached response, identical for every client, in all its encodings. */
export interface CachedResponse {
  headers: Record<string, string>;
  etag: string;
  plain: Bytes;
  packed: Partial<Record<Encoding, Bytes>>;
}

export function cacheResponse(
  plain: Bytes,
  headers: Record<string, string>,
  packed: CachedResponse["packed"],
): CachedResponse {
  // Weak: one tag for the same content in several encodings.
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const isVaried = Object.keys(packed).length > 0;
  return { plain, packed, etag, headers: { ...headers, etag, ...(isVaried && { vary: "Accept-Encoding" }) } };
}

/** Compresses at maximum level, for caching. Leaves out encodings that are not smaller. */
export async function compressForCache(
  plain: Bytes,
  encodings: Encoding[],
): Promise<CachedResponse["packed"]> {
  const all = await Promise.all(encodings.map(async (one) => [one, await pack[one](plain, true)] as const));
  return Object.fromEntries(all.filter(([, { length }]) => length < plain.length));
}

/** Answers a request from a cached response: 200 with the body, or 304. */
export function replyWith(
  { headers, etag, plain, packed }: CachedResponse,
  asked: Headers,
): { status: 200 | 304; headers: Record<string, string>; body: Bytes | null } {
  const known = asked.get("if-none-match");
  if (known === "*" || known?.match(/"[^"]*"/g)?.includes(etag.slice(2))) {
    const { "content-type": _ofNoBody, ...kept } = headers;
    return { status: 304, headers: kept, body: null };
  }
  const offered = (["br", "gzip"] as const).filter((one) => packed[one]);
  const encoding = encodingFor(asked.get("accept-encoding"), offered);
  const body = (encoding && packed[encoding]) ?? plain;
  const sent = { ...headers, "content-length": String(body.length) };
  return { status: 200, headers: encoding ? { ...sent, "content-encoding": encoding } : sent, body };
}
