// Owns which sentences an unsure reply shows beside its best quote: those with the most signals of an answer. Does not choose that quote.

import { isFormless, isRule } from "../../../edge-functions/answering/answer-kinds.ts";
import { fitIn } from "./certainty.ts";
import type { Asked } from "./question.ts";
import { perPassage, type Unit } from "./reading.ts";
import { isWithin, type Stretch, stretchOf, textOf } from "./stretch.ts";

/** A sentence with its score, and the terms of the question that it covers. */
export type Scored = { unit: Unit; covers: number; gain: number; met: Set<string> };

/**
 * Weights of the signals that a sentence is the answer; each signal is from 0 to 1. Fitted on the questions of tests/bench by
 * `npx tsx tests/bench/closest.ts`, not by hand.
 */
export const weights = {
  /** The sentence's score, as a share of the best one's. */
  score: 5,
  /** The share of the question's terms that it covers. */
  terms: 2,
  /** It contains the requested kind of answer. */
  kind: 1.5,
  /** Every term of its heading is in the question. */
  heading: 1.6,
  /** It states a rule, and the question asks for yes or no. */
  rule: 1.25,
};

export type Signals = Record<keyof typeof weights, number>;

/** @param best the highest score of all sentences @param terms the number of the question's terms, at least 1 */
export function signalsOf({ unit, gain, met }: Scored, asked: Asked, best: number, terms: number): Signals {
  return {
    score: gain / best,
    terms: met.size / terms,
    kind: Number(fitIn(unit, asked) === 1),
    heading: Number(unit.isHeadAsked === true),
    rule: Number(asked.kind === "yesNo" && isRule(unit.text)),
  };
}

/** The sum of the signals by their weights. It orders sentences; its size has no meaning. */
export function closeness(signals: Signals): number {
  return (
    weights.score * signals.score +
    weights.terms * signals.terms +
    weights.kind * signals.kind +
    weights.heading * signals.heading +
    weights.rule * signals.rule
  );
}

/** Share of the best score below which a sentence is not shown: no reply of tests/bench loses its facts by that. */
const least = 0.15;

/** A sentence with the sum of its signals below that of the closest one. */
export type Close = Scored & { behind: number };

/** @returns the sentences that may be the answer, the most likely one first */
export function closestFirst(scored: Scored[], asked: Asked, terms: number): Close[] {
  const best = Math.max(...scored.map(({ gain }) => gain));
  const close = scored
    .filter(({ unit, gain }) => gain >= least * best && hasWord(unit))
    .map((one) => ({ one, worth: closeness(signalsOf(one, asked, best, terms)) }))
    .sort((a, b) => b.worth - a.worth);
  return close.map(({ one, worth }) => ({ ...one, behind: (close[0]?.worth ?? worth) - worth }));
}

/** False for a bullet alone. */
const hasWord = ({ text }: Unit) => /[\p{L}\p{N}]/u.test(text);

export const isSame = (one: Unit, other: Unit) =>
  one.text === other.text || (one.answer !== undefined && one.answer === other.answer);

/** @returns the quotes, and more units until there are `most` */
export function withMore(quotes: Unit[], more: Scored[], most: number): Unit[] {
  const shown = [...quotes];
  for (const { unit } of more) {
    if (shown.length >= most) break;
    if (!shown.some((other) => isSame(unit, other))) shown.push(unit);
  }
  return shown;
}

/** The most stretches of an unsure reply, and what a row counts: two rows are as short as one stretch. */
const mostStretches = 5;
const perRow = 0.5;
/** The most quotes about a subject of no document. */
const mostForeign = 2;

/** How far behind the closest sentence one has a short stretch, and one is shown only as the second. */
const farthest = { forLong: 3, forMore: 5 };

/**
 * @returns the quotes, and more units whose stretches say something else, for an unsure reply
 * @param isForeign true when the documents hardly treat the subject: two short stretches are enough
 */
