// Owns every call to a language or embedding model, on the `openai` package. It must not know what is asked or why,
// nor read the environment: settings are handed in.
import OpenAI from "openai";
import { boundedAnswer } from "./bounded-answer.ts";
import { measured } from "./measured-models.ts";
import { countTokens } from "./metrics.ts";
import { ModelError, type RetryLimits, refusesTemperature, retried, toModelError } from "./model-errors.ts";
import { unlessAborted, watched } from "./watched-stream.ts";

export type ModelSettings = {
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  OPENAI_MODEL?: string;
  OPENAI_EMBEDDING_MODEL?: string;
  /** For a model whose size is not known here and that cannot be asked for one. */
  OPENAI_EMBEDDING_DIMENSIONS?: number | string;
};

export type ModelsInUse = {
  chat: string;
  embedding: string;
  /** Of the embedding space that new indexes are built in. */
  dimensions: number;
  /** True where replies are quotes by the built-in model and not a language model's. */
  offline: boolean;
};

export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

export type ChatEvent =
  | { type: "delta"; text: string }
  | { type: "usage"; promptTokens: number; completionTokens: number };

export { ModelError, type ModelErrorKind } from "./model-errors.ts";

export type EmbedOptions = { model?: string; dimensions?: number; signal?: AbortSignal };
export type ChatOptions = {
  messages: ChatMessage[];
  model?: string;
  temperature?: number;
  signal?: AbortSignal;
};

export type ModelClient = {
  inUse: ModelsInUse;
  /**
   * One vector per text, in order, each of `dimensions` finite numbers (default: the space in use).
   * @throws ModelError; the signal's reason when aborted
   */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Streams a reply; ends with at most one `usage`. Retried only until the first delta.
   * @throws ModelError; the signal's reason when aborted
   */
  chatStream(options: ChatOptions): AsyncIterable<ChatEvent>;
};

/** Waits and sizes, in milliseconds and texts. */
export type ModelLimits = RetryLimits & {
  embedTimeoutMs: number;
  /** Until the first event of a stream, and between two events. */
  chatTimeoutMs: number;
  /** A whole reply, however lively. */
  replyTimeoutMs: number;
  batchTexts: number;
  batchCharacters: number;
};

const defaultLimits: ModelLimits = {
  embedTimeoutMs: 30_000,
  chatTimeoutMs: 60_000,
  replyTimeoutMs: 10 * 60_000,
  retries: 2,
  maxRetryAfterMs: 10_000,
  backOffMs: 500,
  batchTexts: 128,
  batchCharacters: 200_000,
};

/** 128 vectors of 3,072 numbers are 8 MiB of JSON. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** In characters: a model that goes on beyond this has lost its way. */
const longestReply = 200_000;
const tooLate = new Error("the reply did not end in time");

const openAiUrl = "https://api.openai.com/v1";
const offlineChat = "offline-extract";

/** Models that take `dimensions`; others have one size, and refuse the field or ignore it. */
const takesDimensions = (model: string) =>
  model.startsWith("offline-hash") || model.includes("text-embedding-3");
const fixedSizes: [RegExp, number][] = [
  [/offline-hash/, 1024],
  [/ada-002/, 1536],
  [/nomic-embed|e5-base|bge-base|gte-base|mpnet/, 768],
  [/minilm|e5-small|bge-small|gte-small/, 384],
];
const usualDimensions = 1024;

/** The largest number that the database's half-precision vectors hold. */
const largestHalf = 65_504;

const dimensionsOf = (model: string) => fixedSizes.find(([name]) => name.test(model))?.[1] ?? usualDimensions;

/** Which models the settings mean; an empty setting counts as absent. */
export function modelsInUse(settings: ModelSettings): ModelsInUse {
  const chat = settings.OPENAI_MODEL || "gpt-4.1-mini";
  const embedding = settings.OPENAI_EMBEDDING_MODEL || "text-embedding-3-small";
  const dimensions = Number(settings.OPENAI_EMBEDDING_DIMENSIONS) || dimensionsOf(embedding);
  return { chat, embedding, dimensions, offline: chat === offlineChat };
}

export function modelClient(settings: ModelSettings, changes: Partial<ModelLimits> = {}): ModelClient {
  const limits = { ...defaultLimits, ...changes };
  const inUse = modelsInUse(settings);
  const openai = new OpenAI({
    // A server of one's own often wants no key, but the package insists on one.
    apiKey: settings.OPENAI_API_KEY || "none",
    baseURL: settings.OPENAI_BASE_URL || openAiUrl,
    organization: null,
    project: null,
    // Its own retries sleep for as long as a Retry-After says, which can be hours.
    maxRetries: 0,
    logLevel: "off",
    fetch: async (url, init) => boundedAnswer(await fetch(url, init), maxAnswerBytes, init?.signal),
  });
  return measured({
    inUse,
    embed: (texts, options = {}) => embed(openai, inUse, limits, texts, options),
    chatStream: (options) => chatStream(openai, inUse, limits, options),
  });
}

