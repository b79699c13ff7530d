// Owns how much of a question a sentence must cover to be its answer. Does not check what the sentence says about it.

import { isFormless } from "../../../edge-functions/answering/answer-kinds.ts";
import { meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { isConclusion } from "../../../edge-functions/answering/sentences.ts";
import { type Asked, isAsking } from "./question.ts";
import type { Unit } from "./reading.ts";
import { inHeading, speaksOf, type Wanted } from "./speaking.ts";
import { isOnlyWithinBound, withoutOwnWord } from "./subject.ts";

/** Share of the question's weight that an answer must cover. */
const enough = 0.5;

/** @param covers the share of the question's weight that the unit covers @param hasKind true for the requested kind of answer */
export const coversMuch = (unit: Unit, covers: number, wanted: Wanted[], asked: Asked, hasKind: boolean) =>
  covers >= enough && lacksLittle(unit, wanted, asked) && saysEnough(unit, covers, wanted, hasKind);

/**
 * The same for a sentence with the requested kind of answer, where no other passage has one half as good: what it covers and lacks, and how
 * much of the question other sentences have and it has not.
 */
const alone = { covers: 0.45, lacks: 0.5, elsewhere: 0.2 };

/** True for a sentence without a rival that covers enough: the words that it lacks are hardly in any other sentence either. */
export function coversEnoughAlone(unit: Unit, covers: number, wanted: Wanted[], asked: Asked): boolean {
  const isElsewhere = ({ term, standIns }: Wanted) => standIns.size > 0 && !isAsking(term);
  return (
    covers >= alone.covers &&
    lackingShare(unit, wanted, asked) <= alone.lacks &&
    missing(unit, wanted, isElsewhere) <= alone.elsewhere
  );
}

/**
 * The largest share of the question's weight that an answer may lack. A word that belongs to its neighbour in the question, as in "Christmas
 * party", counts for more than one that stands alone. Formless are instructions, and yes or no.
 */
const mostLacking = {
  withForm: { ofPhrase: 0.3, alone: 0.36 },
  any: { ofPhrase: 0.2, alone: 0.25 },
  formless: { ofPhrase: 0.2, alone: 0.2 },
};

/** False for a sentence that lacks a significant word: one without glasses does not say who pays for them. An example is no yes or no. */
function lacksLittle(unit: Unit, wanted: Wanted[], asked: Asked): boolean {
  const { kind, askedIn, phrases } = asked;
  if (kind === "yesNo" && isConclusion(unit.text)) return false;
  // In an unknown language a question word looks like a significant one.
  if (askedIn === null) return true;
  const most = mostLacking[kind === "any" ? "any" : isFormless(kind) ? "formless" : "withForm"];
  const inPhrases = new Set([...phrases].flatMap((phrase) => phrase.split(" ")));
  const lacksPhrase = wanted.some((one) => inPhrases.has(one.term) && speaksOf(unit, one) === 0);
  return lackingShare(unit, wanted, asked) <= (lacksPhrase ? most.ofPhrase : most.alone);
}

/** The share of the question's weight that the unit lacks, or has only within a bound or by a word that answers another one. */
function lackingShare(unit: Unit, wanted: Wanted[], asked: Asked): number {
  const counted = wanted.filter((one) => !isOnlyWithinBound(unit, one, asked));
  const borrowed = withoutOwnWord(unit, counted);
  const lacking = counted.filter(
    (one) => borrowed.has(one) || (!isAsking(one.term) && speaksOf(unit, one) === 0),
  );
  return shareOf(lacking, counted);
}

/**
 * Share of the question's weight that must be in the unit, its heading or its question, not only in a title or a sentence before. Or what it
 * must cover with those, if no word is missing and the requested kind of answer is there: "Next meeting: 8 December at 6 pm".
 */
const enoughSaid = { inIt: 0.65, around: 0.72 };

function saysEnough(unit: Unit, covers: number, wanted: Wanted[], hasKind: boolean): boolean {
  const said = wanted.filter((one) => speaksOf(unit, one) >= inHeading);
  if (weightOf(said) >= enoughSaid.inIt * weightOf(wanted)) return true;
  if (missing(unit, wanted) > 0) return false;
  return (covers >= enoughSaid.around && hasKind) || isNamed(unit, wanted);
}

/** True for a row whose name, of two words or more, is in the question as a whole: "Total TTC" in "the Total TTC of the invoice". */
function isNamed({ cells }: Unit, wanted: Wanted[]): boolean {
  const name = new Set(meaningfulTerms(cells?.[0]?.text ?? ""));
  return name.size > 1 && [...name].every((term) => wanted.some((one) => one.term === term));
}

/** The share of the question's weight that a unit does not cover at all. @param counts which words may be missing; all by default */
function missing(unit: Unit, wanted: Wanted[], counts: (one: Wanted) => boolean = () => true): number {
  return shareOf(
    wanted.filter((one) => counts(one) && speaksOf(unit, one) === 0),
    wanted,
  );
}

/** The share of the question's weight that a unit has by the question's own words, not by synonyms. */
export const ownShare = ({ terms, answers, under, text }: Unit, wanted: Wanted[]) =>
  shareOf(
    wanted.filter(
      ({ term, isTold, written }) =>
        written || isTold?.(text) || terms.has(term) || answers.has(term) || under.has(term),
    ),
    wanted,
  );

export const weightOf = (some: Wanted[]) => some.reduce((sum, { weight }) => sum + weight, 0);

/** Of words without any weight none is lacking. */
const shareOf = (some: Wanted[], all: Wanted[]) => weightOf(some) / (weightOf(all) || 1);
