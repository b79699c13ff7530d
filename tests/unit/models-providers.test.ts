// The model client with providers that differ from OpenAI behind their compatible addresses.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatEvent, ChatOptions } from "../../edge-functions/_shared/models/model-client.ts";
import { faultOf, ModelError } from "../../edge-functions/_shared/models/model-errors.ts";
import type { ChatMessage } from "../../edge-functions/_shared/models/model-tools.ts";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { isRefusal } from "../../edge-functions/indexing/embedding.ts";
import { isUnreadable, refusesAnswers } from "../../edge-functions/indexing/steps/answer-turns.ts";
import { type Behaviour, type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import {
  claude,
  type Dialect,
  gemini,
  mistral,
  noSystem,
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
  fake.refusesInStream = false;
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

  it.each([
    ["before", false],
    ["within", true],
  ])("begins with the rules for a template without a system, refused %s the stream", async (_when, isIn) => {
    fake.dialect = noSystem;
    fake.refusesInStream = isIn;
    const client = newClient();
    const messages: ChatMessage[] = [
      { role: "system", content: "Rules" },
      { role: "user", content: "A question" },
    ];
    expect(await reply(client, { messages })).toBe("The sky is blue [1].");
    await reply(client, { messages });
    expect(fake.requests.map(({ body }) => (body.messages as ChatMessage[])[0])).toEqual([
      { role: "system", content: "Rules" },
      { role: "user", content: "Rules\n\nA question" },
      { role: "user", content: "Rules\n\nA question" },
    ]);
  });

  it("keeps its tools after one badly written call", async () => {
    const client = newClient();
    const tools = [{ name: "query_table", description: "Computes", parameters: { type: "object" } }];
    fake.next({ how: "status", status: 400, code: "tool_use_failed", message: "Failed to call a function." });
    await reply(client, { tools });
    await reply(client, { tools });
    expect(fake.requests.map(({ body }) => "tools" in body)).toEqual([true, false, true]);
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
    ["[THINK]Is it? It is.[/THINK]It is blue.", "It is blue."],
    ["<thi", "<thi"],
    ["It is <think>blue</think>.", "It is <think>blue</think>."],
    ["<think>It never ends", ""],
  ])("gives its reply alone, of words: %j", async (sent, said) => {
    fake.reply = sent;
    expect(await reply()).toBe(said);
  });
});

describe.each(["DeepSeek-R1-Distill-Qwen-7B", "MiniMaxAI/MiniMax-M2.1", "olmo-3-7b-think"])(
  "%s, whose template opens its thoughts,",
  (name) => {
    const client = () => newClient({ OPENAI_MODEL: name });

    it.each([
      ["Is it? It is.\n</think>\n\nIt is blue.", "It is blue."],
      ["It is blue.", "It is blue."],
      ["<think>Is it?</think>It is blue.", "It is blue."],
    ])("gives its reply alone: %j", async (sent, said) => {
      fake.reply = sent;
      expect(await reply(client())).toBe(said);
    });

    it("streams its words where the server sends its thoughts apart", async () => {
      const events = [
        choice({ reasoning_content: "Is it?" }),
        choice({ content: "It" }),
        "data: {not JSON\n\n",
      ];
      const said: ChatEvent[] = [];
      await expect(eventsFor(events, client(), {}, said)).rejects.toMatchObject({ kind: "bad_answer" });
      expect(said).toEqual([{ type: "delta", text: "It" }]);
    });
  },
);

it("quotes a document that begins as thoughts do, by the built-in model", async () => {
  fake.reply = "<think> opens a block. [1]";
  expect(await reply(newClient({ OPENAI_MODEL: "offline-extract" }))).toBe("<think> opens a block. [1]");
});

/** What a refusal of a chat is: the kind of its error, and what its team can do. */
async function faultFor(behaviour: Behaviour) {
  fake.next(behaviour);
  const error = await reply().catch((reason: unknown) => reason);
  return error instanceof ModelError ? [error.kind, faultOf(error)] : error;
}

