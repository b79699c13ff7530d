// Owns the re-ranking of search results by meaning: which passages contain the question's terms or synonyms. Search matches words
// as written and, with the built-in embedding, knows little of their meaning. Pure.

import type { LanguageCode } from "../_shared/language/rules.ts";
import { expandRoot, meaningfulTerms } from "./lexicon.ts";
import { leastScoreOffline } from "./passages.ts";
import type { Hit } from "./retrieve.ts";
import { fold, isTalk, likelyLanguage } from "./words.ts";

/** The weight of the question's terms in a passage, against its rank in the search. */
const share = 0.6;
/** A passage with this share of the question's terms is never dropped as unrelated. */
const related = 0.3;
/** A shorter stem matches only as a whole word. */
const shortest = 4;

/** @param hits best first @returns all of them, re-ranked by the share of the question that they cover */
export function reread(question: string, hits: Hit[]): Hit[] {
  const best = Math.max(...hits.map(({ score }) => score));
  if (hits.length < 2 || best <= 0) return hits;
  const { terms, held } = readTerms(question, hits);
  if (terms.length === 0) return hits;
  const weights = held.map((holding, i) => {
    const count = holding.filter(Boolean).length;
    if (count === 0 && isTalk(terms[i] ?? "")) return 0;
    return Math.log(1 + (hits.length - count + 0.5) / (count + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const read = hits.map((hit, at) => {
    const spoken = weights.reduce((sum, weight, i) => sum + (held[i]?.[at] ? weight : 0), 0) / total;
    const score = spoken < related ? hit.score : Math.max(hit.score, leastScoreOffline);
    // A computed result is the answer, and stays first.
    const worth = hit.computed ? 2 : (1 - share) * (hit.score / best) + share * spoken;
    return { hit: { ...hit, score }, worth };
  });
  return read.sort((a, b) => b.worth - a.worth).map(({ hit }) => hit);
}

/** @returns for each hit the share of the question's terms that it contains, 0 to 1 */
export function sharesOf(question: string, hits: Hit[]): number[] {
  const { terms, held } = readTerms(question, hits);
  return hits.map((_, at) => held.filter((holding) => holding[at]).length / Math.max(1, terms.length));
}

/** The question's terms, and for each of them which hits contain it. */
function readTerms(question: string, hits: Hit[]): { terms: string[]; held: boolean[][] } {
  const terms = [...new Set(meaningfulTerms(question))];
  const askedIn = likelyLanguage(question);
  const texts = hits.map(({ title, heading, preface, content }) =>
    fold(`${title} ${heading} ${preface} ${content}`),
  );
  const held = terms.map((term) => {
    const pattern = patternOf(term, askedIn);
    return texts.map((text) => pattern.test(text));
  });
  return { terms, held };
}

/** A pattern of a term or a synonym at the start of a word in folded text. */
function patternOf(term: string, askedIn: LanguageCode | null): RegExp {
  // "SOC2" may also be written as two words.
  const split = /^([a-z]+)(\d+)$/.exec(term);
  const stems = [...expandRoot(term, askedIn), ...(split ? [`${split[1]}[ -]${split[2]}`] : [])].map(
    (stem) => (stem.length < shortest ? `0*${stem}s?(?![a-z0-9])` : stem),
  );
  return new RegExp(`(?<![a-z0-9])(?:${stems.join("|")})`);
}
