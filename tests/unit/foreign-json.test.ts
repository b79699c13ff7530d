// JSON of models, services and archives: a few megabytes of empty objects take gigabytes of memory, in a process that serves all teams.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { readEvents } from "../../edge-functions/_shared/models/event-reader.ts";
import { ModelError } from "../../edge-functions/_shared/models/model-errors.ts";
import { ToolCallReader } from "../../edge-functions/_shared/models/model-tools.ts";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { withReadableError } from "../../edge-functions/_shared/models/provider-errors.ts";
import { parseForeignJson, parseStorableJson } from "../../edge-functions/_shared/outbound/json-depth.ts";
import { stubSettings } from "../support/function-settings.ts";

const listOf = (count: number, value = "{}") => `[${Array(count).fill(value).join()}]`;

let url: string;
let answer = { status: 200, body: "" };
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has such an address.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stubSettings({ PARLEY_OUTBOUND_ALLOW: new URL(url).host });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
});

test("of a service has no text that Postgres cannot store, and every other one as it was sent", () => {
  const sent = String.raw`{"a":["x\u0000y","\ud83d","\ud83d\ude00","\\u0000"],"b":1}`;
  expect(parseStorableJson(sent, 10)).toEqual({ a: ["xy", "\ufffd", "\u{1f600}", "\\u0000"], b: 1 });
  expect(() => parseStorableJson(sent, 5)).toThrow(SyntaxError);
});

test("is counted by its elements, fields, arrays and objects on all levels, outside of texts", () => {
  for (const [text, values] of [
    ["1", 0],
    ["[]", 1],
    ["[1,2,3]", 3],
    ['{"a":[{},{}],"b":{}}', 7],
    [String.raw`["a,[{\",[","b"]`, 2],
  ] as const) {
    expect(parseForeignJson(text, values)).toEqual(JSON.parse(text));
    if (values > 0) expect(() => parseForeignJson(text, values - 1)).toThrow(SyntaxError);
  }
  expect(() => parseForeignJson("[".repeat(201) + "]".repeat(201), 1e6)).toThrow(SyntaxError);
});

test("of a model's event fails the reply", async () => {
  const read = async (count: number) => {
    const { signal } = new AbortController();
    const response = new Response(`data: ${listOf(count)}\n\n`);
    for await (const [event] of readEvents(response, { maxBytes: 2 ** 26, signal })) return event;
    return undefined;
  };
  expect(await read(1_000)).toHaveLength(1_000);
  await expect(read(60_000)).rejects.toThrow(SyntaxError);
});

const embed = (text: string) =>
  modelClient(
    { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "k", OPENAI_EMBEDDING_DIMENSIONS: 2 },
    { retries: 0 },
  )
    .embed([text])
    .then(
      ([vector]) => vector,
      (error: unknown) => error,
    );

test("of an embedding fails the call", async () => {
  const body = { data: [{ index: 0, embedding: [3, 4] }] };
  answer = { status: 200, body: JSON.stringify(body) };
  expect(await embed("a")).toEqual(new Float32Array([3, 4]));
  answer.body = JSON.stringify({ ...body, more: Array(600_000).fill({}) });
  expect(await embed("a")).toMatchObject({ kind: "bad_answer" });
});

test("of a model's error is not read beyond its beginning", async () => {
  const errorOf = async (more: string) => {
    const body = JSON.stringify([{ message: "Say less.", more }]);
    return await (await withReadableError(new Response(body, { status: 400 }))).text();
  };
  expect(JSON.parse(await errorOf(""))).toEqual({ error: { message: "Say less.", more: "" } });
  expect((await errorOf(listOf(100_000))).length).toBeLessThan(70_000);
});

test("of a tool's call counts, where a server sends the arguments as an object", () => {
  const reader = new ToolCallReader();
  const long = { table: "x".repeat(50_000) };
  // The protocol's type knows a text only.
  const call = { index: 0, id: "a", function: { name: "f", arguments: long as unknown as string } };
  expect(() => reader.push([call])).toThrow(ModelError);
});

test("of a source's service is illegible", async () => {
  const { requestJson } = await import("../../edge-functions/indexing/connectors/http.ts");
  const signal = new AbortController().signal;
  const service = { name: "Wiki", renew: "", signal, addresses: [url], headers: {} };
  const ask = async (count: number) => {
    answer = { status: 200, body: listOf(count) };
    const schema = z.array(z.unknown());
    return (await requestJson(service, new URL(url), { schema })).data.length;
  };
  expect(await ask(1_000)).toBe(1_000);
  await expect(ask(600_000)).rejects.toThrow(/Wiki/);
}, 30_000);
