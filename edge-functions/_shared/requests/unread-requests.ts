// Owns the answers to requests that Node refuses before any handler sees them: a method that HTTP does not know, headers that are too large,
// bytes that are not HTTP. Node's own answers have no body.
import type { EventEmitter } from "node:events";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, type ErrorCode } from "./errors.ts";

/** Answers like any other refusal, then ends the connection: what follows on it cannot be told apart. */
export function answerUnread(server: EventEmitter): void {
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

function formatResponse({ code, status, message }: Refused): string {
  const requestId = crypto.randomUUID();
  const body = JSON.stringify({ code, message, requestId });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${new TextEncoder().encode(body).length}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
