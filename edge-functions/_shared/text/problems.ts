// Owns what went wrong with sources, documents and tasks in other languages than the English in which it is kept and logged:
// every such sentence has a code in locales/en/problems.json and the same code in the other languages. Pure.
import en from "../../../locales/en/problems.json" with { type: "json" };
import { languages } from "../../../locales/languages.ts";
import type { LanguageCode } from "../../../locales/registry.ts";

export type ProblemCode = keyof typeof en.sentences;
/** A problem as a client can tell it apart: its code, and what stands in the sentence's gaps. */
export interface Problem {
  code: ProblemCode;
  params: Record<string, string>;
}

interface Template<Code extends string> {
  code: Code;
  names: string[];
  pattern: RegExp;
  /** Letters that are not in a gap: the template with the most of them says the most. */
  weight: number;
}

function templatesOf<Code extends string>(texts: Record<Code, string>): Template<Code>[] {
  const all = (Object.entries(texts) as [Code, string][]).map(([code, text]) => {
    const parts = text.split(/\{\{(\w+)\}\}/);
    const names = parts.filter((_part, at) => at % 2 === 1);
    const words = parts.map((part, at) => (at % 2 === 1 ? "([\\s\\S]+?)" : escaped(part)));
    return {
      code,
      names,
      pattern: new RegExp(`^${words.join("")}$`),
      weight: text.replace(/\{\{\w+\}\}/g, "").length,
    };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const sentences = templatesOf(en.sentences);
const words = templatesOf(en.words);

function found<Code extends string>(templates: Template<Code>[], text: string) {
  for (const { code, names, pattern } of templates) {
    const match = pattern.exec(text);
    if (match)
      return { code, params: Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ""])) };
  }
  return undefined;
}

/** What a sentence of the catalogue says; undefined for any other, such as a service's own words. */
export function problemIn(sentence: string): Problem | undefined {
  return found(sentences, sentence);
}

/** A problem in the words of the catalogue. */
export const sentenceOf = (code: ProblemCode, params: Record<string, string>): string =>
  en.sentences[code].replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => params[name] ?? "");

/** The words of each language but the one in which problems are kept; English where another lacks them. */
const translated = new Map<string, typeof en>(
  languages
    .filter(({ messages }) => messages.problems !== en)
    .map(({ code, messages: { problems } }) => [
      code,
      {
        ...en,
        ...problems,
        sentences: { ...en.sentences, ...problems.sentences },
        words: { ...en.words, ...problems.words },
      },
    ]),
);

/** A sentence in a reader's language; one that is not of the catalogue stays as it is. */
export function inLanguage(sentence: string, language: LanguageCode): string {
  const its = translated.get(language);
  return its ? said(sentence, its) : sentence;
}

function said(sentence: string, its: typeof en): string {
  const problem = problemIn(sentence);
  return problem ? filled(its.sentences[problem.code], problem.params, its) : sentence;
}

/** A value may be a sentence itself, a word that has a translation, or a quoted title. */
function filled(template: string, params: Record<string, string>, its: typeof en): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => {
    const value = params[name] ?? "";
    const word = found(words, value);
    if (word) return filled(its.words[word.code], word.params, its);
    return said(value, its).replace(/^“(.*)”$/s, (_quote, title: string) =>
      its.quoted.replace("{{title}}", () => title),
    );
  });
}
