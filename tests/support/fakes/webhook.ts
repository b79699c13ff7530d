// Owns a webhook receiver: records requests, and answers with the queued statuses, then 204.
import { readFileSync } from "node:fs";
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
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
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

const [, example = ""] = /^```js\n([\s\S]*?)^```/m.exec(readFileSync("docs/handovers.md", "utf8")) ?? [];
const guide: { isFromParley(header: unknown, body: string, secret: string): boolean } = await import(
  /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${example}export { isFromParley };`)}`
);

/** Verifies a signature by the code of docs/handovers.md. */
export const isSigned = ({ headers, body }: Received, secret: string): boolean =>
  guide.isFromParley(headers["parley-signature"], body, secret);
