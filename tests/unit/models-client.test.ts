// The model client with a provider that speaks OpenAI's protocol, well and badly.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatEvent } from "../../edge-functions/_shared/models/model-client.ts";
import { ModelError } from "../../edge-functions/_shared/models/model-errors.ts";
import { modelsInUse } from "../../edge-functions/_shared/models/model-names.ts";
import {
  type ChatMessage,
  ToolCallReader,
  withoutTools,
} from "../../edge-functions/_shared/models/model-tools.ts";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { type Behaviour, type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";

let fake: OpenAiFake;
beforeAll(async () => {
  fake = await startOpenAiFake();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.requests.length = 0;
  fake.aborted = 0;
  fake.reply = "The sky is blue [1].";
});

const limits = {
  // Longer than a busy machine takes; what is to time out has its own limit.
  embedTimeoutMs: 60_000,
  chatTimeoutMs: 60_000,
  retries: 2,
  maxRetryAfterMs: 200,
  backOffMs: 5,
  batchTexts: 3,
  batchCharacters: 100,
};
const client = (chatTimeoutMs = limits.chatTimeoutMs) =>
  modelClient(
    {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: fake.baseUrl,
      OPENAI_MODEL: "gpt-test",
      OPENAI_EMBEDDING_DIMENSIONS: 8,
    },
    { ...limits, chatTimeoutMs },
  );
/** The limit for a provider that never goes on, long enough for what it sends first. */
const limitFor = ({ how }: Behaviour) => (how === "stall" || how === "silence" ? 1_000 : undefined);
const question = [{ role: "user" as const, content: "What colour is the sky?" }];

async function chat(options: { temperature?: number; signal?: AbortSignal } = {}, asked = client()) {
  const events: ChatEvent[] = [];
  for await (const event of asked.chatStream({ messages: question, ...options })) events.push(event);
  return events;
}

async function failure(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw error ?? new Error("It did not fail");
}

const textOf = (events: ChatEvent[]) =>
  events.map((event) => (event.type === "delta" ? event.text : "")).join("");

describe("tools", () => {
  it.each([
    // In interleaved pieces, as OpenAI streams them.
    [
      [{ index: 0, id: "a", function: { name: "f", arguments: "" } }],
      [{ index: 1, id: "b", function: { name: "g", arguments: '{"x"' } }],
      [{ index: 0, function: { arguments: "{" } }],
      [
        { index: 1, function: { arguments: ":1}" } },
        { index: 0, function: { arguments: "}" } },
      ],
    ],
    // Complete, all with one number.
    [
      [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }],
      [{ index: 0, id: "b", function: { name: "g", arguments: '{"x":1}' } }],
    ],
    // As Gemini's: complete, with ids of their own, and no number.
    [
      [
        { id: "a", function: { name: "f", arguments: "{}" } },
        { id: "b", function: { name: "g", arguments: '{"x":1}' } },
      ],
    ],
  ])("are parsed in every streaming form", (...deltas) => {
    const reader = new ToolCallReader();
    for (const one of deltas) reader.push(one);
    expect(reader.calls()).toEqual([
      { id: "a", name: "f", arguments: "{}" },
      { id: "b", name: "g", arguments: '{"x":1}' },
    ]);
  });

  it("get an id when the server sends none, and are rejected when they never end", () => {
    const reader = new ToolCallReader();
    reader.push([{ index: 0, function: { name: "f", arguments: "{}" } }]);
    reader.push([{ index: 1, function: { name: "f", arguments: "{}" } }]);
    // Gemini's second call has the first one's number.
    reader.push([{ index: 1, id: "", function: { name: "f", arguments: "{}" } }]);
    const call = { name: "f", arguments: "{}" };
    expect(reader.calls()).toEqual(["call_1", "call_2", "call_3"].map((id) => ({ id, ...call })));
    const endless = () => {
      for (;;) reader.push([{ index: 0, function: { arguments: "x".repeat(1000) } }]);
    };
    expect(endless).toThrow(ModelError);
  });

  it("are omitted for a model without them: their results precede the question", () => {
    const asked: ChatMessage[] = [
      { role: "system", content: "Rules" },
      { role: "user", content: "How much?" },
      { role: "assistant", content: "", toolCalls: [{ id: "a", name: "f", arguments: "{}" }] },
      { role: "tool", toolCallId: "a", content: "Three" },
    ];
    expect(withoutTools(asked)).toEqual([
      { role: "system", content: "Rules" },
      { role: "user", content: "Three" },
      { role: "user", content: "How much?" },
    ]);
  });
});

