// The model client with providers that differ from OpenAI behind their compatible addresses.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatOptions } from "../../edge-functions/_shared/models/model-client.ts";
import { ModelError } from "../../edge-functions/_shared/models/model-errors.ts";
import type { ChatMessage } from "../../edge-functions/_shared/models/model-tools.ts";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import {
  claude,
  type Dialect,
  gemini,
  mistral,
  openRouter,
  reasoning,
  shortContext,
  smallBatch,
  strictTemplate,
} from "../support/fakes/provider-dialects.ts";

let fake: OpenAiFake;
beforeAll(async () => {
  fake = await startOpenAiFake();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.requests.length = 0;
  Object.assign(fake, { dialect: () => undefined, extraOfCalls: undefined, contentBefore: undefined });
  fake.reply = "The sky is blue [1].";
  fake.calls = () => [];
});

let models = 0;
/** Each model is another one, so that no test knows what another's refused. */
const newClient = (more: Parameters<typeof modelClient>[0] = {}) =>
  modelClient(
    {
      OPENAI_BASE_URL: fake.baseUrl,
      OPENAI_MODEL: `model-${++models}`,
      OPENAI_EMBEDDING_MODEL: `embedding-${models}`,
      OPENAI_EMBEDDING_DIMENSIONS: 8,
      ...more,
    },
    { retries: 0 },
  );
const question: ChatMessage[] = [{ role: "user", content: "What colour is the sky?" }];

async function reply(client = newClient(), options: Partial<ChatOptions> = {}) {
  let text = "";
  for await (const event of client.chatStream({ messages: question, temperature: 0.3, ...options }))
    if (event.type === "delta") text += event.text;
  return text;
}

describe("a request that a provider refuses in part", () => {
  it.each<[string, Dialect, string]>([
    ["Mistral, which has no stream_options", mistral, "stream_options"],
    ["Claude, which has no temperature", claude, "temperature"],
    ["Claude through OpenRouter", openRouter, "temperature"],
    ["a reasoning model, whose limit has another name", reasoning, "max_tokens"],
  ])("is sent without that part, and so is the next one: %s", async (_name, dialect, parameter) => {
    fake.dialect = dialect;
    const client = newClient();
    expect(await reply(client, { maxTokens: 100 })).toBe("The sky is blue [1].");
    expect(await reply(client, { maxTokens: 100 })).toBe("The sky is blue [1].");
    expect(fake.requests.map(({ body }) => parameter in body)).toEqual([true, false, false]);
  });

  it("keeps the limit of a reply under its other name", async () => {
    fake.dialect = mistral;
    await reply(newClient({ tokenLimit: "max_completion_tokens" }), { maxTokens: 100 });
    expect(fake.requests.at(-1)?.body).toMatchObject({ max_tokens: 100 });
    fake.dialect = reasoning;
    await reply(newClient(), { maxTokens: 100 });
    expect(fake.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 100 });
  });

  it("is not held against a model when the refusal had another cause", async () => {
    const client = newClient();
    const refusal = { how: "status", status: 400, message: "bad words near temperature" } as const;
    fake.next(refusal, refusal);
    await expect(reply(client)).rejects.toBeInstanceOf(ModelError);
    await reply(client);
    expect(fake.requests.at(-1)?.body.temperature).toBe(0.3);
  });
});

describe("a conversation", () => {
  it("takes turns, as the templates of local models demand", async () => {
    fake.dialect = strictTemplate;
    const messages: ChatMessage[] = [
      { role: "system", content: "Rules" },
      { role: "user", content: "A question that failed" },
      { role: "user", content: "The next one" },
    ];
    expect(await reply(newClient(), { messages })).toBe("The sky is blue [1].");
    expect(fake.requests[0]?.body.messages).toEqual([
      { role: "system", content: "Rules" },
      { role: "user", content: "A question that failed\n\nThe next one" },
    ]);
  });

  it("gives Gemini the signatures of its calls back", async () => {
    fake.dialect = gemini;
    fake.extraOfCalls = { google: { thought_signature: "c2lnbmVk" } };
    fake.calls = () => [{ name: "query_table", arguments: "{}" }];
    const tools = [{ name: "query_table", description: "Computes", parameters: { type: "object" } }];
    const client = newClient();
    const events = [];
    for await (const event of client.chatStream({ messages: question, tools })) events.push(event);
    const [call] = events.flatMap((event) => (event.type === "toolCalls" ? event.calls : []));
    if (!call) throw new Error("the model made no call");
    const messages: ChatMessage[] = [
      ...question,
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: call.id, content: "Three" },
    ];
    expect(await reply(client, { messages, tools, mayCall: false })).toBe("The sky is blue [1].");
    expect(fake.requests).toHaveLength(2);
    // Without the signatures the results stand in the question.
    const { extra: _lost, ...bare } = call;
    const unsigned = messages.with(1, { role: "assistant", content: "", toolCalls: [bare] });
    expect(await reply(client, { messages: unsigned, tools, mayCall: false })).toBe("The sky is blue [1].");
    expect(fake.requests).toHaveLength(4);
  });
});