export function withStretches(quotes: Unit[], more: Close[], isForeign: boolean): Unit[] {
  const shown: Unit[] = [];
  const stretches: Stretch[] = [];
  let count = 0;
  for (const { unit, behind } of more)
    unit.beside = isForeign || (behind > farthest.forLong && unit !== quotes[0]) ? "little" : undefined;
  const distant = new Set(more.flatMap(({ unit, behind }) => (behind > farthest.forMore ? [unit] : [])));
  for (const unit of [...quotes, ...more.map((one) => one.unit)]) {
    if (isForeign ? shown.length >= mostForeign : count >= mostStretches) break;
    if (count >= 2 && distant.has(unit)) continue;
    if (shown.some((other) => isSame(unit, other)) || stretches.some((one) => isWithin(unit, one))) continue;
    // Its paragraph is quoted in part already.
    if (shown.some((other) => isWithin(other, stretchOf(unit)))) unit.beside = "nothing";
    shown.push(unit);
    stretches.push(stretchOf(unit));
    count += unit.cells ? perRow : 1;
  }
  return shown;
}

/** The first sentence of the section whose heading is the question, if a close sentence is in it. */
export function openingOf(near: Scored[], all: Scored[], { kind }: Asked): Unit[] {
  const headed = isFormless(kind) ? near.find(({ unit }) => unit.isHeadWhole)?.unit : undefined;
  const opening = all.find(({ unit }) => unit.passage === headed?.passage && unit.under === headed?.under);
  return opening ? [opening.unit] : [];
}

/** How many sentences alone an unsure reply adds to its stretches, and how many of them as the closest. */
type Share = { most: number; close: number };
/** From the passages that it is to answer from, and from those behind them. */
export const inFirst: Share = { most: 3, close: 2 };
export const inFurther: Share = { most: 2, close: 2 };
/** The most characters of each. */
const mostAlone = 240;

/**
 * @returns the next closest sentences, then one with the requested kind of answer in the best passages, whatever its words: a sentence has
 * more answers per character than a paragraph
 */
export function furtherThan(
  shown: Unit[],
  { near, units }: { near: Close[]; units: Unit[] },
  asked: Asked,
  further: Share,
): Unit[] {
  const stretches = shown.map(stretchOf);
  const found: Unit[] = [];
  let count = 0;
  const add = (some: Unit[], most: number) => {
    for (const unit of some) {
      if (count >= most) return;
      const isKnown =
        [...shown, ...found].some((other) => isSame(unit, other)) ||
        stretches.some((one) => isWithin(unit, one));
      if (isKnown || unit.isTitle || unit.text.length > mostAlone) continue;
      unit.beside = "nothing";
      found.push(unit);
      count += unit.cells ? perRow : 1;
    }
  };
  const closest = near.map(({ unit }) => unit);
  add(closest, further.close);
  if (!isFormless(asked.kind))
    add(
      units.filter((unit) => fitIn(unit, asked) === 1),
      further.most,
    );
  add(closest, further.most);
  return found;
}

/** Of how many of the best passages such a reply quotes paragraphs besides, and the most characters and rows of each. */
const openings = { passages: 2, characters: 700, rows: 6 };

/**
 * @returns the quotes, and paragraphs of the best passages, those with the requested kind of answer first: where no sentence has the
 * question's words, the search may still have found its subject
 */
export function withOpenings(quotes: Unit[], units: Unit[], asked: Asked): Unit[] {
  const shown = [...quotes];
  for (let rank = 0; rank < openings.passages; rank += 1) {
    let [characters, rows] = [0, 0];
    const own = units.filter(({ order }) => Math.floor(order / perPassage) === rank);
    const fitting = isFormless(asked.kind) ? [] : own.filter((unit) => fitIn(unit, asked) === 1);
    for (const unit of [...fitting, ...own]) {
      if (shown.some((other) => other === unit || isWithin(unit, stretchOf(other)))) continue;
      const length = unit.cells ? unit.text.length : textOf(stretchOf(unit)).length;
      rows += unit.cells ? 1 : 0;
      if (rows > openings.rows || (characters > 0 && characters + length > openings.characters)) break;
      characters += length;
      shown.push(unit);
    }
  }
  return shown;
}
