// Owns by what identical questions are recognized without an embedding. Pure.
import { createHash } from "node:crypto";
import { words } from "../../answering/words.ts";

/** Equal for questions with the same words, as hexadecimal SHA-256. */
export const hashWords = (question: string): string =>
  createHash("sha256").update(words(question).join(" ")).digest("hex");