describe("a model that thinks", () => {
  it("gives its reply alone, of parts", async () => {
    fake.contentBefore = [
      { type: "thinking", thinking: [{ type: "text", text: "Let me see." }] },
      { type: "text", text: "Well: " },
    ];
    expect(await reply()).toBe("Well: The sky is blue [1].");
  });

  it.each([
    ["<think>Is it? <b> It is.</think>\n\nIt is blue.", "It is blue."],
    ["\n<think>\n\n</think>\n\nIt is blue.", "It is blue."],
    ["<thinking> is a tag.", "<thinking> is a tag."],
    ["<thi", "<thi"],
    ["It is <think>blue</think>.", "It is <think>blue</think>."],
    ["<think>It never ends", ""],
  ])("gives its reply alone, of words: %j", async (sent, said) => {
    fake.reply = sent;
    expect(await reply()).toBe(said);
  });
});

it("quotes a document that begins as thoughts do, by the built-in model", async () => {
  fake.reply = "<think> opens a block. [1]";
  expect(await reply(newClient({ OPENAI_MODEL: "offline-extract" }))).toBe("<think> opens a block. [1]");
});

describe("embeddings that a provider takes in smaller batches", () => {
  const texts = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => "x".repeat(length + at));

  it.each<[string, Dialect, string[]]>([
    ["Gemini, 100 texts at once", gemini, texts(128, 10)],
    ["Mistral, 16,384 tokens at once", mistral, texts(90, 2_000)],
  ])("arrive all, in order, and the next time without a refusal: %s", async (_name, dialect, sent) => {
    fake.dialect = dialect;
    const client = newClient();
    const lengths = sent.map(({ length }) => length);
    expect((await client.embed(sent)).map(([first]) => first)).toEqual(lengths);
    expect(client.embeddedTokens()).toBeGreaterThan(7);
    fake.requests.length = 0;
    expect((await client.embed(sent)).map(([first]) => first)).toEqual(lengths);
    expect(fake.requests.some(({ body }) => dialect(body))).toBe(false);
  });

  it.each([
    ["vLLM", shortContext],
    ["llama.cpp", smallBatch],
  ])(
    "of a text beyond the model's context are the mean of its parts', and leave the size of later batches: %s",
    async (_name, dialect) => {
      fake.dialect = dialect;
      const client = newClient();
      const [short, long, other] = await client.embed(["a", "word ".repeat(900), "bb"]);
      expect([short?.[0], other?.[0]]).toEqual([1, 2]);
      expect(Math.hypot(...(long ?? []))).toBeCloseTo(1, 5);
      const parts = fake.requests.flatMap(({ body }) => (dialect(body) ? [] : (body.input as string[])));
      expect(parts.join("").replace(/^a|bb$/g, "")).toBe("word ".repeat(900));
      fake.requests.length = 0;
      await client.embed(["a", "b", "c", "d"]);
      expect(fake.requests).toHaveLength(1);
    },
  );

  it("fail for a text that is refused alone, and leave the size of later batches", async () => {
    fake.dialect = (body) =>
      String(body.input).includes("poison") ? { status: 400, body: { error: { message: "no" } } } : undefined;
    const client = newClient();
    await expect(client.embed(["a", "b", "poison", "c"])).rejects.toMatchObject({ kind: "refused" });
    fake.requests.length = 0;
    await client.embed(["a", "b", "c", "d"]);
    expect(fake.requests).toHaveLength(1);
  });

  it.each([401, 404, 429])("are not divided after a refusal of another kind: %i", async (status) => {
    fake.next({ how: "status", status });
    await expect(newClient().embed(["a", "b"])).rejects.toBeInstanceOf(ModelError);
    expect(fake.requests).toHaveLength(1);
  });
});
