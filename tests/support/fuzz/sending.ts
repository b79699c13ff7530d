// Sends requests byte for byte, several at once, and stores the answers. fetch would repair half of what is wrong with them.
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { performance } from "node:perf_hooks";

export interface Sent {
  method: string;
  /** As sent over the wire. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Long enough for any machine: it ends what hangs, and names it. */
const silenceMs = 10 * 60_000;

/** Sends one request. @throws when the connection breaks or stays silent */
export function sendTo(base: string, { method, path, headers, body }: Sent): Promise<Reply> {
  const { hostname, port, pathname } = new URL(base);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        maxHeaderSize: 128 * 1024,
        hostname,
        port,
        method,
        path: pathname.replace(/\/$/, "") + path,
        headers: { ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - started,
          }),
        );
      },
    );
    call.setTimeout(silenceMs, () => call.destroy(new Error("nothing came for ten minutes")));
    call.on("error", reject);
    call.end(body);
  });
}

/** Processes a list, six at once. */
export async function sixAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  // The server closes connections after some idle seconds, perhaps at the moment of reuse.
  agent.destroy();
  const queue = [...all].reverse();
  const worker = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
