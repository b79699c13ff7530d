// Owns the types of a model client: its settings, the calls and what they yield.
import type { RetryLimits } from "./model-errors.ts";
import type { ChatMessage, Tool, ToolCall } from "./model-tools.ts";

export type TokenLimit = "max_tokens" | "max_completion_tokens";

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
  /** The provider's parameter for the maximum reply length; the other one is tried when it is refused. */
  tokenLimit?: TokenLimit;
};

export type ModelsInUse = {
  chat: string;
  embedding: string;
  /** Of the embedding space that new indexes use. */
  dimensions: number;
  /** True when replies are quotes by the built-in model, not a language model's. */
  offline: boolean;
};

export type ChatEvent =
  | { type: "delta"; text: string }
  /** The tools that the model calls before it continues. The reply ends with them. */
  | { type: "toolCalls"; calls: ToolCall[] }
  /** The reply ended at a limit of its length. Of a team's models, a reply without a limit of the caller's then fails. */
  | { type: "cut" }
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
