// Owns the models "offline-hash" and "offline-hash-2": they map text to a vector by hashing its words and letter groups, without weights or
// training. The second also hashes the meanings in lexicon.ts, so that words with one meaning, in English and in French, are close to one
// another. The first remains for the vectors that it has produced.

import { canonicalName, meaningNumbers, wordsOfVectors } from "../../../edge-functions/answering/lexicon.ts";
import { fold, isStopWord, stem, words } from "../../../edge-functions/answering/words.ts";
import { telling } from "./frequent-words.ts";

export const spellingModel = "offline-hash";
export const hashModel = "offline-hash-2";
export const defaultDimensions = 1024;
export const maxDimensions = 1024;

const gramLengths = [3, 4, 5];
const gramShare = 0.6;
/** Total weight of a word's meanings, relative to the word itself. */
const meaningShare = 0.8;
/** Below 1: the tenth occurrence of a word adds less than the first. */
const countExponent = 0.7;

/**
 * @param text any text; an empty one maps to a fixed vector, never zeros
 * @param dimensions 1 to 1024
 * @param model one of the two; their vectors are not comparable
 * @returns a vector of length 1; the same text maps to the same vector on every machine
 */
export function hashEmbedding(
  text: string,
  dimensions: number = defaultDimensions,
  model: string = hashModel,
): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of features(text, model === hashModel)) {
    const hash = fnv1a(feature);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 ? -weight : weight);
  }
  return normalise(vector);
}

/** Sub-linear counts of words and letter groups, each weighted by the significance of its word. */
function features(text: string, withMeanings: boolean): Map<string, number> {
  const counts = new Map<string, number>();
  const weights = new Map<string, number>();
  const add = (feature: string, weight: number) => {
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
    weights.set(feature, weight);
  };
  const said = withMeanings ? wordsOfVectors(text) : words(text).filter((word) => !isStopWord(word));
  for (const word of said) {
    const root = stem(word);
    const weight = telling(root);
    add(`w ${root}`, weight);
    for (const gram of grams(root)) add(`g ${gram}`, (gramShare * weight) / Math.sqrt(root.length));
    if (!withMeanings) continue;
    const name = canonicalName(word);
    if (name) add(`n ${name}`, meaningShare * weight);
    const meanings = meaningNumbers(root);
    for (const meaning of meanings) add(`m ${meaning}`, (meaningShare * weight) / Math.sqrt(meanings.length));
  }
  if (counts.size === 0) add(`t ${fold(text).trim()}`, 1);
  const found = new Map<string, number>();
  for (const [feature, count] of counts) {
    found.set(feature, (weights.get(feature) ?? 0) * count ** countExponent);
  }
  return found;
}

function grams(word: string): string[] {
  const padded = `<${word}>`;
  return gramLengths.flatMap((n) =>
    Array.from({ length: Math.max(0, padded.length - n + 1) }, (_, i) => padded.slice(i, i + n)),
  );
}

/** FNV-1a over UTF-16 code units, with a final mix because its low bits alone are uneven for short keys. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  // Features can cancel out in very few dimensions. A fixed axis is a valid vector, zeros are not.
  else vector[0] = 1;
  return vector;
}