describe("a refusal", () => {
  const status = (code: number, message: string): Behaviour => ({ how: "status", status: code, message });
  const within = (error: unknown): Behaviour => ({ how: "events", events: [{ error }] });

  it.each<[string, Behaviour]>([
    ["DeepSeek's", status(402, "Insufficient Balance")],
    ["Anthropic's", status(400, "Your credit balance is too low to access the Anthropic API.")],
    ["OpenRouter's within a stream", within({ code: 402, message: "Insufficient credits" })],
  ])("for want of credit is told as that: %s", async (_name, behaviour) => {
    expect(await faultFor(behaviour)).toEqual(["refused", "usedUp"]);
  });

  it("of a flagged question is not one of the key", async () => {
    const flagged = "openai/gpt-4.1 requires moderation. Your input was flagged.";
    expect(await faultFor(status(403, flagged))).toEqual(["refused", "refused"]);
    expect(await faultFor(status(403, "Forbidden"))).toEqual(["refused", "keyRefused"]);
  });

  it("that passes is told as that, within a stream too", async () => {
    const inFlight = { how: "status", status: 402, headers: { "retry-after": "20" } } as const;
    expect(await faultFor(inFlight)).toEqual(["rate_limited", "busy"]);
    expect(await faultFor(within({ code: 429, message: "Rate limited" }))).toEqual(["rate_limited", "busy"]);
  });

  it.each<[string, Behaviour]>([
    ["vLLM", status(400, "This model's maximum context length is 4096 tokens. However, you requested 9000.")],
    ["llama.cpp", status(400, "the request exceeds the available context size.")],
    ["Anthropic", status(400, "prompt is too long: 210000 tokens > 200000 maximum")],
    [
      "Gemini",
      status(400, "The input token count (9000) exceeds the maximum number of tokens allowed (4096)."),
    ],
    ["Groq", status(413, "Request too large for model `llama-3.1-8b-instant`: Limit 6000, Requested 9000")],
    ["LM Studio", within({ message: "the model is loaded with context length of only 4096 tokens" })],
  ])("of what exceeds the model's context is told as that: %s", async (_name, behaviour) => {
    expect(await faultFor(behaviour)).toEqual(["too_long", "tooLong"]);
  });

  it("of what is too long is not repeated by a task, and stands for one answer", () => {
    const error = new ModelError("too_long", "");
    expect([isRefusal(error), isUnreadable(error), refusesAnswers(error)]).toEqual([true, true, false]);
  });

  it.each<[string, Behaviour]>([
    ["Ollama", status(404, "404 page not found")],
    ["OpenAI", status(404, "Invalid URL (POST /chat/completions)")],
    ["a redirect", { how: "status", status: 307, headers: { location: "http://127.0.0.1:9/v1" } }],
  ])("of the address is told as that: %s", async (_name, behaviour) => {
    const bare = {
      fetch: (url: RequestInfo | URL, init?: RequestInit) => fetch(url, { ...init, redirect: "manual" }),
    };
    fake.next(behaviour);
    const error = await reply(newClient(bare)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "bad_answer" });
    expect(fake.requests).toHaveLength(1);
  });

  it("as the reason for a reply's end leaves no complete reply", async () => {
    const events = [choice({ content: "It is" }), choice({ content: "" }, "error")];
    await expect(eventsFor(events)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

/** The events of a reply that a provider streams so. */
async function eventsFor(
  events: unknown[],
  client = newClient(),
  options: Partial<ChatOptions> = {},
  all: ChatEvent[] = [],
) {
  fake.next({ how: "events", events });
  for await (const event of client.chatStream({ messages: question, ...options })) all.push(event);
  return all;
}
const choice = (delta: unknown, finish_reason: string | null = null, more = {}) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});

it("leaves out what Postgres cannot store, and no character that arrives in two pieces", async () => {
  const pieces = ["a\0b", "c\ud83d", "\ude00d", "\ude00e\ud83d", "f\ud83d"].map((content) =>
    choice({ content }),
  );
  const events = await eventsFor([...pieces, choice({}, "stop")]);
  const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
  expect(text).toBe("abc\u{1f600}d\ufffde\ufffdf");
});

describe("the tokens of a reply", () => {
  const usagesFor = async (...usages: unknown[]) =>
    (
      await eventsFor([
        choice({ content: "Blue." }, "stop"),
        ...usages.map((usage) => ({ choices: [], usage })),
      ])
    ).filter(({ type }) => type === "usage");
  const usage = (promptTokens: number, completionTokens: number) => [
    { type: "usage", promptTokens, completionTokens },
  ];

  it("include those of thoughts that are in the total alone", async () => {
    const geminis = { prompt_tokens: 20, completion_tokens: 151, total_tokens: 553 };
    expect(await usagesFor(geminis)).toEqual(usage(20, 533));
    const openAis = { prompt_tokens: 20, completion_tokens: 533, total_tokens: 553 };
    expect(await usagesFor(openAis)).toEqual(usage(20, 533));
  });

  it("are those of the last report, and of none that is no count", async () => {
    const good = { prompt_tokens: 11, completion_tokens: 5 };
    expect(await usagesFor({ prompt_tokens: 11, completion_tokens: 2 }, good, good)).toEqual(usage(11, 5));
    expect(
      await usagesFor(
        {},
        { prompt_tokens: "11", completion_tokens: 5 },
        { prompt_tokens: 11.5, completion_tokens: 5 },
        { prompt_tokens: -11, completion_tokens: 5 },
        { prompt_tokens: 11, completion_tokens: 1e300 },
        "11",
        7,
      ),
    ).toEqual([]);
    expect(await usagesFor({ ...good, total_tokens: -3 })).toEqual(usage(11, 5));
  });
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
