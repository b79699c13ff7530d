// Owns how telling a word is, from a coarse idea of which words occur everywhere in each language: two tiers, stop words left out;
// what is in no tier counts as rare.
import { wordList } from "../../../edge-functions/_shared/language/rules.ts";
import { stem } from "../../../edge-functions/answering/words.ts";

const commonestStems = new Set(wordList(({ frequent }) => frequent?.commonest).map(stem));
const commonStems = new Set(wordList(({ frequent }) => frequent?.common).map(stem));

/** How telling a stem is, 0 to 1; long words and numbers are rarer in any language and subject. */
export function telling(root: string): number {
  if (commonestStems.has(root)) return 0.5;
  if (commonStems.has(root)) return 0.75;
  return /\d/.test(root) ? 1 : Math.min(1, 0.4 + 0.1 * root.length);
}
