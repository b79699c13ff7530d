// Owns the translation of problems of sources, documents and tasks, which are stored and logged in English. Every sentence has a code in
// locales/en/problems.json and the same code in the other languages. Pure.
import en from "../../../locales/en/problems.json" with { type: "json" };
import { languages } from "../../../locales/languages.ts";
import type { LanguageCode } from "../../../locales/registry.ts";
import { formerSentences, formerWords } from "./former-problems.ts";
import type { ProblemCode } from "./sentences.ts";

/** A problem as a client can identify it: its code and the sentence's parameters. */
export interface Problem {
  code: ProblemCode;
  params: Record<string, string>;
}

interface Template<Code extends string> {
  code: Code;
  names: string[];
  pattern: RegExp;
  /** Letters outside of gaps. The matching template with the most of them is the most specific. */
  weight: number;
}

function templatesOf<Code extends string>(
  texts: Record<Code, string>,
  former: readonly [Code, string][],
): Template<Code>[] {
  const all = [...(Object.entries(texts) as [Code, string][]), ...former].map(([code, text]) => {
    const parts = text.split(/\{\{(\w+)\}\}/);
    const names = parts.filter((_part, at) => at % 2 === 1);
    const words = parts.map((part, at) => (at % 2 === 1 ? "([\\s\\S]+?)" : escapePattern(part)));
    return {
      code,
      names,
      pattern: new RegExp(`^${words.join("")}$`),
      weight: text.replace(/\{\{\w+\}\}/g, "").length,
    };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const sentences = templatesOf(en.sentences, formerSentences);
const words = templatesOf(en.words, formerWords);

function matchTemplate<Code extends string>(templates: Template<Code>[], text: string) {
  for (const { code, names, pattern } of templates) {
    const match = pattern.exec(text);
    if (match)
      return { code, params: Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ""])) };
  }
  return undefined;
}

/** Parses a sentence of the catalogue; undefined for any other, such as a service's own message. */
export function problemIn(sentence: string): Problem | undefined {
  return matchTemplate(sentences, sentence);
}

/** The sentences of every language other than English; English where a language lacks one. */
const translated = new Map<string, typeof en>(
  languages
    .filter(({ messages }) => messages.problems !== en)
    .map(({ code, messages }) => {
      const its: { quoted?: string; sentences?: object; words?: object } = messages.problems;
      const sentences = { ...en.sentences, ...its.sentences };
      return [code, { quoted: its.quoted ?? en.quoted, sentences, words: { ...en.words, ...its.words } }];
    }),
);

/** Translates a sentence. One outside the catalogue stays as it is. */
export function translateSentence(sentence: string, language: LanguageCode): string {
  const its = translated.get(language);
  return its ? translate(sentence, its) : sentence;
}

function translate(sentence: string, its: typeof en): string {
  const problem = problemIn(sentence);
  return problem ? fillTemplate(its.sentences[problem.code], problem.params, its) : sentence;
}

/** Fills the parameters. One may be a sentence itself, a word with a translation, or one or more quoted titles. */
function fillTemplate(template: string, params: Record<string, string>, its: typeof en): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => {
    const value = params[name] ?? "";
    const word = matchTemplate(words, value);
    if (word) return fillTemplate(its.words[word.code], word.params, its);
    return translate(value, its).replace(/^“(.*)”$/s, (_quote, titles: string) =>
      titles
        .split("”, “")
        .map((title) => its.quoted.replace("{{title}}", () => title))
        .join(", "),
    );
  });
}
