// Owns what a model's name and settings tell: which models are in use, the built-in ones, and the sizes of vectors. Makes no call.
import type { ModelSettings, ModelsInUse } from "./model-client.ts";

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
