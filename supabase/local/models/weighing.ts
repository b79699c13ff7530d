// Owns what is wanted of the passages for a question: each of its terms with its stand-ins and its weight. Does not score sentences.

import { fitOf } from "../../../edge-functions/answering/answer-kinds.ts";
import {
  isCountry,
  isKnownWord,
  remoteStandIns,
  standIns,
} from "../../../edge-functions/answering/lexicon.ts";
import { isTalk, stem } from "../../../edge-functions/answering/words.ts";
import { otherDays } from "./days.ts";
import { telling } from "./frequent-words.ts";
import { otherNumerals } from "./numerals.ts";
import { type Asked, isAsking } from "./question.ts";
import type { Cell, Unit } from "./reading.ts";
import type { Wanted } from "./speaking.ts";
import { opposites } from "./subject.ts";

/** Weight of a term that occurs only in the earlier questions. */
const inEarlierQuestion = 0.5;
/** Weight of a conversational word that no text contains. */
const inTalk = 0.15;
/** The word that texts use for any other country. */
const abroad = stem("abroad");

/** A term in few of the units is more significant than one in most of them; a term in none of them still counts. */
export function weigh(asked: Asked, units: Unit[]): Wanted[] {
  const vocabulary = vocabularyOf(units);
  const size = sizeOf(units);
  const named = [...asked.littleNames].map((name) => {
    const written = new RegExp(String.raw`(?<![\p{L}\p{N}])${name}(?![\p{L}\p{N}])`, "u");
    const holding = units.filter(({ text }) => written.test(text)).length;
    const weight = rarityIn(size, holding);
    return { term: name, standIns: new Map<string, number>(), weight, isName: holding > 0, written };
  });
  const wanted = asked.terms.map((term, at) => {
    const found = standIns(term, vocabulary, asked.askedIn);
    // Also matches "wristband" for "wrist band".
    for (const joined of [`${asked.terms[at - 1] ?? ""}${term}`, `${term}${asked.terms[at + 1] ?? ""}`])
      if (joined !== term && !/\d/.test(joined) && vocabulary.has(joined)) found.set(joined, 1);
    if (found.size === 0 && !isKnownWord(term))
      for (const whole of cutOffIn(asked.written.get(term) ?? [], vocabulary)) found.set(whole, cutOff);
    for (const [day, worth] of otherDays(term, vocabulary)) found.set(day, worth);
    for (const number of otherNumerals(term, vocabulary)) found.set(number, 1);
    // "Unused leave" answers for "leave that I don't use".
    for (const prefix of asked.isDenied ? opposites : [])
      for (const other of [`${prefix}${term}`, `${prefix}${term.replace(/ed?$/, "")}`])
        if (vocabulary.has(other)) found.set(other, 1);
    // "Can I work from Spain?" is answered by a rule for other countries, but not by a table of some.
    if (found.size === 0 && isCountry(term)) {
      const said = new Set(units.flatMap(({ cells, terms }) => (cells ? [] : [...terms])));
      for (const [other, worth] of standIns(abroad, said)) found.set(other, worth);
    }
    const measure = asked.measures.get(term);
    // "8 EUR" does not answer a question about "8 years".
    if (measure && !measure.isOfThings && /^\d+$/.test(term)) found.clear();
    const one = toWanted(term, found, asked, units);
    return found.size === 0 && !isKnownWord(term) ? asWritten(one, asked, units) : one;
  });
  return [...wanted, ...named.filter(({ isName }) => isName)];
}

/** The same words, where those that no unit has are found by remote ones. Null when those find none either. */
export function weighRemotely(asked: Asked, units: Unit[], wanted: Wanted[]): Wanted[] | null {
  const vocabulary = vocabularyOf(units);
  const again = wanted.map((one) => {
    if (one.written || one.standIns.size > 0) return one;
    const found = remoteStandIns(one.term, vocabulary, asked.askedIn);
    return found.size > 0 ? toWanted(one.term, found, asked, units) : one;
  });
  return again.some((one, at) => one !== wanted[at]) ? again : null;
}

/** "On call" for "oncall": a word that no text has is looked for as two, where they stand together. */
function asWritten(one: Wanted, { written: said }: Asked, units: Unit[]): Wanted {
  const halves = (said.get(one.term) ?? []).flatMap(halvesOf);
  if (halves.length === 0) return one;
  const written = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${halves.join("|")})(?!\p{L})`, "iu");
  const holding = units.filter(({ text }) => written.test(text)).length;
  if (holding === 0) return one;
  return { ...one, written, weight: rarityIn(sizeOf(units), holding) * telling(one.term) };
}

const shortestHalf = 2;
const shortestHalved = 6;

/** The word as two, with a space or a hyphen between them. */
function halvesOf(word: string): string[] {
  if (word.length < shortestHalved || /[^\p{L}]/u.test(word)) return [];
  const places = Array.from({ length: word.length - 2 * shortestHalf + 1 }, (_, at) => at + shortestHalf);
  return places.map((at) => `${word.slice(0, at)}[ -]${word.slice(at)}`);
}

/** Worth of a word whose beginning is asked for: "kiné" for "kinésithérapeute". */
const cutOff = 0.7;
const shortestCutOff = 4;
const leastCutOff = 4;

function cutOffIn(asked: string[], vocabulary: ReadonlySet<string>): string[] {
  const beginnings = asked.map((word) => word.toLowerCase()).filter((word) => word.length >= shortestCutOff);
  return [...vocabulary].filter((whole) =>
    beginnings.some((one) => whole.length >= one.length + leastCutOff && whole.startsWith(one)),
  );
}

const vocabularyOf = (units: Unit[]) =>
  new Set(units.flatMap(({ terms, under, about, answers }) => [...terms, ...under, ...about, ...answers]));

/** A few sentences say little about how common a word is, so 20 more units without it are assumed. */
const sizeOf = (units: Unit[]) => units.length + 20;

function toWanted(term: string, found: Map<string, number>, asked: Asked, units: Unit[]): Wanted {
  const measure = asked.measures.get(term);
  const isTold = asked.told.has(term)
    ? (text: string) => fitOf(asked.kind, text) === 1
    : measure && ((text: string) => measure.test(text));
  const isPerson = asked.kind === "who" && asked.told.has(term);
  const isIn = isPerson ? ({ text }: Cell) => fitOf("who", text) === 1 : measure?.isIn;
  const holding = units.filter(
    ({ terms, text, cells }) =>
      [...found.keys()].some((one) => terms.has(one)) || (cells && isIn ? cells.some(isIn) : isTold?.(text)),
  ).length;
  const rarity = rarityIn(sizeOf(units), holding);
  return {
    term,
    standIns: found,
    weight:
      rarity *
      telling(term) *
      (isTalk(term) && found.size === 0 ? inTalk : isTalk(term) || isAsking(term) ? 0.4 : 1) *
      (asked.earlier.has(term) ? inEarlierQuestion : 1),
    // A month or a number that a rule contains is no longer a name.
    isName: measure && holding > 0 && found.size === 0 ? false : asked.names.has(term),
    ...(isTold && { isTold }),
    ...(isIn && { isIn }),
  };
}

const rarityIn = (size: number, holding: number) => Math.log(1 + (size - holding + 0.5) / (holding + 0.5));
