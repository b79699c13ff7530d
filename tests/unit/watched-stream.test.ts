// A model's stream that stalls and ignores its abort: Deno's fetch does this at times.
import { afterEach, describe, expect, it, vi } from "vitest";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { watchStream } from "../../edge-functions/_shared/models/watched-stream.ts";
import { eventually } from "../support/eventually.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const forEver = new Promise<never>(() => {});
const enough = new Error("enough");
const messages = [{ role: "user" as const, content: "Why?" }];

/** Reads until the failure; returns what arrived before. */
async function readAll<T>(items: AsyncIterable<T>, heard: (item: T) => void = () => {}): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) {
    read.push(item);
    heard(item);
  }
  return read;
}

/** One item, then nothing: not even an end when cancelled. */
function deaf(): AsyncIterable<string> {
  let calls = 0;
  const next = () => (calls++ === 0 ? Promise.resolve({ done: false, value: "The sky" }) : forEver);
  return { [Symbol.asyncIterator]: () => ({ next, return: () => forEver }) };
}

describe("a stream that neither continues nor ends", () => {
  it("is abandoned at once when aborted", async () => {
    const stall = new AbortController();
    const heard: string[] = [];
    const reading = readAll(watchStream(deaf(), 60_000, stall), (item) => heard.push(item));
    await eventually(() => expect(heard).toEqual(["The sky"]));
    stall.abort(enough);
    await expect(reading).rejects.toBe(enough);
  });

  it("is aborted and abandoned after its silence", async () => {
    const stall = new AbortController();
    await expect(readAll(watchStream(deaf(), 20, stall))).rejects.toThrow(/aborted/);
    expect(stall.signal.aborted).toBe(true);
  });

  it("is not given up early when the machine's clock is set ahead", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
    const control = new AbortController();
    const items = watchStream(deaf(), 60_000, control);
    await items.next();
    await vi.advanceTimersByTimeAsync(50_000);
    const second = items.next();
    second.catch(() => {});
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(control.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(control.signal.aborted).toBe(true);
    await expect(second).rejects.toThrow(/aborted/);
  });

  it("does not hold up a reader who leaves", async () => {
    for await (const item of watchStream(deaf(), 60_000, new AbortController())) {
      expect(item).toBe("The sky");
      break;
    }
  });
});

describe("a model whose connection ignores an abort", () => {
  const chunk = { choices: [{ index: 0, delta: { content: "The sky" } }] };
  const silentBody = () =>
    new ReadableStream<Uint8Array>({
      start: (body) => body.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`)),
      cancel: () => forEver,
    });

  it("leaves no timer behind when its reader needs only the first words", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.stubGlobal("fetch", async () => new Response(silentBody()));
    for await (const event of modelClient({}).chatStream({ messages })) {
      expect(event).toEqual({ type: "delta", text: "The sky" });
      break;
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is abandoned in the middle of its reply", async () => {
    vi.stubGlobal("fetch", async () => new Response(silentBody()));
    const control = new AbortController();
    const heard = vi.fn();
    const reading = readAll(modelClient({}).chatStream({ messages, signal: control.signal }), heard);
    await eventually(() => expect(heard).toHaveBeenCalledOnce());
    control.abort(enough);
    await expect(reading).rejects.toBe(enough);
  });

  it("is abandoned before its first word", async () => {
    const fetching = vi.fn(() => forEver);
    vi.stubGlobal("fetch", fetching);
    const control = new AbortController();
    const reading = readAll(modelClient({}).chatStream({ messages, signal: control.signal }));
    await eventually(() => expect(fetching).toHaveBeenCalledOnce());
    control.abort(enough);
    await expect(reading).rejects.toBe(enough);
  });

  it("is disconnected when an embedding takes too long", async () => {
    const cancel = vi.fn();
    vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ cancel })));
    const impatient = modelClient({}, { embedTimeoutMs: 20, retries: 0 });
    await expect(impatient.embed(["sky"])).rejects.toThrow();
    expect(cancel).toHaveBeenCalledOnce();
  });
});
