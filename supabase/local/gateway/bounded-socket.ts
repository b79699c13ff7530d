// Owns the largest answer of the database that the gateway takes. Does not know who asks: it ends the connection, and the request fails.
import type { Socket } from "node:net";
import { openSocket } from "../../../edge-functions/_shared/database/gathering-socket.ts";

/** Far above a page of a thousand rows. An answer takes several times as much memory until it is sent. */
export const largest = { bytes: 100 * 1024 * 1024 };

/** The code of a request whose answer was too large. The driver's codes of a lost connection begin alike. */
export const TOO_LARGE_ANSWER = "CONNECTION_ANSWER_TOO_LARGE";

/** Opens a connection that ends when more bytes arrive after a message than it may have as an answer. For postgres.js; not over TLS. */
export function openBounded(addresses: Parameters<typeof openSocket>[0]): Socket {
  const socket = openSocket(addresses);
  let readBefore = 0;
  const write = socket.write.bind(socket);
  // The types of its overloads are the socket's own.
  socket.write = ((...message: Parameters<typeof write>) => {
    readBefore = socket.bytesRead;
    return write(...message);
  }) as typeof socket.write;
  socket.on("data", () => {
    if (socket.bytesRead - readBefore <= largest.bytes) return;
    const words = `the answer has more than ${largest.bytes} bytes`;
    socket.destroy(Object.assign(new Error(words), { code: TOO_LARGE_ANSWER }));
  });
  return socket;
}
