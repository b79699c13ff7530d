// Owns which question a sentence answers, in its own language: about an amount, a date, a duration or a person. Pure.
import type { Suggestions } from "../../../locales/reading.ts";
import { type LanguageCode, readings } from "../../_shared/language/rules.ts";
import { languageOf } from "../../answering/words.ts";
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

/**
 * The question that a sentence answers, with its value. Undefined when no pattern matches with certainty.
 * @param known words that occur in lower case in the document, so not proper nouns
 */
export function questionOf(
  sentence: string,
  { known, language = languageOf(sentence) }: { known: ReadonlySet<string>; language?: LanguageCode },
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

/** A subject in the middle of a sentence: names keep their capital. */
function inside(subject: string, determiner: RegExp, known: ReadonlySet<string>): string {
  const [first = ""] = /^[\p{L}]+/u.exec(subject) ?? [];
  const isName = !determiner.test(subject) && !known.has(first.toLowerCase());
  return isName ? subject : subject.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
}
