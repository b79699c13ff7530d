// Owns every call to a language or embedding model, through the `openai` package. Must not know what is asked or why, and must not read
// the environment: settings are passed in.
import OpenAI from "openai";
import { countModelTokens } from "../operation/metrics.ts";
import { boundedAnswer } from "../outbound/bounded-answer.ts";
import { sentenceOf } from "../text/sentences.ts";
import { readEvents } from "./event-reader.ts";
import { measureClient } from "./measured-models.ts";
import {
  ModelError,
  type RetryLimits,
  refusesTemperature,
  retryModelCall,
  toModelError,
} from "./model-errors.ts";
import {
  type ChatMessage,
  knowsNoTools,
  noteRefusal,
  refusesTools,
  type Tool,
  type ToolCall,
  ToolCallReader,
  toolsOf,
  toProtocol,
  withoutTools,
} from "./model-tools.ts";
import { vectorsOf } from "./vectors.ts";
import { unlessAborted, watchStream } from "./watched-stream.ts";

export type ModelSettings = {
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  OPENAI_MODEL?: string;
  OPENAI_EMBEDDING_MODEL?: string;
  /** For a model with an unknown vector size that cannot be probed. */
  OPENAI_EMBEDDING_DIMENSIONS?: number | string;
  /** For addresses entered in the app. */
  fetch?: typeof fetch;
  /** Added to the package's own headers. */
  headers?: Record<string, string>;
  /** The provider's parameter for the maximum reply length. */
  tokenLimit?: "max_tokens" | "max_completion_tokens";
};

export type ModelsInUse = {
  chat: string;
  embedding: string;
  /** Of the embedding space that new indexes use. */
  dimensions: number;
  /** True when replies are quotes by the built-in model, not a language model's. */
  offline: boolean;
};

export type { ChatMessage } from "./model-tools.ts";

export type ChatEvent =
  | { type: "delta"; text: string }
  /** The tools that the model calls before it continues. The reply ends with them. */
  | { type: "toolCalls"; calls: ToolCall[] }
  | {
      type: "usage";
      promptTokens: number;
      completionTokens: number;
      /** The model that answered, if several could have. */
      model?: string;
      /** True when the fallback answered. */
      fallback?: boolean;
      /** True when the provider reported no token counts. */
      estimated?: boolean;
    };

export { ModelError, type ModelErrorKind } from "./model-errors.ts";

export type EmbedOptions = { model?: string; dimensions?: number; signal?: AbortSignal };
export type ChatOptions = {
  messages: ChatMessage[];
  model?: string;
  temperature?: number;
  /** Maximum reply length. Unlimited if absent. */
  maxTokens?: number;
  /** Tools that the model may call. A model that refuses tools answers without them. */
  tools?: Tool[];
  /** False: the model sees the tools but must answer now. */
  mayCall?: boolean;
  signal?: AbortSignal;
};

export type ModelClient = {
  inUse: ModelsInUse;
  /**
   * Returns one vector per text, in order, each of `dimensions` finite numbers (default: the space in use).
   * @throws ModelError; the signal's reason when aborted
   */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Streams a reply that ends with at most one `usage`. Retries only before the first delta.
   * @throws ModelError; the signal's reason when aborted
   */
  chatStream(options: ChatOptions): AsyncIterable<ChatEvent>;
};

/** Timeouts in milliseconds, and batch sizes. */
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
/** Characters. A model that exceeds this is stuck in a loop. */
const longestReply = 200_000;
const tooLate = new Error("the reply did not end in time");
/** Without a reason, an abort creates an exception with a stack trace. */
const isOver = new Error("the reply is over");

const openAiUrl = "https://api.openai.com/v1";
const offlineChat = "offline-extract";
/** True for the built-in models, which cost nothing. */
export const isBuiltIn = (model: string): boolean => model.startsWith("offline-");

/** True for models that accept `dimensions`. Others have one size, and reject or ignore the field. */
export const takesDimensions = (model: string) =>
  model.startsWith("offline-hash") || model.includes("text-embedding-3");
const fixedSizes: [RegExp, number][] = [
  [/offline-hash/, 1024],
  [/ada-002/, 1536],
  [/nomic-embed|e5-base|bge-base|gte-base|mpnet/, 768],
  [/minilm|e5-small|bge-small|gte-small/, 384],
];
const usualDimensions = 1024;

