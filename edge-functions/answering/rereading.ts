// Owns a second look at what search found: which passages speak of what is asked in words of the same meaning. Search knows the
// words as they are written and, with the built-in embedding, little of what they mean. Pure.
import { meaningfulTerms, meant } from "./lexicon.ts";
import { leastScoreOffline } from "./passages.ts";
import type { Hit } from "./retrieve.ts";
import { fold, isTalk } from "./words.ts";

/** What the question's terms that a passage speaks of are worth, beside its place by search. */
const share = 0.6;
/** A passage that speaks of so much of the question is never dropped as one that shares nothing with it. */
const related = 0.3;
/** A shorter stem is looked for as a whole word. */
const shortest = 4;

/** @param hits best first @returns all of them, those first that also speak of more of the question */
export function reread(question: string, hits: Hit[]): Hit[] {
  const terms = [...new Set(meaningfulTerms(question))];
  const asked = terms.map(patternOf);
  const best = Math.max(...hits.map(({ score }) => score));
  if (asked.length === 0 || hits.length < 2 || best <= 0) return hits;
  const texts = hits.map(({ title, heading, preface, content }) =>
    fold(`${title} ${heading} ${preface} ${content}`),
  );
  const held = asked.map((pattern) => texts.map((text) => pattern.test(text)));
  const weights = held.map((holding, i) => {
    const count = holding.filter(Boolean).length;
    if (count === 0 && isTalk(terms[i] ?? "")) return 0;
    return Math.log(1 + (hits.length - count + 0.5) / (count + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const read = hits.map((hit, at) => {
    const spoken = weights.reduce((sum, weight, i) => sum + (held[i]?.[at] ? weight : 0), 0) / total;
    const score = spoken < related ? hit.score : Math.max(hit.score, leastScoreOffline);
    // What was computed is the answer, and stays first.
    const worth = hit.computed ? 2 : (1 - share) * (hit.score / best) + share * spoken;
    return { hit: { ...hit, score }, worth };
  });
  return read.sort((a, b) => b.worth - a.worth).map(({ hit }) => hit);
}

/** A term in a folded text, as the beginning of any word that means the same. */
function patternOf(term: string): RegExp {
  // "SOC2" is written in two words, too.
  const split = /^([a-z]+)(\d+)$/.exec(term);
  const stems = [...meant(term), ...(split ? [`${split[1]}[ -]${split[2]}`] : [])].map((stem) =>
    stem.length < shortest ? `0*${stem}s?(?![a-z0-9])` : stem,
  );
  return new RegExp(`(?<![a-z0-9])(?:${stems.join("|")})`);
}