describe("chat", () => {
  it.each([{ how: "well" }, { how: "whole" }] as const)(
    "takes a reply sent $how, with its usage",
    async (sent) => {
      fake.next(sent);
      const events = await chat({ temperature: 0.2 });
      expect(textOf(events)).toBe("The sky is blue [1].");
      expect(events.at(-1)).toEqual({ type: "usage", promptTokens: 11, completionTokens: 5 });
      expect(fake.requests).toHaveLength(1);
      expect(fake.requests[0]).toMatchObject({
        path: "/v1/chat/completions",
        authorization: "Bearer sk-test",
        body: { model: "gpt-test", stream: true, temperature: 0.2, messages: question },
      });
    },
  );

  it("retries without a temperature when a model has none", async () => {
    fake.next({ how: "status", status: 400, code: "unsupported_value", param: "temperature" });
    expect(textOf(await chat({ temperature: 0.7 }))).toBe("The sky is blue [1].");
    expect(fake.requests.map(({ body }) => body.temperature)).toEqual([0.7, undefined]);
  });

  it.each<[string, Behaviour, ModelError["kind"]]>([
    ["a connection that breaks", { how: "drop", after: 2 }, "unavailable"],
    ["a stream that ends too soon", { how: "truncate", after: 2 }, "unavailable"],
    ["an error in the stream", { how: "error in stream", after: 2 }, "unavailable"],
    ["a stream that falls silent", { how: "stall", after: 2 }, "timeout"],
    ["a stream that cannot be read", { how: "malformed stream" }, "bad_answer"],
    ["a stream without choices", { how: "empty choices" }, "bad_answer"],
    ["a page instead of a stream", { how: "html" }, "bad_answer"],
    ["a filtered reply", { how: "content filter" }, "refused"],
  ])("yields the text so far and then fails on %s, without a retry", async (_name, behaviour, kind) => {
    fake.next(behaviour);
    const texts: string[] = [];
    const error = await failure(
      (async () => {
        for await (const event of client(limitFor(behaviour)).chatStream({ messages: question })) {
          if (event.type === "delta") texts.push(event.text);
        }
      })(),
    );
    expect(error.kind).toBe(kind);
    if ("after" in behaviour) expect(texts.join("")).toBe("The sky");
    expect(fake.requests).toHaveLength(1);
  });

  it("stops on request, with the given reason, and closes the connection", async () => {
    const control = new AbortController();
    fake.next({ how: "stall", after: 2 });
    const stopped = (async () => {
      for await (const _event of client().chatStream({ messages: question, signal: control.signal })) {
        control.abort(new Error("enough"));
      }
    })();
    await expect(stopped).rejects.toThrow("enough");
    await expect.poll(() => fake.aborted).toBe(1);
  });

  it("aborts nothing of an answer that was read to its end", async () => {
    const signals: AbortSignal[] = [];
    const settings = {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: fake.baseUrl,
      OPENAI_MODEL: "gpt-test",
      OPENAI_EMBEDDING_DIMENSIONS: 8,
      fetch: (url: string | URL | Request, init?: RequestInit) => {
        if (init?.signal) signals.push(init.signal);
        return fetch(url, init);
      },
    };
    const control = new AbortController();
    const asked = modelClient(settings, limits);
    expect((await chat({ signal: control.signal }, asked)).at(-1)).toMatchObject({ type: "usage" });
    await asked.embed(["sky"], { signal: control.signal });
    control.abort(new Error("the reader has left"));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it("closes the connection when its reader leaves", async () => {
    fake.next({ how: "stall", after: 2 });
    for await (const _event of client().chatStream({ messages: question })) break;
    await expect.poll(() => fake.aborted).toBe(1);
  });
});

describe("a failure before the first word", () => {
  it.each<[string, Behaviour, ModelError["kind"], number]>([
    ["a wrong key", { how: "status", status: 401 }, "refused", 1],
    ["a model that is not there", { how: "status", status: 404 }, "refused", 1],
    ["a request it does not like", { how: "status", status: 400 }, "refused", 1],
    ["an empty account", { how: "status", status: 429, code: "insufficient_quota" }, "refused", 1],
    ["too many requests", { how: "status", status: 429 }, "rate_limited", 3],
    ["an error of its own", { how: "status", status: 500 }, "unavailable", 3],
    ["an overload", { how: "status", status: 503 }, "unavailable", 3],
    ["a gateway's time-out", { how: "status", status: 504 }, "timeout", 3],
    ["silence", { how: "silence" }, "timeout", 1],
    ["a closed connection", { how: "hang up" }, "unavailable", 3],
  ])("%s", async (_name, behaviour, kind, tries) => {
    fake.next(...Array.from({ length: tries }, () => behaviour));
    const error = await failure(chat({}, client(limitFor(behaviour))));
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain("sk-secret");
    expect(fake.requests).toHaveLength(tries);
  });

  it("is retried", async () => {
    fake.next(
      { how: "status", status: 500 },
      { how: "status", status: 429, headers: { "retry-after-ms": "20" } },
    );
    expect(textOf(await chat())).toBe("The sky is blue [1].");
  });

  it.each([
    ["retry-after-ms", "120", 120],
    ["retry-after", "0.1", 100],
  ])("waits as long as %s says", async (header, value, ms) => {
    fake.next({ how: "status", status: 429, headers: { [header]: value } });
    await chat();
    const [first, second] = fake.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(ms - 5);
  });

  it.each([
    ["seconds", () => "60", 60_000],
    // A busy machine comes to this test minutes after the list is read.
    ["a date", () => new Date(Date.now() + 3_600_000).toUTCString(), 3_000_000],
  ])("reports a long wait given as %s instead of sitting it out", async (_name, value, least) => {
    fake.next({ how: "status", status: 429, headers: { "retry-after": value() } });
    const error = await failure(chat());
    expect(error.kind).toBe("rate_limited");
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(fake.requests).toHaveLength(1);
  });

  it("is reported when the provider is unreachable", async () => {
    const nobody = modelClient({ OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, limits);
    expect((await failure(nobody.embed(["text"]))).kind).toBe("unavailable");
  });

  it("stops waiting on request", async () => {
    fake.next({ how: "status", status: 429, headers: { "retry-after-ms": "50000" } });
    const control = new AbortController();
    const patient = modelClient({ OPENAI_BASE_URL: fake.baseUrl }, { ...limits, maxRetryAfterMs: 60_000 });
    const asked = expect(chat({ signal: control.signal }, patient)).rejects.toThrow("enough");
    await expect.poll(() => fake.requests.length).toBe(1);
    control.abort(new Error("enough"));
    await asked;
    expect(fake.requests).toHaveLength(1);
  });
});

describe("embeddings", () => {
  it("come in batches and keep the order of the texts", async () => {
    const texts = ["a", "bb", "ccc", "dddd", "e".repeat(99), "ffffff"];
    const vectors = await client().embed(texts);
    expect(vectors.map((vector) => vector[0])).toEqual([1, 2, 3, 4, 99, 6]);
    expect(vectors.every((vector) => vector instanceof Float32Array && vector.length === 8)).toBe(true);
    expect(fake.requests.map(({ body }) => body.input)).toEqual([
      ["a", "bb", "ccc"],
      ["dddd"],
      ["e".repeat(99)],
      ["ffffff"],
    ]);
  });

  it("keep the order even when the provider does not", async () => {
    fake.next({ how: "shuffled" });
    expect((await client().embed(["a", "bb", "ccc"])).map((vector) => vector[0])).toEqual([1, 2, 3]);
  });

  it("request a size only when the model has a choice", async () => {
    await client().embed(["a"], { model: "text-embedding-3-small", dimensions: 16 });
    await client().embed(["a"], { model: "some-model", dimensions: 8 });
    expect(fake.requests.map(({ body }) => body.dimensions)).toEqual([16, undefined]);
  });

  it("of nothing need no call", async () => {
    expect(await client().embed([])).toEqual([]);
    expect(fake.requests).toEqual([]);
  });

  it("of a blank text are requested anyway", async () => {
    expect(await client().embed(["", "a"])).toHaveLength(2);
    expect(fake.requests[0]?.body.input).toEqual([" ", "a"]);
  });

  it.each<Behaviour["how"]>(["wrong dimensions", "not a number", "zeros", "too few", "html"])(
    "are rejected: %s",
    async (how) => {
      fake.next({ how } as Behaviour);
      expect((await failure(client().embed(["a", "b"]))).kind).toBe("bad_answer");
      expect(fake.requests).toHaveLength(1);
    },
  );
});

describe("models in use", () => {
  it.each([
    [{}, { chat: "gpt-4.1-mini", embedding: "text-embedding-3-small", dimensions: 1024, offline: false }],
    [
      { OPENAI_MODEL: "offline-extract", OPENAI_EMBEDDING_MODEL: "offline-hash" },
      { chat: "offline-extract", embedding: "offline-hash", dimensions: 1024, offline: true },
    ],
    [
      { OPENAI_MODEL: "", OPENAI_EMBEDDING_MODEL: "nomic-embed-text" },
      { chat: "gpt-4.1-mini", embedding: "nomic-embed-text", dimensions: 768, offline: false },
    ],
    [
      { OPENAI_EMBEDDING_MODEL: "my-own", OPENAI_EMBEDDING_DIMENSIONS: "512" },
      { chat: "gpt-4.1-mini", embedding: "my-own", dimensions: 512, offline: false },
    ],
  ])("%j", (settings, models) => {
    expect(modelsInUse(settings)).toEqual(models);
  });
});

describe("an endless provider", () => {
  /** Answers every call with what `write` writes, and never ends. */
  async function endless(write: (response: ServerResponse) => void) {
    const server = createServer((request, response) => {
      request.resume();
      write(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A server that listens on TCP has such an address.
    const { port } = server.address() as AddressInfo;
    const stop = () => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${port}/v1`, stop };
  }
  const settings = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "k" });

  it("that stalls within an answer's body times out", async () => {
    const { url, stop } = await endless((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"data":[');
    });
    const models = modelClient(settings(url), { retries: 0, embedTimeoutMs: 200 });
    await expect(models.embed(["a"])).rejects.toBeInstanceOf(ModelError);
    stop();
  });

  it("that keeps sending is cut off by length, and by time", async () => {
    const eventOf = (text: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
    const listen = async (text: string, everyMs: number, replyTimeoutMs: number) => {
      const { url, stop } = await endless((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write(eventOf(text)), everyMs);
        response.on("close", () => clearInterval(timer));
      });
      const models = modelClient(settings(url), { retries: 0, replyTimeoutMs });
      const heard = (async () => {
        for await (const event of models.chatStream({ messages: [{ role: "user", content: "?" }] }))
          void event;
      })();
      await heard.then(
        () => expect.unreachable(),
        (error: unknown) => expect(error).toMatchObject({ kind: text.length > 1 ? "bad_answer" : "timeout" }),
      );
      stop();
    };
    await listen("word ".repeat(2_000), 1, 60_000);
    await listen("w", 20, 300);
  });
});
