// Owns how significant a word is, from coarse lists of frequent words per language: two tiers, stop words excluded; a
// word in neither tier counts as rare.
import { wordList } from "../../../edge-functions/_shared/language/rules.ts";
import { stem } from "../../../edge-functions/answering/words.ts";

const commonestStems = new Set(wordList(({ frequent }) => frequent?.commonest).map(stem));
const commonStems = new Set(wordList(({ frequent }) => frequent?.common).map(stem));

/** Significance of a stem, 0 to 1. Long words and numbers are rarer in any language and subject. */
export function telling(root: string): number {
  if (commonestStems.has(root)) return 0.5;
  if (commonStems.has(root)) return 0.75;
  return /\d/.test(root) ? 1 : Math.min(1, 0.4 + 0.1 * root.length);
}
