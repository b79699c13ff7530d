// The schedule of the embedded stack: calls a function again and again, with the service key.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTicking } from "../../supabase/local/ticker.ts";
import { eventually } from "../support/eventually.ts";

let calls: { incoming: IncomingMessage; outgoing: ServerResponse }[];
let url: string;
const server = createServer((incoming, outgoing) => calls.push({ incoming, outgoing }));
beforeEach(async () => {
  calls = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it("the ticker calls with the service key, waits for the answer, and continues after a failure", async () => {
  const stop = startTicking(url, "service-key", 20);
  await eventually(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.incoming.method).toBe("POST");
  expect(calls[0]?.incoming.headers.authorization).toBe("Bearer service-key");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(calls).toHaveLength(1);
  calls[0]?.outgoing.writeHead(500).end();
  await eventually(() => expect(calls).toHaveLength(2));
  calls[1]?.outgoing.destroy();
  await eventually(() => expect(calls).toHaveLength(3));
  stop();
  calls[2]?.outgoing.end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(calls).toHaveLength(3);
});
