// A stream of a model that never answers and does not hear that it is given up: Deno's fetch is like this at times.
import { afterEach, describe, expect, it, vi } from "vitest";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { watched } from "../../edge-functions/_shared/models/watched-stream.ts";

afterEach(() => vi.unstubAllGlobals());

const forEver = new Promise<never>(() => {});
const enough = new Error("enough");
const messages = [{ role: "user" as const, content: "Why?" }];

/** Reads until the failure; tells what came before it. */
async function readAll<T>(items: AsyncIterable<T>, heard: (item: T) => void = () => {}): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) {
    read.push(item);
    heard(item);
  }
  return read;
}

/** One item, then nothing: neither an end when asked for it. */
function deaf(): AsyncIterable<string> {
  let calls = 0;
  const next = () => (calls++ === 0 ? Promise.resolve({ done: false, value: "The sky" }) : forEver);
  return { [Symbol.asyncIterator]: () => ({ next, return: () => forEver }) };
}

describe("a stream that neither goes on nor ends", () => {
  it("is left at once when it is aborted", async () => {
    const stall = new AbortController();
    const heard: string[] = [];
    const reading = readAll(watched(deaf(), 60_000, stall), (item) => heard.push(item));
    await vi.waitFor(() => expect(heard).toEqual(["The sky"]));
    stall.abort(enough);
    await expect(reading).rejects.toBe(enough);
  });

  it("is aborted and left after its silence", async () => {
    const stall = new AbortController();
    await expect(readAll(watched(deaf(), 20, stall))).rejects.toThrow(/aborted/);
    expect(stall.signal.aborted).toBe(true);
  });

  it("is not waited for by a reader who leaves", async () => {
    for await (const item of watched(deaf(), 60_000, new AbortController())) {
      expect(item).toBe("The sky");
      break;
    }
  });
});

describe("a model whose connection does not hear of an abort", () => {
  const chunk = { choices: [{ index: 0, delta: { content: "The sky" } }] };
  const silentBody = () =>
    new ReadableStream<Uint8Array>({
      start: (body) => body.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`)),
      cancel: () => forEver,
    });

  it("is left in the midst of its reply", async () => {
    vi.stubGlobal("fetch", async () => new Response(silentBody()));
    const control = new AbortController();
    const heard = vi.fn();
    const reading = readAll(modelClient({}).chatStream({ messages, signal: control.signal }), heard);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
    control.abort(enough);
    await expect(reading).rejects.toBe(enough);
  });

  it("is left before its first word", async () => {
    const fetching = vi.fn(() => forEver);
    vi.stubGlobal("fetch", fetching);
    const control = new AbortController();
    const reading = readAll(modelClient({}).chatStream({ messages, signal: control.signal }));
    await vi.waitFor(() => expect(fetching).toHaveBeenCalledOnce());
    control.abort(enough);
    await expect(reading).rejects.toBe(enough);
  });

  it("is hung up on when an embedding takes too long", async () => {
    const cancel = vi.fn();
    vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ cancel })));
    const impatient = modelClient({}, { embedTimeoutMs: 20, retries: 0 });
    await expect(impatient.embed(["sky"])).rejects.toThrow();
    expect(cancel).toHaveBeenCalledOnce();
  });
});
