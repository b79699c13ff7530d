// Owns which half of a double question a reply leaves open, and how the reply names it. Does not choose quotes.

import { isFormless } from "../../../edge-functions/answering/answer-kinds.ts";
import { standIns } from "../../../edge-functions/answering/lexicon.ts";
import { isTalk } from "../../../edge-functions/answering/words.ts";
import { fitIn } from "./certainty.ts";
import type { Asked } from "./question.ts";
import type { Unit } from "./reading.ts";

/** Characters of the half of a question that a reply names. */
const mostNamed = 120;

/** A half as the reply names it: a pasted text is not repeated. */
export function nameOf(half: string): string {
  const line = half
    .replace(/[\s?]+$/, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= mostNamed ? line : `${line.slice(0, mostNamed).replace(/\s\S{0,30}$/, "")} …`;
}

/**
 * False when no quote has the kind of answer that a half asks for: a price alone does not say when it is paid. For yes or no, false when
 * none has a word that only this half has.
 */
export function isTold(half: Asked, quotes: Unit[]): boolean {
  if (!isFormless(half.kind)) return quotes.some((quote) => fitIn(quote, half) === 1);
  const own = half.terms.filter((term) => !half.earlier.has(term) && !isTalk(term));
  return own.length === 0 || quotes.some((quote) => own.some((term) => isNear(quote, term)));
}

/** True when the sentence, its heading, or one beside it, which is often quoted too, has the word. */
const isNear = ({ terms, under, answers, before, after }: Unit, term: string) =>
  [terms, under, answers, before?.terms, after?.terms].some((said) => said && standIns(term, said).size > 0);
