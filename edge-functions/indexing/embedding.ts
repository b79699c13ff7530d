// Owns embedding: turns passages into vectors and identifies texts by hash. Knows no table.
import { createHash } from "node:crypto";
import type { ModelClient } from "../_shared/models/model-client.ts";
import { ModelError } from "../_shared/models/model-errors.ts";
import type { VisionModel } from "../_shared/models/team-models.ts";

/** Texts per call, and so per slice: few enough to stop soon, enough to be fast. */
export const batchTexts = 64;

export interface Embedder {
  /** The same team's vision model, if it has connected one. */
  vision?: VisionModel | undefined;
  model: string;
  dimensions: number;
  /** Returns one vector per text. @throws ModelError; the signal's reason */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Checks that the model works at all, to tell a refused text from a refused key, model or account.
   * @throws ModelError when the key, model or account is refused or the model is unreachable
   */
  probe(signal: AbortSignal): Promise<void>;
}

export function embedderOf(client: ModelClient & { vision?: VisionModel | undefined }): Embedder {
  const { embedding: model, dimensions } = client.inUse;
  // A fresh signal per call: clients leave listeners on it, and a task makes thousands of calls.
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

/** SHA-256 of a text. With the embedding space, the hash of an embedded text tells whether its vector is already stored. */
export function contentHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The largest component after scaling: half precision holds at most 65,504. */
const largestWhole = 30_000;

/**
 * A vector's direction as a pgvector literal of whole numbers, which the embedded Postgres parses ten times faster than
 * decimals. As exact as half precision once `extensions.l2_normalize` has restored the length of 1.
 */
export function vectorLiteral(vector: Float32Array): string {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const scale = largest === 0 ? 0 : largestWhole / largest;
  // Not an array of a thousand texts: this runs for every passage, and takes half the time.
  return `[${Int32Array.from(vector.map((number) => Math.round(number * scale))).join(",")}]`;
}

/** True when the request itself is at fault, so that a retry is useless. */
export function isRefusal(error: unknown): error is ModelError {
  return error instanceof ModelError && ["refused", "too_long", "bad_answer"].includes(error.kind);
}
