// Owns whether another sentence may be the answer as well as the best one. Does not score sentences.

import { eitherOf } from "../../../edge-functions/_shared/language/rules.ts";
import { isFormless } from "../../../edge-functions/answering/answer-kinds.ts";
import { meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { isConclusion } from "../../../edge-functions/answering/sentences.ts";
import { isTalk, languageOf, stem, words } from "../../../edge-functions/answering/words.ts";
import { answers, fitIn } from "./certainty.ts";
import { isSame, type Scored } from "./closest.ts";
import { ownShare } from "./coverage.ts";
import { titleOf } from "./prompt-reading.ts";
import { type Asked, isDenied, phrasesIn } from "./question.ts";
import { type Cell, perPassage, type Unit } from "./reading.ts";
import { speaksOf, type Wanted } from "./speaking.ts";
import { columnsOf } from "./writing.ts";

/** Share of the sure answer's score from which another quote may be the answer too. */
const rival = 0.75;
/** Share of both from which a row of another document contests a row. */
const sameRow = 0.9;
/** Shares of the best quote's score, and of what it covers of the question, from which another sure answer contests it. */
const contested = { gain: 0.7, covers: 0.95 };

/** Share of the best quote's score from which a sentence of another passage is its rival. */
const rivalElsewhere = 0.5;
/** The passages among which it says something that a sentence has no rival. */
const leastPassages = 4;
/** Share of the question that a sentence of a later passage must have by the question's own words, beside a rival. */
const leastOwn = 0.6;

/** True for a sentence whose beginning is in another passage. */
export const isBroken = ({ span, text }: Unit) => span?.start === 0 && /^\p{Ll}\P{Lu}*\s/u.test(text);

const itself = eitherOf(({ documents }) => documents?.itself, "iu");
const issued = eitherOf(({ documents }) => documents?.issued, "iu");

/** True for a sentence about its document ("This policy was approved by …"), when the question names no such document. */
export function isOfDocument({ text, before, cells }: Unit, { last }: Asked): boolean {
  if (cells || !issued.test(text)) return false;
  const kind = itself.exec(text) ?? itself.exec(before?.text ?? "");
  const name = kind?.slice(1).find(Boolean);
  return name !== undefined && !last.toLowerCase().includes(name.toLowerCase());
}

const hasRival = ({ unit, gain }: Scored, all: Scored[]) =>
  all.some((other) => other.unit.passage !== unit.passage && other.gain > rivalElsewhere * gain);

/** True when several passages were read, and none but the best quote's has a sentence of half its score. */
export const isAlone = (best: Scored, all: Scored[], passages: number) =>
  passages >= leastPassages && !hasRival(best, all);

/** True for a sentence of a later passage with a rival and mostly synonyms: the passages before it speak of the same. */
export const isHardlyWorded = (best: Scored, all: Scored[], wanted: Wanted[]) =>
  best.unit.order >= perPassage &&
  !best.unit.isHeadAsked &&
  ownShare(best.unit, wanted) <= leastOwn &&
  hasRival(best, all);

/**
 * True when a sentence of another passage would be a sure answer too, and has none of the best one's numbers: "Your money is returned within
 * 14 days" beside "You may return it within 30 days".
 */
export function isContested(
  best: Scored,
  all: Scored[],
  wanted: Wanted[],
  asked: Asked,
  total: number,
): boolean {
  const { unit, gain, covers } = best;
  if (unit.cells)
    return all.some(
      (other) =>
        isOtherRow(other, best, asked) ||
        isOtherCount(other, best, asked) ||
        isListedWith(other, best, { wanted, asked }) ||
        hasMissingWord(other, best, { wanted, asked }),
    );
  if (isFormless(asked.kind)) return false;
  const numbers = new Set(unit.text.match(/\d+/g));
  // Beside a sentence with every word of the question itself, one with a synonym says something else.
  const hasAll = (one: Unit) => asked.terms.every((term) => hasItself(one, term));
  const isItself = hasAll(unit);
  return all.some(
    (other) =>
      other.gain >= contested.gain * gain &&
      other.covers >= contested.covers * covers &&
      other.unit.passage !== unit.passage &&
      !isSame(other.unit, unit) &&
      !isBroken(other.unit) &&
      !isConclusion(other.unit.text) &&
      !other.unit.text.match(/\d+/g)?.some((number) => numbers.has(number)) &&
      isLike(other.unit, unit, asked) &&
      (!isItself || hasAll(other.unit)) &&
      answers(other.unit, other.covers / total, wanted, asked),
  );
}

/** True for a row of another document that matches as well, with another number in a like column: an article in two price lists. */
function isOtherRow(other: Scored, { unit, gain, covers }: Scored, asked: Asked): boolean {
  return (
    other.unit.cells !== undefined &&
    titleOf(other.unit.passage) !== titleOf(unit.passage) &&
    other.gain >= sameRow * gain &&
    other.covers >= sameRow * covers &&
    fitIn(other.unit, asked) >= fitIn(unit, asked) &&
    (unit.cells ?? []).some((cell) => other.unit.cells?.some((one) => hasOtherNumber(one, cell)))
  );
}

/** Share of the best row's score from which another one with a word that it lacks may be the one that is meant. */
const otherRow = 0.65;

/** True for a row of the same table with a word of the question that the best one lacks: "the back massage" is neither of two rows. */
const hasMissingWord = (
  other: Scored,
  { unit, gain }: Scored,
  { wanted, asked }: { wanted: Wanted[]; asked: Asked },
) =>
  other.unit.cells !== undefined &&
  other.gain >= otherRow * gain &&
  columnsOf(other.unit) === columnsOf(unit) &&
  wanted.some(
    (one) =>
      !one.isTold &&
      !isTalk(one.term) &&
      !asked.earlier.has(one.term) &&
      speaksOf(unit, one) === 0 &&
      speaksOf(other.unit, one) === 1,
  );

/** True for another row of the same table that matches as well, when things are counted: neither row's number is their sum. */
const isOtherCount = (other: Scored, { unit, gain }: Scored, { kind, counted }: Asked) =>
  kind === "howMany" &&
  counted !== undefined &&
  other.unit.cells !== undefined &&
  other.unit.text !== unit.text &&
  columnsOf(other.unit) === columnsOf(unit) &&
  other.gain >= sameRow * gain;

const isList = /\S\s*[,;/]\s*\S/;

/**
 * True when the price of a named thing is asked for, and this row or another one lists it with others in a column. Under "Fits" stand the
 * machines of a part, whose price is not theirs.
 */
function isListedWith(
  other: Scored,
  { unit }: Scored,
  { wanted, asked }: { wanted: Wanted[]; asked: Asked },
): boolean {
  if (asked.kind !== "price" || !other.unit.cells || other.unit === unit) return false;
  if (!wanted.every(({ isName, isTold }) => isName || isTold)) return false;
  if (columnsOf(other.unit) !== columnsOf(unit)) return false;
  const isThing = ({ text }: Cell) => {
    const own = new Set(meaningfulTerms(text));
    return wanted.some(
      ({ isTold, standIns }) => !isTold && [...standIns.keys()].some((term) => own.has(term)),
    );
  };
  const places = (unit.cells ?? []).flatMap((cell, at) => (isThing(cell) ? [at] : []));
  const isListedAt = (cell: Cell | undefined) =>
    cell !== undefined && isList.test(cell.text) && isThing(cell);
  return (
    places.length > 0 && places.every((at) => [unit, other.unit].some(({ cells }) => isListedAt(cells?.[at])))
  );
}

function hasOtherNumber(one: Cell, other: Cell): boolean {
  if (one.text === other.text || ![one, other].every(({ text }) => /\d/.test(text))) return false;
  const named = new Set(meaningfulTerms(one.column));
  return meaningfulTerms(other.column).some((term) => named.has(term));
}

/** True when the unit or its heading has the word, and no synonym of it, also within a phrase: "congé" in "congés payés". */
const hasItself = ({ text, heading }: Unit, term: string) =>
  words(`${heading} ${text}`).some((word) => stem(word) === term);

/** True when instructions are asked for, and another text stands below a heading that is the whole question. */
export const isHeadedElsewhere = ({ unit }: Scored, all: Scored[], { kind }: Asked) =>
  kind === "howTo" && !unit.cells && !unit.isHeadWhole && unit.answers.size === 0 && all.some(isHeaded);

const isHeaded = ({ unit }: Scored) => unit.isHeadWhole === true;

/**
 * True when the question gives a number and another sentence has a different rule for it: of "up to 14 years" and "from 5 years" either may
 * be the one for a child of 4.
 */
export function isOneOfBounds({ unit, gain }: Scored, all: Scored[], { kind, measures }: Asked): boolean {
  const given = [...measures].flatMap(([term, measure]) => (/^\d+$/.test(term) ? [measure] : []));
  const isBound = ({ text, cells }: Unit) => !cells && given.some((measure) => measure.test(text));
  if (!isFormless(kind) || !isBound(unit)) return false;
  const numbers = new Set(unit.text.match(/\d+/g));
  return all.some(
    (other) =>
      other.gain >= contested.gain * gain &&
      isBound(other.unit) &&
      !other.unit.text.match(/\d+/g)?.some((number) => numbers.has(number)),
  );
}

/** The units that match nearly as well as a sure answer, and may be the answer as well. */
export function rivalsOf(first: Scored, all: Scored[], asked: Asked): Scored[] {
  return all
    .filter(({ gain, unit }) => gain >= rival * first.gain && isLike(unit, first.unit, asked))
    .sort((a, b) => b.gain - a.gain);
}

/**
 * True when a unit may be as good an answer as another: it is in the same language, fits the question's kind as well, and contains a phrase
 * of the question if the other one does. "20 weeks at full pay" says nothing about "a full week".
 */
function isLike(unit: Unit, other: Unit, asked: Asked): boolean {
  const hasPhrase = ({ text }: Unit) => phrasesIn(text).some((phrase) => asked.phrases.has(phrase));
  return (
    fitIn(unit, asked) >= fitIn(other, asked) &&
    languageOf(unit.passage.text) === languageOf(other.passage.text) &&
    (hasPhrase(unit) || !hasPhrase(other))
  );
}

/** True for a row when the question denies something that rows do not: rows with wheat do not tell which have none. */
export const isListedDenied = ({ cells, text }: Unit, asked: Asked) =>
  cells !== undefined && asked.isDenied && !isDenied(text);
