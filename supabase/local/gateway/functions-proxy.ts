// Owns the proxy from /functions/v1/<name>/* to the process of that edge function: streams bytes in both directions, and passes on aborts.
// Must not read bodies or check tokens: the functions do both (verify_jwt = false in supabase/config.toml).

import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { log } from "../../../edge-functions/_shared/operation/log.ts";
import { knownMethod, requestFields } from "../../../edge-functions/_shared/operation/request-log.ts";
import { requestIdFrom } from "../../../edge-functions/_shared/requests/request-context.ts";

const PREFIX = "/functions/v1/";
/** Headers for a single connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The caller disconnected before the response. */
const HUNG_UP = 499;

export function isFunctionPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** A function sees its own name first in the path, as on hosted Supabase: /functions/v1/v1/agents arrives as /v1/agents. */
export function proxyToFunction(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  functions: Record<string, string>,
): void {
  const target = (incoming.url ?? "").slice(PREFIX.length - 1);
  const name = /^\/([\w-]+)(?=[/?]|$)/.exec(target)?.[1];
  const address = name && Object.hasOwn(functions, name) ? functions[name] : undefined;
  const requestId = requestIdFrom(incoming.headers["x-request-id"]);
  noteAnswer(incoming, outgoing, address ? `${PREFIX}${name}` : `${PREFIX}*`, requestId);
  if (!address) {
    answer(outgoing, 404, "NOT_FOUND", "Requested function was not found", requestId);
    return;
  }
  const upstream = request(address, {
    method: incoming.method,
    path: target,
    headers: { ...forwardedHeaders(incoming), "x-request-id": requestId },
  });
  upstream.on("response", (response) => {
    relay(response, outgoing);
    response.on("end", () => {
      if (!incoming.complete) leaveUnread(incoming, upstream);
    });
  });
  upstream.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else
      answer(outgoing, 503, "UNAVAILABLE", "The function is starting or has stopped; try again", requestId);
  });
  closeTogether(outgoing, upstream);
  incoming.pipe(upstream);
}

function relay(response: IncomingMessage, outgoing: ServerResponse): void {
  const headers = withoutHopByHop(response);
  delete headers["access-control-allow-credentials"];
  // Deno states the length of what it sends, which for HEAD is not that of the answer to GET.
  if (outgoing.req.method === "HEAD") delete headers["content-length"];
  headers["access-control-allow-origin"] = "*";
  outgoing.writeHead(response.statusCode ?? 502, headers);
  // An event stream's first bytes may take minutes. The headers tell its reader at once that it is open. A body whose length is known is
  // there already, and its headers leave with it, in one write.
  if (headers["content-length"] === undefined) outgoing.flushHeaders();
  response.on("error", () => outgoing.destroy());
  response.pipe(outgoing);
}

/**
 * Reads and discards the rest of a body that a function did not read. Left in the connection, it would precede the caller's next request,
 * which would never be answered.
 */
function leaveUnread(incoming: IncomingMessage, upstream: ClientRequest): void {
  incoming.unpipe(upstream);
  upstream.destroy();
  incoming.resume();
}

function closeTogether(outgoing: ServerResponse, upstream: ClientRequest): void {
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
}

function forwardedHeaders(incoming: IncomingMessage): Record<string, string | string[]> {
  const headers = withoutHopByHop(incoming);
  const peer = incoming.socket.remoteAddress ?? "";
  const before = headers["x-forwarded-for"];
  headers["x-forwarded-for"] = before ? `${before}, ${peer}` : peer;
  headers["x-forwarded-host"] ??= incoming.headers.host ?? "";
  headers["x-forwarded-proto"] ??= "http";
  // Node chunks a streamed body by default for POST but not for DELETE. Without chunking it would be parsed as a second request.
  if (incoming.headers["transfer-encoding"]) headers["transfer-encoding"] = "chunked";
  return headers;
}

function withoutHopByHop(message: IncomingMessage): Record<string, string | string[]> {
  const named = new Set(
    String(message.headers.connection ?? "")
      .toLowerCase()
      .split(/ *, */),
  );
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept[name] = value;
  }
  return kept;
}

/** Logs one line when the exchange is over. */
function noteAnswer(
  { method, url = "" }: IncomingMessage,
  outgoing: ServerResponse,
  route: string,
  requestId: string,
): void {
  const start = performance.now();
  outgoing.on("close", () => {
    const status = outgoing.headersSent ? outgoing.statusCode : HUNG_UP;
    // The schedule calls every few seconds; the functions log the calls that found work.
    if (status < 400 && method === "POST" && isTick(url)) return;
    const ms = performance.now() - start;
    const fields = requestFields({ process: "gateway", method: knownMethod(method), route, status, ms });
    log("info", "request", { requestId, ...fields });
  });
}

const isTick = (url: string) => /^\/functions\/v1\/(?:indexing|slack\/tick)$/.test(url);

function answer(
  outgoing: ServerResponse,
  status: number,
  code: string,
  message: string,
  requestId: string,
): void {
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "x-request-id": requestId,
  });
  outgoing.end(JSON.stringify({ code, message, requestId }));
}
