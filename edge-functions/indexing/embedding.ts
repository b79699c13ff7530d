// Turns passages into vectors, once per content: what is known is not asked for again. Knows no table.
import { createHash } from "node:crypto";
import { type ModelClient, ModelError } from "../_shared/models/models.ts";
import type { VisionModel } from "../_shared/models/team-models.ts";

/** Texts per call, and so per slice: small enough to be stopped soon, large enough to be quick. */
export const batchTexts = 64;

export interface Embedder {
  /** What reads the pictures of the same team, where it has connected a model for that. */
  vision?: VisionModel | undefined;
  model: string;
  dimensions: number;
  /** One vector per text. @throws ModelError; the signal's reason */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Whether the model works at all: tells a text that it refuses from a key, a model or an account that it refuses.
   * @throws ModelError when it is the latter, or out of reach
   */
  probe(signal: AbortSignal): Promise<void>;
}

export function embedderOf(client: ModelClient & { vision?: VisionModel | undefined }): Embedder {
  const { embedding: model, dimensions } = client.inUse;
  // A signal of its own per call: clients leave their listeners on it, and a task makes thousands of calls.
  const embed = (texts: string[], signal: AbortSignal) =>
    client.embed(texts, { model, dimensions, signal: AbortSignal.any([signal]) });
  return {
    vision: client.vision,
    model,
    dimensions,
    embed,
    probe: async (signal) => {
      await embed(["ping"], signal);
    },
  };
}

/** SHA-256 of a text. Of what is embedded, together with the embedding space it says whether a vector is known already. */
export function contentHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What the largest number of a vector becomes: half precision holds no more than 65,504. */
const largestWhole = 30_000;

/**
 * The direction of a vector as pgvector reads it, in whole numbers, which the embedded Postgres reads ten times faster than
 * decimals: as exact as half precision once `extensions.l2_normalize` has given it back its length of 1.
 */
export function vectorLiteral(vector: Float32Array): string {
  const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const scale = largest === 0 ? 0 : largestWhole / largest;
  return `[${Array.from(vector, (number) => Math.round(number * scale)).join(",")}]`;
}

/** Whether a failure lies with the request itself, so that trying again is useless. */
export function isRefusal(error: unknown): error is ModelError {
  return error instanceof ModelError && (error.kind === "refused" || error.kind === "bad_answer");
}
