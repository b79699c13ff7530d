// Owns the English sentences of problems, by code: the only place where code writes one. problems.ts recognizes and translates them.
// Pure, and free of the other languages, so that parsers start fast.
import en from "../../../locales/en/problems.json" with { type: "json" };

export type ProblemCode = keyof typeof en.sentences;

/** The sentence of a code in locales/en/problems.json. @param params one for each of its gaps; a test compares the names */
export const sentenceOf = (code: ProblemCode, params: Record<string, string | number> = {}): string =>
  en.sentences[code].replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => String(params[name] ?? ""));
