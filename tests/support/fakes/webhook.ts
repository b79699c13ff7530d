// Owns a webhook receiver: records requests, and answers with the queued statuses, then 204.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookFake {
  url: string;
  received: Received[];
  /** The statuses for the next requests. */
  answers: number[];
  stop(): Promise<void>;
}

export async function startWebhookFake(port = 0): Promise<WebhookFake> {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString("utf8") });
      response.writeHead(answers.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/parley`,
    received,
    answers,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Verifies a signature as our docs tell receivers to. */
export function isSigned({ headers, body }: Received, secret: string, now = Date.now()): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["parley-signature"])) ?? [];
  if (!t || !v1 || Math.abs(now / 1000 - Number(t)) > 300) return false;
  const expected = createHmac("sha256", secret).update(`${t}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(v1, "hex"));
}