const dimensionsOf = (model: string) => fixedSizes.find(([name]) => name.test(model))?.[1] ?? usualDimensions;

/** The models that the settings select. An empty setting counts as absent. */
export function modelsInUse(settings: ModelSettings): ModelsInUse {
  const chat = settings.OPENAI_MODEL || "gpt-4.1-mini";
  const embedding = settings.OPENAI_EMBEDDING_MODEL || "text-embedding-3-small";
  const dimensions = Number(settings.OPENAI_EMBEDDING_DIMENSIONS) || dimensionsOf(embedding);
  return { chat, embedding, dimensions, offline: chat === offlineChat };
}

/** A client of one provider. `embeddedTokens` is the token count of the last embedding; null if the provider reports none. */
export type ProviderClient = ModelClient & { embeddedTokens(): number | null };

export function modelClient(settings: ModelSettings, changes: Partial<ModelLimits> = {}): ProviderClient {
  const limits = { ...defaultLimits, ...changes };
  const inUse = modelsInUse(settings);
  let embedded: number | null = null;
  const openai = packageClient(settings);
  const client = measureClient({
    inUse,
    embed: async (texts, options = {}) => {
      const { vectors, tokens } = await embed(openai, inUse, limits, texts, options);
      embedded = tokens;
      return vectors;
    },
    chatStream: (options) =>
      chatStream(openai, inUse, { ...limits, tokenLimit: settings.tokenLimit }, options),
  });
  return { ...client, embeddedTokens: () => embedded };
}

/**
 * Clients of the package by their settings. The environment's settings live as long as the process, and creating a client takes a tenth of
 * a millisecond.
 */
const packageClients = new WeakMap<ModelSettings, OpenAI>();

function packageClient(settings: ModelSettings): OpenAI {
  const known = packageClients.get(settings);
  if (known) return known;
  const call = settings.fetch ?? fetch;
  const openai = new OpenAI({
    // A self-hosted server often needs no key, but the package requires one.
    apiKey: settings.OPENAI_API_KEY || "none",
    baseURL: settings.OPENAI_BASE_URL || openAiUrl,
    organization: null,
    project: null,
    // The package's own retries sleep for the full Retry-After, which can be hours.
    maxRetries: 0,
    logLevel: "off",
    defaultHeaders: settings.headers,
    fetch: async (url, init) => {
      const response = await call(url, init);
      // readEvents() counts the bytes of a stream, and ends it.
      return isEventStream(response) ? response : boundedAnswer(response, maxAnswerBytes, init?.signal);
    },
  });
  packageClients.set(settings, openai);
  return openai;
}

const isEventStream = ({ ok, headers }: Response) =>
  ok && (headers.get("content-type") ?? "").startsWith("text/event-stream");

async function embed(
  openai: OpenAI,
  inUse: ModelsInUse,
  limits: ModelLimits,
  texts: string[],
  { model = inUse.embedding, dimensions = inUse.dimensions, signal }: EmbedOptions,
): Promise<{ vectors: Float32Array[]; tokens: number | null }> {
  const vectors: Float32Array[] = [];
  let tokens: number | null = 0;
  for (const batch of batches(texts, limits)) {
    const answer = await retryModelCall(limits, signal, () =>
      openai.embeddings.create(
        {
          model,
          input: batch,
          // Not every server supports base64, which needs a fifth of the bytes and no parsing of numbers.
          encoding_format: isBuiltIn(model) ? "base64" : "float",
          ...(takesDimensions(model) ? { dimensions } : {}),
        },
        // The package's own timeout covers the headers only.
        { signal: withinTime(limits.embedTimeoutMs, signal), timeout: limits.embedTimeoutMs },
      ),
    );
    const took: unknown = answer.usage?.prompt_tokens;
    countModelTokens("embedding", answer.usage?.prompt_tokens);
    tokens = tokens !== null && typeof took === "number" ? tokens + took : null;
    vectors.push(...vectorsOf(answer, batch.length, dimensions));
  }
  return { vectors, tokens };
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
    // Providers reject an empty input. A blank one embeds as neutral.
    batch.push(text.trim() === "" ? " " : text);
    characters += text.length;
  }
  if (batch.length > 0) found.push(batch);
  return found;
}

