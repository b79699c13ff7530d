// Owns whether the passages treat the subject of a question at all. Does not choose sentences.

import { isFormless } from "../../../edge-functions/answering/answer-kinds.ts";
import { isCountry } from "../../../edge-functions/answering/lexicon.ts";
import { isTalk } from "../../../edge-functions/answering/words.ts";
import type { Scored } from "./closest.ts";
import { telling } from "./frequent-words.ts";
import { type Asked, isAsking } from "./question.ts";
import type { Wanted } from "./speaking.ts";

/** Share of the question's words that no passage has, above which the documents hardly treat its subject. */
const mostUnknown = 0.62;
/** The same for a question of which only one word is known, when the best quote covers less than this of it. */
const mostUnknownOfOne = { share: 0.5, covers: 0.3 };
/** What telling() leaves of any word: "next year" says nothing about a league. */
const commonest = 0.4;

/** True when no passage is about what the question names: an unknown name, numbers alone, or the capital of an unnamed country. */
export function isOffSubject(wanted: Wanted[], all: Scored[], { kind, measures }: Asked): boolean {
  if (wanted.some(({ isName, standIns, written }) => isName && !written && standIns.size === 0)) return true;
  const numbers = wanted.filter(({ term }) => /^\d+$/.test(term) && !measures.has(term));
  const others = wanted.filter((one) => !numbers.includes(one) && !isTalk(one.term) && !isAsking(one.term));
  if (numbers.length > 1 && others.length === 0) return true;
  // A rule for all other countries may be what is asked for: "Can I work from Spain?".
  const unnamed = kind === "yesNo" ? undefined : unnamedCountry(wanted);
  return unnamed !== undefined && !all.some(({ met }) => met.has(unnamed) && met.size > 1);
}

/** A country of the question that no passage names. */
export const unnamedCountry = (wanted: Wanted[]): string | undefined =>
  wanted.find(({ term, standIns }) => isCountry(term) && !standIns.has(term))?.term;

/** True when the passages have hardly a word of the question, or one word of several, and no sentence covers much of it. */
export function isFarFrom(wanted: Wanted[], covers: number, { kind }: Asked): boolean {
  const subjects = wanted.filter(({ term, isTold }) => !isTold && !isTalk(term));
  const unknown = subjects.filter(({ standIns, written }) => standIns.size === 0 && !written);
  const tellingOf = (some: Wanted[]) =>
    some.reduce((sum, { term }) => sum + Math.max(0, telling(term) - commonest), 0);
  const share = tellingOf(unknown) / (tellingOf(subjects) || 1);
  if (share > mostUnknown) return true;
  // Of two words one that no text has is often a paraphrase, and a time, a person or a rule answers all the same.
  const least = isFormless(kind) && kind !== "yesNo" ? 2 : 3;
  return (
    subjects.length >= least &&
    subjects.length - unknown.length <= 1 &&
    share > mostUnknownOfOne.share &&
    covers < mostUnknownOfOne.covers
  );
}