async function embed(
  openai: OpenAI,
  inUse: ModelsInUse,
  limits: ModelLimits,
  texts: string[],
  { model = inUse.embedding, dimensions = inUse.dimensions, signal }: EmbedOptions,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const batch of batches(texts, limits)) {
    const answer = await retried(limits, signal, () =>
      openai.embeddings.create(
        { model, input: batch, encoding_format: "float", ...(takesDimensions(model) ? { dimensions } : {}) },
        // The package's own time-out ends with the headers.
        { signal: withinTime(limits.embedTimeoutMs, signal), timeout: limits.embedTimeoutMs },
      ),
    );
    countTokens("embedding", answer.usage?.prompt_tokens);
    vectors.push(...vectorsOf(answer, batch.length, dimensions));
  }
  return vectors;
}

function withinTime(ms: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

function batches(texts: string[], limits: ModelLimits): string[][] {
  const found: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (
      batch.length === limits.batchTexts ||
      (batch.length > 0 && characters + text.length > limits.batchCharacters)
    ) {
      found.push(batch);
      batch = [];
      characters = 0;
    }
    // Providers refuse an empty input; a blank one embeds as "nothing in particular".
    batch.push(text.trim() === "" ? " " : text);
    characters += text.length;
  }
  if (batch.length > 0) found.push(batch);
  return found;
}

/** Order comes from `index`: the protocol does not promise that of the list. */
function vectorsOf(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [];
  if (data.length !== count) {
    throw new ModelError("bad_answer", `The model gave ${data.length} embeddings for ${count} texts.`);
  }
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach((item: unknown, at) => {
    const { index = at, embedding } = isRecord(item) ? item : {};
    if (typeof index !== "number" || !Array.isArray(embedding)) return;
    vectors[index] = vectorOf(embedding, dimensions);
  });
  return vectors.map((vector) => {
    if (!vector) throw new ModelError("bad_answer", "The model left out an embedding.");
    return vector;
  });
}

function vectorOf(embedding: unknown[], dimensions: number): Float32Array {
  if (embedding.length !== dimensions) {
    const told = `The model gave ${embedding.length} dimensions where ${dimensions} were asked for.`;
    throw new ModelError("bad_answer", told);
  }
  const numbers = embedding.filter((value) => typeof value === "number" && Math.abs(value) <= largestHalf);
  if (numbers.length !== dimensions) {
    throw new ModelError("bad_answer", "The model gave an embedding with something else than numbers in it.");
  }
  if (numbers.every((value) => value === 0)) {
    throw new ModelError("bad_answer", "The model gave an embedding of zeros.");
  }
  return Float32Array.from(numbers);
}

async function* chatStream(
  openai: OpenAI,
  inUse: ModelsInUse,
  limits: ModelLimits,
  { messages, model, temperature, signal }: ChatOptions,
): AsyncGenerator<ChatEvent> {
  const stall = new AbortController();
  const end = setTimeout(() => stall.abort(tooLate), limits.replyTimeoutMs);
  const leave = () => stall.abort(signal?.reason);
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  const open = (warmth: { temperature?: number }) =>
    openai.chat.completions.create(
      {
        model: model || inUse.chat,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...warmth,
      },
      { signal: stall.signal, timeout: limits.chatTimeoutMs },
    );
  try {
    const opened = retried(limits, stall.signal, () =>
      open({ temperature }).catch((error: unknown) => {
        // Reasoning models know no temperature, and say so; nothing else tells them apart.
        if (temperature !== undefined && refusesTemperature(error)) return open({});
        throw error;
      }),
    );
    const chunks = await unlessAborted(opened, stall.signal);
    yield* eventsOf(watched(chunks, limits.chatTimeoutMs, stall));
  } catch (error) {
    signal?.throwIfAborted();
    if (stall.signal.reason === tooLate) throw new ModelError("timeout", "The model did not answer in time.");
    if (stall.signal.aborted) throw new ModelError("timeout", "The model fell silent in its reply.");
    throw toModelError(error);
  } finally {
    clearTimeout(end);
    signal?.removeEventListener("abort", leave);
    stall.abort();
  }
}

async function* eventsOf(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>): AsyncGenerator<ChatEvent> {
  let begun = false;
  let finished = false;
  let length = 0;
  let usage: ChatEvent | undefined;
  for await (const chunk of chunks) {
    const choice = chunk.choices?.[0];
    if (choice) begun = true;
    length += choice?.delta?.content?.length ?? 0;
    if (length > longestReply)
      throw new ModelError("bad_answer", "The model's reply is longer than can be taken.");
    if (choice?.delta?.content) yield { type: "delta", text: choice.delta.content };
    if (choice?.delta?.refusal) yield { type: "delta", text: choice.delta.refusal };
    if (choice?.finish_reason === "content_filter") {
      throw new ModelError("refused", "The model's filter ended the reply.");
    }
    if (choice?.finish_reason) finished = true;
    if (chunk.usage) {
      const { prompt_tokens, completion_tokens } = chunk.usage;
      usage = { type: "usage", promptTokens: prompt_tokens, completionTokens: completion_tokens };
    }
  }
  if (!begun) throw new ModelError("bad_answer", "The model's answer holds no reply.");
  // A connection that drops looks like the end of the stream; only finish_reason says that the reply is whole.
  if (!finished) throw new ModelError("unavailable", "The connection to the model was lost in its reply.");
  if (usage) yield usage;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
