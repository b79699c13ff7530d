// Owns whether the passages treat the subject of a question at all. Does not choose sentences.

import { type AnswerKind, isFormless } from "../../../edge-functions/answering/answer-kinds.ts";
import { isCountry } from "../../../edge-functions/answering/lexicon.ts";
import { isTalk } from "../../../edge-functions/answering/words.ts";
import { fitIn } from "./certainty.ts";
import type { Scored } from "./closest.ts";
import { weightOf } from "./coverage.ts";
import { telling } from "./frequent-words.ts";
import { type Asked, isAsking } from "./question.ts";
import type { Unit } from "./reading.ts";
import { besideIt, inTitle, speaksOf, type Wanted } from "./speaking.ts";

/** Share of the question's words that no passage has, above which the documents hardly treat its subject. */
const mostUnknown = 0.62;
/** The same for a question of which only one word is known, when the best quote covers less than this of it. */
const mostUnknownOfOne = { share: 0.5, covers: 0.3 };
/** The same for yes or no, where the words that the best quote has are in other passages too: "Is there a café in the showroom?". */
const mostUnknownAsked = 0.3;
/** What telling() leaves of any word: "next year" says nothing about a league. */
const commonest = 0.4;

/** True when no passage is about what the question names: an unknown name, numbers alone, or the capital of an unnamed country. */
export function isOffSubject(wanted: Wanted[], all: Scored[], { kind, measures }: Asked): boolean {
  const isUnknownName = ({ isName, standIns, written, term }: Wanted) =>
    isName && !written && standIns.size === 0 && !measures.has(term);
  if (wanted.some(isUnknownName)) return true;
  const numbers = wanted.filter(({ term }) => /^\d+$/.test(term) && !measures.has(term));
  const others = wanted.filter((one) => !numbers.includes(one) && !isTalk(one.term) && !isAsking(one.term));
  if (numbers.length > 1 && others.length === 0) return true;
  // A rule for all other countries may be what is asked for: "Can I work from Spain?".
  const unnamed = kind === "yesNo" ? undefined : unnamedCountry(wanted);
  return unnamed !== undefined && !all.some(({ met }) => met.has(unnamed) && met.size > 1);
}

/** A time, a month or a number of the question that no text has: a rule without it may be the answer all the same. */
export const isUnsaidCircumstance = (one: Wanted, units: Unit[], { measures }: Asked) =>
  one.standIns.size === 0 && measures.has(one.term) && !units.some((unit) => speaksOf(unit, one) > 0);

/** A country of the question that no passage names. */
export const unnamedCountry = (wanted: Wanted[]): string | undefined =>
  wanted.find(({ term, standIns }) => isCountry(term) && !standIns.has(term))?.term;

/** What was read for a question: the best quote, the share of the question that it covers, and all units. */
export type Reading = { best: Unit | undefined; covers: number; units: Unit[] };

/**
 * True when the passages have hardly a word of the question, or one word of several, and no sentence covers much of it. Also when a thing
 * that is asked for is in none, and words that many share are all that the best quote has; and when no sentence tells what is asked of it.
 */
export function isFarFrom(wanted: Wanted[], { best, covers, units }: Reading, asked: Asked): boolean {
  const { kind } = asked;
  const subjects = wanted.filter(({ term, isTold }) => !isTold && !isTalk(term));
  const unknown = subjects.filter(({ standIns, written }) => standIns.size === 0 && !written);
  const tellingOf = (some: Wanted[]) =>
    some.reduce((sum, { term }) => sum + Math.max(0, telling(term) - commonest), 0);
  const share = tellingOf(unknown) / (tellingOf(subjects) || 1);
  if (share > mostUnknown) return true;
  if (best && kind === "yesNo" && share > mostUnknownAsked && passagesOfRarest(best, units, wanted) > 1)
    return true;
  if (best && isUntold(best, units, wanted, asked)) return true;
  // Of two words one that no text has is often a paraphrase, and a time, a person or a rule answers all the same.
  const least = isFormless(kind) && kind !== "yesNo" ? 2 : 3;
  return (
    subjects.length >= least &&
    subjects.length - unknown.length <= 1 &&
    share > mostUnknownOfOne.share &&
    covers < mostUnknownOfOne.covers
  );
}

/**
 * Kinds whose answers have a form of their own, each with the fewest passages that have the rarest word of the best quote: a price that is
 * not beside a word of one passage alone may still be told there.
 */
const ofForm = new Map<AnswerKind, number>([
  ["phone", 1],
  ["email", 1],
  ["price", 2],
  ["howMuch", 2],
  ["howMany", 3],
]);
/** The share of the question's subject below which a number of the requested kind is one of something else. */
const leastOfSubject = 0.3;
/** The fit of a text that has the requested kind: see fitIn(). */
const hasForm = 0.94;

/** True when every phone number, price or count belongs to something else: there is one for the courses, none for the teacher's salary. */
function isUntold(best: Unit, units: Unit[], wanted: Wanted[], asked: Asked): boolean {
  const fewest = ofForm.get(asked.kind);
  if (fewest === undefined || passagesOfRarest(best, units, wanted) < fewest) return false;
  const subject = wanted.filter(({ term, isTold }) => !isTold && !isTalk(term) && !isAsking(term));
  const subjectIn = (unit: Unit) =>
    subject.reduce((sum, one) => sum + one.weight * speaksOf(unit, one), 0) / (weightOf(subject) || 1);
  return !units.some((unit) => subjectIn(unit) >= leastOfSubject && fitIn(unit, asked) >= hasForm);
}

/** How many passages have the rarest word of the question that the best quote has. */
function passagesOfRarest(best: Unit, units: Unit[], wanted: Wanted[]): number {
  const common = wanted.filter((one) => !one.isTold && !isTalk(one.term) && speaksOf(best, one) >= inTitle);
  const counts = common.map(
    (one) => new Set(units.flatMap((unit) => (speaksOf(unit, one) > besideIt ? [unit.passage] : []))).size,
  );
  return Math.min(...counts);
}
