// Owns the language of a reply's own sentences: that of the question, also when it has no function word ("horaires jeudi"). Pure.
import { type LanguageCode, readings } from "../_shared/language/rules.ts";
import { isWordIn } from "./lexicon.ts";
import { languageOf, likelyLanguage, terms } from "./words.ts";

/** The language of a question: by its function words, else by the language in which most of its other words are known. */
export function replyLanguageOf(question: string): LanguageCode {
  const likely = likelyLanguage(question);
  if (likely) return likely;
  const said = terms(question);
  const counts = readings.map(({ code }) => ({
    code,
    count: said.filter((root) => isWordIn(root, code)).length,
  }));
  const [first, second] = counts.sort((a, b) => b.count - a.count);
  return first && first.count > (second?.count ?? 0) ? first.code : languageOf(question);
}
