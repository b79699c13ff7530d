// Owns the largest answer of the database that the gateway takes, and how long it waits for one. Does not know who asks: it ends the
// connection, and the request fails.
import type { Socket } from "node:net";
import { openSocket } from "../../../edge-functions/_shared/database/gathering-socket.ts";
import { mostSilentMs, newSilence } from "../../../edge-functions/_shared/database/line.ts";

/** Far above a page of a thousand rows. An answer takes several times as much memory until it is sent. */
export const largest = { bytes: 100 * 1024 * 1024 };

/** Beyond it a broken network has taken the connection away. */
export const longest = { silentMs: mostSilentMs };

/** The code of a request whose answer was too large. The driver's codes of a lost connection begin alike. */
export const TOO_LARGE_ANSWER = "CONNECTION_ANSWER_TOO_LARGE";

/**
 * Opens a connection that ends when more bytes arrive after a message than it may have as an answer, or none for too long. For postgres.js;
 * not over TLS.
 */
export function openBounded(addresses: Parameters<typeof openSocket>[0]): Socket {
  const socket = openSocket(addresses);
  let readBefore = 0;
  let isAnswered = true;
  const write = socket.write.bind(socket);
  // The types of its overloads are the socket's own.
  socket.write = ((...message: Parameters<typeof write>) => {
    readBefore = socket.bytesRead;
    isAnswered = false;
    return write(...message);
  }) as typeof socket.write;
  socket.setTimeout(longest.silentMs);
  socket.on("timeout", () => {
    if (!isAnswered) socket.destroy(newSilence());
  });
  socket.on("data", () => {
    isAnswered = true;
    if (socket.bytesRead - readBefore <= largest.bytes) return;
    const words = `the answer has more than ${largest.bytes} bytes`;
    socket.destroy(Object.assign(new Error(words), { code: TOO_LARGE_ANSWER }));
  });
  return socket;
}