async function* chatStream(
  openai: OpenAI,
  inUse: ModelsInUse,
  { tokenLimit = "max_tokens", ...limits }: ModelLimits & Pick<ModelSettings, "tokenLimit">,
  { messages, model = "", temperature, maxTokens, tools = [], mayCall = true, signal }: ChatOptions,
): AsyncGenerator<ChatEvent> {
  const name = model || inUse.chat;
  const stall = new AbortController();
  const end = setTimeout(() => stall.abort(tooLate), limits.replyTimeoutMs);
  const leave = () => stall.abort(signal?.reason);
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  const asked = { temperature, tools: isBuiltIn(name) || knowsNoTools(openai.baseURL, name) ? [] : tools };
  const open = (): Promise<Response> =>
    openai.chat.completions
      .create(
        {
          model: name,
          messages: toProtocol(asked.tools.length > 0 ? messages : withoutTools(messages)),
          stream: true,
          stream_options: { include_usage: true },
          ...(maxTokens === undefined ? {} : { [tokenLimit]: maxTokens }),
          ...(asked.tools.length > 0
            ? { tools: toolsOf(asked.tools), tool_choice: mayCall ? "auto" : "none" }
            : {}),
          temperature: asked.temperature,
        },
        { signal: stall.signal, timeout: limits.chatTimeoutMs },
      )
      .asResponse()
      .catch((error: unknown) => {
        // Reasoning models reject a temperature and other models reject tools; only the error shows it.
        if (asked.temperature !== undefined && refusesTemperature(error)) asked.temperature = undefined;
        else if (asked.tools.length > 0 && refusesTools(error)) {
          asked.tools = [];
          // In the middle of a conversation the provider may be rejecting something else.
          if (!messages.some(({ role }) => role === "tool")) noteRefusal(openai.baseURL, name);
        } else throw error;
        return open();
      });
  try {
    const opened = retryModelCall(limits, stall.signal, open);
    const response = await unlessAborted(opened, stall.signal);
    const arrivals = readEvents(response, { maxBytes: maxAnswerBytes, signal: stall.signal });
    yield* eventsOf(watchStream(arrivals, limits.chatTimeoutMs, stall));
  } catch (error) {
    signal?.throwIfAborted();
    if (stall.signal.reason === tooLate) throw new ModelError("timeout", sentenceOf("modelNoAnswer"));
    if (stall.signal.aborted) throw new ModelError("timeout", sentenceOf("modelSilent"));
    throw toModelError(error);
  } finally {
    clearTimeout(end);
    signal?.removeEventListener("abort", leave);
    stall.abort(isOver);
  }
}

/** @param arrivals lists of chunks; the words of one arrival leave as one delta */
async function* eventsOf(arrivals: AsyncIterable<unknown[]>): AsyncGenerator<ChatEvent> {
  let begun = false;
  let finished = false;
  let length = 0;
  let usage: ChatEvent | undefined;
  const called = new ToolCallReader();
  for await (const chunks of arrivals) {
    let text = "";
    let isFiltered = false;
    for (const chunk of chunks.filter(isChunk)) {
      const choice = chunk.choices?.[0];
      if (choice) begun = true;
      called.push(choice?.delta?.tool_calls);
      text += `${choice?.delta?.content ?? ""}${choice?.delta?.refusal ?? ""}`;
      isFiltered ||= choice?.finish_reason === "content_filter";
      if (choice?.finish_reason) finished = true;
      if (chunk.usage) {
        const { prompt_tokens, completion_tokens } = chunk.usage;
        usage = { type: "usage", promptTokens: prompt_tokens, completionTokens: completion_tokens };
      }
    }
    length += text.length;
    if (length > longestReply) throw new ModelError("bad_answer", sentenceOf("modelEndless"));
    if (text) yield { type: "delta", text };
    if (isFiltered) throw new ModelError("refused", sentenceOf("modelFilter"));
  }
  if (!begun) throw new ModelError("bad_answer", sentenceOf("modelNoReply"));
  // A dropped connection looks like the end of the stream; only finish_reason shows that the reply is complete.
  if (!finished) throw new ModelError("unavailable", sentenceOf("modelLostInReply"));
  const calls = called.calls();
  if (calls.length > 0) yield { type: "toolCalls", calls };
  if (usage) yield usage;
}

/** The protocol's fields are all optional here: servers differ in what they send. */
const isChunk = (event: unknown): event is Partial<OpenAI.ChatCompletionChunk> => isRecord(event);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
