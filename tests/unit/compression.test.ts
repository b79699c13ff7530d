// Choosing an encoding per client; streams are never delayed by compression.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressAnswers, encodingFor } from "../../edge-functions/_shared/requests/compression.ts";
import { readRaw } from "../support/raw-answers.ts";

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["BR", "br"],
  ["*", "br"],
  ["*;q=0.1, br;q=0", "gzip"],
  ["deflate, zstd", undefined],
  ["identity", undefined],
  ["*;q=0", undefined],
  ["brotli", undefined],
  ["", undefined],
  [null, undefined],
])("%j gets %s", (accepted, expected) => {
  expect(encodingFor(accepted, ["br", "gzip"])).toBe(expected);
});

const long = JSON.stringify({ words: "the same words, ".repeat(200) });
let url: string;
let close: () => void;
let sendSecond: (() => void) | undefined;

beforeAll(async () => {
  const app = new Hono();
  app.use(compressAnswers(["br", "gzip"], (request) => request.headers.has("x-left-alone")));
  app.get("/events", (c) => {
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(encoder.encode("data: 1\n\n"));
        sendSecond = () => {
          controller.enqueue(encoder.encode("data: 2\n\n"));
          controller.close();
        };
      },
    });
    return c.body(body, 200, { "content-type": "text/event-stream; charset=utf-8" });
  });
  app.get("/cookies", (c) => {
    c.header("set-cookie", "a=1", { append: true });
    c.header("set-cookie", "b=2", { append: true });
    c.header("vary", "Cookie");
    return c.body(long, 201, { "content-type": "application/json", "content-length": String(long.length) });
  });
  app.get("/tiny", (c) => c.json({ words: "few" }));
  app.get("/picture", (c) => c.body(long, 200, { "content-type": "image/png" }));
  app.get("/no-transform", (c) => {
    c.header("cache-control", "private, no-transform");
    return c.body(long, 200, { "content-type": "application/json" });
  });
  app.get("/nothing", (c) => c.body(null, 204));
  app.get("/broken", (c) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("broken off")) });
    return c.body(body, 200, { "content-type": "application/json" });
  });
  app.onError((_error, c) => c.json({ code: "UNEXPECTED_ERROR" }, 500));
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => close());

const asking = { "accept-encoding": "br, gzip" };

test("an event is sent when it occurs, not when the stream ends", async () => {
  const answer = await fetch(`${url}/events`, { headers: asking });
  expect(answer.headers.get("content-encoding")).toBeNull();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  // The second event is not written before the first has arrived.
  expect((await reader?.read())?.value).toBe("data: 1\n\n");
  sendSecond?.();
  expect((await reader?.read())?.value).toBe("data: 2\n\n");
});

test("a compressed answer keeps its status, its cookies and its other Vary fields", async () => {
  const { status, headers, sent, body } = await readRaw(`${url}/cookies`, asking);
  expect([status, headers["content-encoding"], headers.vary]).toEqual([201, "br", "Cookie, Accept-Encoding"]);
  expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  expect(headers["content-length"] ?? String(sent.length)).toBe(String(sent.length));
  expect(body.toString()).toBe(long);
});

test("tiny, compressed, no-transform and excluded answers are sent unchanged", async () => {
  for (const path of ["/tiny", "/picture", "/no-transform", "/nothing"])
    expect([path, (await readRaw(url + path, asking)).headers["content-encoding"]]).toEqual([
      path,
      undefined,
    ]);
  expect((await readRaw(`${url}/tiny`, asking)).body.toString()).toBe('{"words":"few"}');
  const alone = await readRaw(`${url}/cookies`, { ...asking, "x-left-alone": "1" });
  expect([alone.headers["content-encoding"], alone.body.toString()]).toEqual([undefined, long]);
});

test("an answer that breaks during compression is a failure, not a truncated answer", async () => {
  expect((await readRaw(`${url}/broken`, asking)).status).toBe(500);
});
