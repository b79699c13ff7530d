// Owns which question a sentence answers, in its own language: about an amount, a date, a duration or a person. Pure.
import type { Suggestions } from "../../../locales/reading.ts";
import { type LanguageCode, readings } from "../../_shared/language/rules.ts";
import { isKnownWord } from "../../answering/lexicon.ts";
import { languageOf, terms } from "../../answering/words.ts";
import type { Asked } from "./candidate.ts";

/** A subject: two to eight words without punctuation. noSubject excludes the rest. */
const subjectForm = String.raw`(?<subject>\p{L}[\p{L}\p{N}'’/]*(?:[ -][\p{L}\p{N}'’/]+){0,7}?)`;

/** Compiles a pattern in which {SUBJECT} and other names in braces stand for sub-patterns. */
function form(pattern: string, parts: Record<string, string>): RegExp {
  const filled = Object.entries({ SUBJECT: subjectForm, ...parts }).reduce(
    (text, [name, part]) => text.replaceAll(`{${name}}`, part),
    pattern,
  );
  return new RegExp(`^${filled}`, "u");
}

type Patterns = Pick<Suggestions["sentences"], "noSubject" | "hedged" | "determiner"> & {
  rules: { form: RegExp; ask(parts: Record<string, string>, subject: string): string | null }[];
};

const patterns = new Map(
  readings.flatMap(({ code, reading }): [LanguageCode, Patterns][] => {
    const own = reading.suggestions?.sentences;
    if (!own) return [];
    return [
      [code, { ...own, rules: own.rules.map((rule) => ({ ...rule, form: form(rule.form, own.parts) })) }],
    ];
  }),
);
const longestSentence = 220;
const longestQuestion = 120;

/** The words of a document that tell a proper noun from a capital at the start of a sentence. */
type WordsOfDocument = {
  /** Those that occur in lower case. */
  lower: ReadonlySet<string>;
  /** Those that occur with a capital inside a sentence. */
  named: ReadonlySet<string>;
};

export const wordsOfDocument = (text: string): WordsOfDocument => ({
  lower: new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? []),
  named: new Set(text.match(/(?<=[\p{Ll}\d,;)] )\p{Lu}\p{L}*/gu) ?? []),
});

/** The question that a sentence answers, with its value. Undefined when no pattern matches with certainty. */
export function questionOf(
  sentence: string,
  { known, language = languageOf(sentence) }: { known: WordsOfDocument; language?: LanguageCode },
): Asked | undefined {
  const text = sentence
    .replace(/[*_`]+/g, "")
    .replace(/^\s*(?:[-*•–]|\d{1,3}[.)])\s+/u, "")
    .replace(/\s+/g, " ")
    .trim();
  const own = patterns.get(language);
  if (!own) return;
  const { noSubject, hedged, determiner, rules } = own;
  if (text.length > longestSentence || !/^\p{Lu}/u.test(text) || text.includes("|") || hedged.test(text))
    return;
  for (const { form, ask } of rules) {
    const parts = form.exec(text)?.groups as Record<string, string> | undefined;
    if (!parts) continue;
    const { subject = "", fact } = parts;
    if (subject && noSubject.test(subject)) continue;
    const question = ask(parts, inside(subject, determiner, known));
    if (!question || !fact || question.length > longestQuestion) continue;
    return { question, fact };
  }
}

/** A subject in the middle of a sentence: names keep their capital, and so does what nothing tells from a name. */
function inside(subject: string, determiner: RegExp, known: WordsOfDocument): string {
  const [first = ""] = /^\p{L}+/u.exec(subject) ?? [];
  const isName = known.named.has(first) || /^\p{L}+\p{Lu}|^\S* \p{Lu}/u.test(subject);
  const isWord =
    determiner.test(subject) ||
    known.lower.has(first.toLowerCase()) ||
    (!isName && terms(first).some(isKnownWord));
  return isWord ? subject.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()) : subject;
}
