// Owns how well a sentence or a row covers a term of the question: by its own words, its heading, or the sentence before. Does not choose
// between them.

import type { Cell, Unit } from "./reading.ts";

/**
 * Weight of a term that is not in the sentence itself, but in the question that it answers, in its heading, in its title, or in the
 * sentence before it.
 */
const inQuestion = 0.95;
const whenTold = 0.8;
export const inHeading = 0.7;
/** The same for a heading whose every term is in the question: "Damaged parcels" for "my parcel is damaged". */
const inAskedHeading = 0.75;
/** The same for a heading that has the whole question: "Paid parental leave" for "How long is paid parental leave?". */
const inWholeHeading = 0.95;
/** The same for a table row, in its header. */
const inHeader = 0.9;
export const inTitle = 0.4;
const inHigherHeading = 0.6;
const inSentenceBefore = 0.4;
/** At most this is a term covered by a title or by the sentence before: not by the unit, its heading or its question. */
export const besideIt = 0.54;
/** A term of the question, with its synonyms in these passages and its weight. */
export type Wanted = {
  term: string;
  standIns: Map<string, number>;
  weight: number;
  isName: boolean;
  /** True when a text answers the term without repeating it: a price answers "cost". */
  isTold?: (text: string) => boolean;
  /** The same for a cell of a table. */
  isIn?: (cell: Cell) => boolean;
  /** A name that is otherwise a function word ("Plus"): it must match exactly as written. */
  written?: RegExp;
};

/** Marks the sentences under a heading whose every term is in the question. */
export function markAskedHeadings(units: Unit[], wanted: Wanted[]): void {
  const said = new Set(wanted.flatMap(({ standIns }) => [...standIns.keys()]));
  const known = new Map<Set<string>, boolean>();
  for (const unit of units) {
    if (unit.cells) continue;
    const isAsked =
      known.get(unit.under) ?? (unit.under.size > 0 && [...unit.under].every((one) => said.has(one)));
    known.set(unit.under, isAsked);
    if (isAsked) unit.isHeadAsked = true;
    if (
      isAsked &&
      wanted.every(
        ({ standIns, isTold }) => isTold || [...standIns.keys()].some((one) => unit.under.has(one)),
      )
    )
      unit.isHeadWhole = true;
  }
}

/** How well a unit covers a term of the question, 0 to 1. */
export function speaksOf(unit: Unit, { standIns, isTold, isIn, written }: Wanted): number {
  if (written) return written.test(unit.text) ? 1 : written.test(unit.heading) ? inHeading : 0;
  const isSaid = unit.cells ? isIn && unit.cells.some(isIn) : isTold?.(unit.text);
  let best = isSaid ? (unit.cells ? 1 : whenTold) : 0;
  for (const [term, worth] of standIns) best = Math.max(best, placeOf(unit, term) * worth);
  return best;
}

/** How well a unit contains a term of the passages: in its own words, or around it. */
export function placeOf(unit: Unit, term: string): number {
  if (unit.terms.has(term)) return 1;
  if (unit.answers.has(term)) return inQuestion;
  if (unit.under.has(term)) {
    if (unit.cells) return inHeader;
    return unit.isHeadWhole ? inWholeHeading : unit.isHeadAsked ? inAskedHeading : inHeading;
  }
  if (unit.lead?.terms.has(term)) return inHeading;
  if (unit.above.has(term)) return inHigherHeading;
  if (unit.about.has(term)) return inTitle;
  if (unit.before?.terms.has(term)) return inSentenceBefore;
  return unit.before?.before?.terms.has(term) ? inSentenceBefore / 2 : 0;
}
