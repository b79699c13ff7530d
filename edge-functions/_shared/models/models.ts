// Owns the clients of language and embedding models, on the `openai` package. Must not know what is asked or why, and must not read the
// environment: settings are passed in.
import OpenAI from "openai";
import { boundedAnswer } from "../outbound/bounded-answer.ts";
import { parseForeignJson } from "../outbound/json-depth.ts";
import { chatStream } from "./chat-call.ts";
import { embed } from "./embedding-call.ts";
import { maxAnswerBytes } from "./event-reader.ts";
import { measureClient } from "./measured-models.ts";
import type { ModelClient, ModelLimits, ModelSettings } from "./model-client.ts";
import { modelsInUse } from "./model-names.ts";
import { withReadableError } from "./provider-errors.ts";

const defaultLimits: ModelLimits = {
  embedTimeoutMs: 30_000,
  // A local model is loaded first, and some providers send nothing while a model thinks or waits for its turn. Hosted Supabase ends a call
  // after 150 s: the reader is told before.
  chatTimeoutMs: 120_000,
  replyTimeoutMs: 10 * 60_000,
  retries: 2,
  maxRetryAfterMs: 10_000,
  backOffMs: 500,
  batchTexts: 128,
  batchCharacters: 200_000,
};

const openAiUrl = "https://api.openai.com/v1";

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
      if (isEventStream(response)) return response;
      return withBoundedJson(await withReadableError(boundedAnswer(response, maxAnswerBytes, init?.signal)));
    },
  });
  packageClients.set(settings, openai);
  return openai;
}

/** Of an answer: 128 vectors of 4,096 numbers, twice. */
const mostValues = 1_048_576;

/** A response whose JSON, which the package reads, holds no more values than an answer has. */
function withBoundedJson(response: Response): Response {
  // Defined, not assigned: where a server's package replaces Response, as in tests, its methods are read-only.
  return Object.defineProperty(response, "json", {
    value: async () => parseForeignJson(await response.text(), mostValues),
  });
}

const isEventStream = ({ ok, headers }: Response) =>
  ok && (headers.get("content-type") ?? "").startsWith("text/event-stream");
