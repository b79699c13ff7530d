// A provider's event stream, however it is cut: its events as JSON, together as they arrived, and its failures.
import { APIError } from "openai";
import { expect, test } from "vitest";
import { readEvents } from "../../edge-functions/_shared/models/event-reader.ts";

const open = { maxBytes: 1_000, signal: new AbortController().signal };

const responseOf = (arrivals: (string | Uint8Array)[]): Response => {
  const encoder = new TextEncoder();
  const left = [...arrivals];
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const next = left.shift();
      if (next === undefined) stream.close();
      else stream.enqueue(typeof next === "string" ? encoder.encode(next) : next);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

async function read(arrivals: (string | Uint8Array)[], options = open): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for await (const events of readEvents(responseOf(arrivals), options)) found.push(events);
  return found;
}

test("events that arrive together are one list", async () => {
  expect(await read(['data: {"a":1}\n\ndata: {"a":2}\n\n', 'data: {"a":3}\n\n', "data: [DONE]\n\n"])).toEqual(
    [[{ a: 1 }, { a: 2 }], [{ a: 3 }]],
  );
});

test("an event may be cut anywhere, even within a letter", async () => {
  const bytes = new TextEncoder().encode(
    'data: {"a":"é"}\r\n\r\n: a comment\n\nevent: x\ndata:{"b":\ndata: 2}\n\n',
  );
  for (let at = 0; at <= bytes.length; at++) {
    const found = await read([bytes.slice(0, at), bytes.slice(at)]);
    expect(found.flat()).toEqual([{ a: "é" }, { b: 2 }]);
  }
});

test("a carriage return alone ends no line: the parser takes quadratic time for many", async () => {
  expect(await read(['data: {"a":\r1}\n\n', 'data: {"a":2}\r\r', "\r\n\r\n"])).toEqual([
    [{ a: 1 }],
    [{ a: 2 }],
  ]);
});

test("the stream's end completes the last event, and nothing counts after [DONE]", async () => {
  expect(await read(['data: {"a":1}'])).toEqual([[{ a: 1 }]]);
  expect(await read(['data: {"a":1}\n\ndata: [DONE]\n\ndata: {"a":2}\n\n', 'data: {"a":3}\n\n'])).toEqual([
    [{ a: 1 }],
  ]);
});

test.each([
  ['data: {"a":1}\n\ndata: {"error":{"message":"no","code":"busy"}}\n\n', APIError],
  ['data: {"a":1}\n\ndata: {"a":\n\n', SyntaxError],
])("a failure comes after the events before it: %#", async (text, kind) => {
  const events = readEvents(responseOf([text]), open);
  expect((await events.next()).value).toEqual([{ a: 1 }]);
  await expect(events.next()).rejects.toThrow(kind);
});

test("a stream beyond the limit fails", async () => {
  await expect(
    read([`data: {"a":"${"x".repeat(600)}"}\n\n`, `data: {"a":"${"x".repeat(600)}"}\n\n`]),
  ).rejects.toThrow("too long");
});

test("an abort closes the connection of a silent stream", async () => {
  const control = new AbortController();
  let closed: unknown;
  const silent = new ReadableStream<Uint8Array>({
    cancel(reason) {
      closed = reason;
    },
  });
  const events = readEvents(new Response(silent), { maxBytes: 10, signal: control.signal });
  const next = events.next();
  control.abort("stopped");
  expect((await next).done).toBe(true);
  expect(closed).toBe("stopped");
});
