// Owns the vectors in a provider's answer: their order, their size and their numbers. Makes no call.
import { Buffer } from "node:buffer";
import { sentenceOf } from "../text/sentences.ts";
import { ModelError } from "./model-errors.ts";

/** Value of `dimensions` that accepts any vector size, to find out the model's. */
export const anySize = 0;

/** The largest number in the database's half-precision vectors. */
const largestHalf = 65_504;

/** Ordered by `index`: the protocol does not guarantee the order of the list. */
export function vectorsOf(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [];
  if (data.length !== count) {
    throw new ModelError("bad_answer", sentenceOf("modelCount", { given: data.length, asked: count }));
  }
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach((item: unknown, at) => {
    const { index = at, embedding } = isRecord(item) ? item : {};
    const numbers = typeof embedding === "string" ? numbersIn(embedding) : embedding;
    const isList = Array.isArray(numbers) || numbers instanceof Float32Array;
    if (typeof index !== "number" || !isList) return;
    vectors[index] = vectorOf(numbers, dimensions);
  });
  return vectors.map((vector) => {
    if (!vector) throw new ModelError("bad_answer", sentenceOf("modelLeftOut"));
    return vector;
  });
}

/** The numbers of an embedding in base64: four bytes each, the lowest first. */
function numbersIn(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = new Float32Array(Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT));
  for (let at = 0; at < numbers.length; at++) numbers[at] = view.getFloat32(at * 4, true);
  return numbers;
}

function vectorOf(embedding: unknown[] | Float32Array, dimensions: number): Float32Array {
  if (embedding.length !== dimensions && dimensions !== anySize) {
    const told = `The model gave ${embedding.length} dimensions where ${dimensions} were asked for.`;
    throw new ModelError("bad_answer", told);
  }
  const numbers =
    embedding instanceof Float32Array ? embedding : new Float32Array(embedding.filter(isNumber));
  const areNumbers =
    numbers.length === embedding.length && numbers.every((one) => Math.abs(one) <= largestHalf);
  if (!areNumbers || numbers.length === 0) {
    throw new ModelError("bad_answer", sentenceOf("modelNotNumbers"));
  }
  if (numbers.every((value) => value === 0)) {
    throw new ModelError("bad_answer", sentenceOf("modelZeros"));
  }
  return numbers;
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/** A vector of length 1 in the same direction. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
