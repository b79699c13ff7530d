// Owns which question a sentence answers, in its own language: an amount, a date, a duration, a person. Pure.
import { type Language, languageOf } from "../../answering/words.ts";
import type { Asked, SentencePatterns } from "./candidate.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";

const patterns: Record<Language, SentencePatterns> = { en: english, fr: french };
const longestSentence = 220;
const longestQuestion = 120;

/**
 * The question that a sentence answers, with the value that it asks for; undefined where no pattern is sure of one.
 * @param known the words that stand in small letters somewhere in the document: no proper nouns
 */
export function questionOf(
  sentence: string,
  { known, language = languageOf(sentence) }: { known: ReadonlySet<string>; language?: Language },
): Asked | undefined {
  const text = sentence
    .replace(/[*_`]+/g, "")
    .replace(/^\s*(?:[-*•–]|\d{1,3}[.)])\s+/u, "")
    .replace(/\s+/g, " ")
    .trim();
  const { noSubject, hedged, determiner, rules } = patterns[language];
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

/** A subject as it stands inside a sentence: names keep their capital. */
function inside(subject: string, determiner: RegExp, known: ReadonlySet<string>): string {
  const [first = ""] = /^[\p{L}]+/u.exec(subject) ?? [];
  const isName = !determiner.test(subject) && !known.has(first.toLowerCase());
  return isName ? subject : subject.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
}
