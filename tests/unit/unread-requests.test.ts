// Requests that Node refuses before a handler sees them.
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "../../edge-functions/_shared/requests/unread-requests.ts";

let server: Server;
beforeAll(async () => {
  server = createHttpServer({}, (_, response) => {
    response.write("begun ");
    setTimeout(() => response.end("ended"), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.closeAllConnections());

async function send(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(bytes);
  return await text(socket);
}

const end = " / HTTP/1.1\r\nHost: x\r\n\r\n";

test.each<[what: string, bytes: string, status: number, code: string]>([
  ["an unknown method", `FOO${end}`, 405, "METHOD_NOT_ALLOWED"],
  [
    "headers that are too large",
    `GET / HTTP/1.1\r\nX: ${"x".repeat(40_000)}\r\n\r\n`,
    431,
    "PAYLOAD_TOO_LARGE",
  ],
  ["bytes that are not HTTP", "GET / FTP/9\r\n\r\n", 400, "VALIDATION_FAILED"],
  ...["a b", "[::1", "x:99999", "x:abc", "%00", "1.2.3.256", "user@x", "a/b"].map<
    [string, string, number, string]
  >((host) => [`the host ${host}`, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 400, "VALIDATION_FAILED"]),
  ...["/a\\b", "*", "a"].map<[string, string, number, string]>((path) => [
    `the path ${path}`,
    `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
    400,
    "VALIDATION_FAILED",
  ]),
])("%s: refused like anything else", async (_, bytes, status, code) => {
  const [head = "", body = ""] = (await send(bytes)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const shown = JSON.parse(body);
  expect(shown).toEqual({ code, message: expect.any(String), requestId: expect.any(String) });
  expect(head).toContain(`X-Request-Id: ${shown.requestId}`);
});

test.each([
  "GET / HTTP/1.1\r\nHost: [::1]:80\r\n",
  "GET /?a\\b HTTP/1.1\r\nHost: EXAMPLE.test:80\r\n",
  "GET http://x/ HTTP/1.1\r\nHost: x\r\n",
  "GET / HTTP/1.0\r\n",
])("a readable address: served, %j", async (head) => {
  expect(await send(`${head}Connection: close\r\n\r\n`)).toContain("ended");
});

test("behind a request that is being answered: nothing is mixed into its answer", async () => {
  const received = await send(`GET${end}FOO${end}`);
  expect(received).not.toContain("METHOD_NOT_ALLOWED");
});

test("behind an answer that is over: refused like anything else", async () => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
    // The end of a chunked answer.
    if (received.endsWith("0\r\n\r\n")) socket.write(`FOO${end}`);
  });
  socket.write(`GET${end}`);
  await once(socket, "close");
  expect(received).toContain("ended");
  expect(received).toContain("METHOD_NOT_ALLOWED");
});

test("a client that is gone gets no answer, and the next one does", async () => {
  const refused = once(server, "clientError");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf");
  await once(socket, "data");
  socket.resetAndDestroy();
  const [error] = await refused;
  expect(error).toMatchObject({ code: "ECONNRESET" });
  expect(await send(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toContain("ended");
});
