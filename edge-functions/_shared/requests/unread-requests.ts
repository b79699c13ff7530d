// Owns the answers to requests that no handler can read: a method that HTTP does not know, headers that are too large, bytes that are not
// HTTP, an address that is none. Node's own answers have no body.
import type { EventEmitter } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, type ErrorCode } from "./errors.ts";

/** Creates a server that refuses unreadable requests like any others, as node:http's `createServer` does not. */
export function createHttpServer(options: ServerOptions, listener: RequestListener): Server {
  const server = createServer(options, (incoming, outgoing) => {
    if (hasAddress(incoming)) {
      listener(incoming, outgoing);
      return;
    }
    const refused = new ApiError("VALIDATION_FAILED", "The request has no valid address.");
    const { headers, body } = answerOf(refused);
    outgoing.writeHead(refused.status, headers).end(body);
  });
  answerUnread(server);
  return server;
}

/** False for a Host header or a path of which a handler could make no URL, or another one than its sender meant. */
function hasAddress({ url = "", headers: { host } }: IncomingMessage): boolean {
  const isHost = !host || (/^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`));
  return isHost && (/^\/[^\\?]*(?:\?|$)/.test(url) || /^https?:\/\//.test(url));
}

/** Answers like any other refusal, then ends the connection: what follows on it cannot be told apart. */
function answerUnread(server: EventEmitter): void {
  const answering = new WeakMap<Duplex, number>();
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once("close", () => answering.set(socket, (answering.get(socket) ?? 1) - 1));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const refused = refusalOf(error.code);
    // In the middle of another request's answer, these bytes would become part of it.
    if (!refused || !socket.writable || answering.get(socket)) socket.destroy();
    else socket.end(formatResponse(refused));
  });
}

type Refused = { code: ErrorCode; status: number; message: string };

/** Undefined when nobody waits for an answer: the client is gone or silent. */
function refusalOf(code = ""): Refused | undefined {
  if (code === "HPE_INVALID_METHOD") return new ApiError("METHOD_NOT_ALLOWED");
  // HTTP has a status of its own for it.
  if (code === "HPE_HEADER_OVERFLOW")
    return { code: "PAYLOAD_TOO_LARGE", status: 431, message: "The headers are too large." };
  return code.startsWith("HPE_")
    ? new ApiError("VALIDATION_FAILED", "The request is not valid HTTP.")
    : undefined;
}

function answerOf({ code, message }: Refused) {
  const requestId = crypto.randomUUID();
  const body = JSON.stringify({ code, message, requestId });
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(new TextEncoder().encode(body).length),
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
    Connection: "close",
  };
  return { headers, body };
}

function formatResponse(refused: Refused): string {
  const { headers, body } = answerOf(refused);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...lines, "", body].join("\r\n");
}
