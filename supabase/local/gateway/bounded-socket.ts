// Owns the largest answer of the database that the gateway takes. Does not know who asks: it ends the connection, and the request fails.
import { connect, type Socket } from "node:net";

/** Far above a page of a thousand rows. An answer takes several times as much memory until it is sent. */
export const largest = { bytes: 100 * 1024 * 1024 };

/** The code of a request whose answer was too large. The driver's codes of a lost connection begin alike. */
export const TOO_LARGE_ANSWER = "CONNECTION_ANSWER_TOO_LARGE";

/** What postgres.js passes to its option `socket`. */
interface Place {
  host: string[];
  port: number[];
  path?: string | false;
}

/** Opens a connection that ends when more bytes arrive after a message than it may have as an answer. For postgres.js. */
export async function openBounded({ host: [host], port: [port], path }: Place): Promise<Socket> {
  const socket = path ? connect(path) : connect(Number(port), host);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.removeAllListeners("error");
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
