// Owns the embedding of texts, in batches as large as the provider accepts. Must not know whose texts they are.
import { LRUCache } from "lru-cache";
import type OpenAI from "openai";
import { APIError } from "openai";
import { countModelTokens } from "../operation/metrics.ts";
import type { EmbedOptions, ModelLimits, ModelsInUse } from "./model-client.ts";
import { faultOf, type ModelError, retryModelCall } from "./model-errors.ts";
import { isBuiltIn, takesDimensions } from "./model-names.ts";
import { readCount } from "./reported-tokens.ts";
import { unitVector, vectorsOf } from "./vectors.ts";

/** One vector per text. Tokens are null if the provider reports none. `isCut`: one of the texts was too long, and embedded in parts. */
type Embedded = { vectors: Float32Array[]; tokens: number | null; isCut?: boolean };

type BatchSize = { texts: number; characters: number };

/** @throws ModelError; the signal's reason when aborted */
export async function embed(
  openai: OpenAI,
  inUse: ModelsInUse,
  limits: ModelLimits,
  texts: string[],
  { model = inUse.embedding, dimensions = inUse.dimensions, signal }: EmbedOptions,
): Promise<Embedded> {
  const place = `${openai.baseURL} ${model}`;
  const call = async (batch: string[]): Promise<Embedded> => {
    const answer = await retryModelCall(limits, signal, () =>
      // The package's own timeout covers the headers only.
      withinTime(limits.embedTimeoutMs, signal, (limit) =>
        openai.embeddings.create(
          {
            model,
            input: batch,
            // Not every server supports base64, which needs a fifth of the bytes and no parsing of numbers.
            encoding_format: isBuiltIn(model) ? "base64" : "float",
            ...(takesDimensions(model) ? { dimensions } : {}),
          },
          { signal: limit, timeout: limits.embedTimeoutMs },
        ),
      ),
    );
    const tokens = readCount(answer.usage?.prompt_tokens);
    countModelTokens("embedding", tokens ?? undefined);
    return { vectors: vectorsOf(answer, batch.length, dimensions), tokens };
  };
  let all: Embedded = { vectors: [], tokens: 0 };
  let rest = texts;
  const usual = { texts: limits.batchTexts, characters: limits.batchCharacters };
  while (rest.length > 0) {
    const batch = firstBatch(rest, smaller(usual, knownSize(place)));
    all = join(all, await embedInParts(batch, place, call));
    rest = rest.slice(batch.length);
  }
  return all;
}

const join = (one: Embedded, other: Embedded): Embedded => ({
  vectors: [...one.vectors, ...other.vectors],
  tokens: one.tokens === null || other.tokens === null ? null : one.tokens + other.tokens,
  isCut: one.isCut || other.isCut,
});

/** Aborts the call after a time, or with the signal. AbortSignal.timeout() would keep its timer until then, however soon the answer is there. */
async function withinTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  call: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  const leave = () => control.abort(signal?.reason);
  const timer = setTimeout(() => control.abort(new DOMException(undefined, "TimeoutError")), ms);
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  try {
    return await call(control.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

/** The first texts that fit into a batch: at least one. Providers reject an empty input; a blank one embeds as neutral. */
function firstBatch(texts: string[], { texts: mostTexts, characters }: BatchSize): string[] {
  let left = characters;
  const end = texts.findIndex((text, at) => {
    left -= text.length;
    return at > 0 && (at >= mostTexts || left < 0);
  });
  return texts.slice(0, end < 0 ? texts.length : end).map((text) => (text.trim() === "" ? " " : text));
}

/**
 * A batch, in halves if the provider refuses it as a whole: Gemini takes 100 texts at once, Mistral 16,384 tokens, and only the error shows
 * it. A text that is refused alone is embedded in parts if it is too long, and else fails the call.
 */
async function embedInParts(
  batch: string[],
  place: string,
  call: (batch: string[]) => Promise<Embedded>,
): Promise<Embedded> {
  try {
    return await call(batch);
  } catch (error) {
    // Thrown by retryModelCall, which makes every failure one.
    if (!mayBeTooMuch(error as ModelError)) throw error;
    const [text = ""] = batch;
    if (batch.length === 1 && !isTooLong(text, error as ModelError)) throw error;
    if (batch.length === 1) return await embedLongText(text, place, call);
  }
  const middle = Math.ceil(batch.length / 2);
  const first = await embedInParts(batch.slice(0, middle), place, call);
  const second = await embedInParts(batch.slice(middle), place, call);
  const all = join(first, second);
  if (!all.isCut) noteSize(place, batch.slice(0, middle));
  return all;
}

/** Characters. A text below this is refused for another reason than its length. */
const shortText = 200;
/** As vLLM, text-embeddings-inference, llama.cpp, OpenAI and Mistral say it. */
const tooLong = /too (long|large|big|many)|context length|maximum.{0,40}token|less than \d+ tokens|exceed/i;

const isTooLong = (text: string, { cause }: ModelError) =>
  text.length >= shortText && cause instanceof APIError && tooLong.test(cause.message);

/**
 * The vector of a text beyond the model's context: the mean of its parts', weighted by length, as OpenAI's cookbook does for long inputs. A
 * part alone would leave the rest of the text out of the search.
 */
async function embedLongText(
  text: string,
  place: string,
  call: (batch: string[]) => Promise<Embedded>,
): Promise<Embedded> {
  const middle = Math.ceil(text.length / 2);
  const space = text.indexOf(" ", middle);
  // Without a space behind the middle: there, but not within a character of two code units.
  const within = /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle + 1 : middle;
  const cut = space > 0 && space < text.length - 1 ? space : within;
  const parts = [text.slice(0, cut), text.slice(cut)];
  const { vectors, tokens } = await embedInParts(parts, place, call);
  const [first = new Float32Array(), second = new Float32Array()] = vectors.map((vector) =>
    unitVector(vector),
  );
  const share = cut / text.length;
  const mean = first.map((value, at) => value * share + (second[at] ?? 0) * (1 - share));
  return { vectors: [unitVector(mean)], tokens, isCut: true };
}

const tooMuch = new Set([400, 413, 422, 500]);

function mayBeTooMuch(error: ModelError): boolean {
  return (
    error.cause instanceof APIError &&
    tooMuch.has(error.cause.status ?? 0) &&
    ["refused", "tooLong"].includes(faultOf(error))
  );
}

/** The sizes of batches that succeeded in parts. For some minutes: a provider's limit may rise. */
const sizes = new LRUCache<string, BatchSize>({ max: 500, ttl: 10 * 60_000 });

const knownSize = (place: string): BatchSize => sizes.get(place) ?? { texts: Infinity, characters: Infinity };

const smaller = (one: BatchSize, other: BatchSize): BatchSize => ({
  texts: Math.min(one.texts, other.texts),
  characters: Math.min(one.characters, other.characters),
});

/** Notes half of a refused batch, unless a smaller one is known, which was noted while this one was divided. */
function noteSize(place: string, half: string[]): void {
  const size = { texts: half.length, characters: half.reduce((sum, text) => sum + text.length, 0) };
  sizes.set(place, smaller(knownSize(place), size));
}
