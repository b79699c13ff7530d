// Owns an HTTP server in place of the functions that records requests, for what the real API cannot show: when bytes arrive, when a caller
// disconnects, how often a refresh is requested.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Upstream {
  url: string;
  /** Sets the handler from now on. */
  handle(next: Handler): void;
  close(): Promise<void>;
}

/**
 * Never ends an idle connection: where client and server stand still together, one that was about to end takes the next request with it.
 * @param at an agreed port
 */
export async function startUpstream(at = 0): Promise<Upstream> {
  let handler: Handler = (_request, response) => void response.writeHead(404).end();
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void handler(request, response),
  );
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    handle: (next) => {
      handler = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
