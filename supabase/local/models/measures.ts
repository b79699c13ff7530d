// Owns the texts that answer a number, a month or a measure in a question without repeating it: a rule whose bounds contain the number, a
// range of months, an amount in a unit of the measure.

import { either, everyOne } from "../../../edge-functions/_shared/language/rules.ts";
import { monthNumber } from "../../../edge-functions/_shared/text/cell-values.ts";
import {
  type AnswerKind,
  ageBound,
  agesIn,
  fitOf,
  holdsMoney,
  isAddress,
  isSpan,
  months,
} from "../../../edge-functions/answering/answer-kinds.ts";
import { meaningfulTerms, standIns } from "../../../edge-functions/answering/lexicon.ts";
import { isUnit, ratioOf, unitsOfMeasures } from "../../../edge-functions/answering/units.ts";
import { fold, stem, words } from "../../../edge-functions/answering/words.ts";
import { withCurrencyNames, withDigits } from "./numerals.ts";
import type { Cell } from "./reading.ts";

/** `excludes` matches a rule whose bounds exclude the number in the question: "up to 300 euros" for 500. */
export type Measure = {
  test(text: string): boolean;
  excludes?(text: string): boolean;
  /** True when a table's cell answers it, read with its column: "11 to 13" under "Ages". */
  isIn?(cell: Cell): boolean;
  /** True for a number that also answers as itself: of things, which no unit tells apart. */
  isOfThings?: true;
  /** True for the unit itself in "how many kilos". */
  isCounted?: true;
};

/** @param terms of the question @returns the measures in it, each by the term that asks for it */
export function measuresOf(question: string, kind: AnswerKind, terms: string[]): Map<string, Measure> {
  return new Map([
    ...clocksIn(question, kind, terms),
    ...numbersIn(question, kind),
    ...monthsIn(question),
    ...holidaysIn(question),
    ...measuresIn(terms, kind),
    ...countedUnitIn(question),
  ]);
}

const clockTime = String.raw`(?<![\d.,])(\d{1,2})(?:\s?[:h]\s?(\d{2})(?!\d)|\.(\d{2})(?=\s?[ap]\.?m\b)|\s?h(?!\p{L})|(?=\s?[ap]\.?m\b))(?:\s?([ap])\.?m\b)?`;
const clockRange = new RegExp(
  String.raw`${clockTime}\.?\s*(?:[-–—]|(?<!\p{L})(?:${either(({ tables }) => tables?.to)}|${either(({ tables }) => tables?.and)})(?!\p{L}))\s*${clockTime}`,
  "giu",
);
const minutesOf = (hour = "", minute = "0", half = "") =>
  60 * (half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)) + Number(minute);

/** A time of day is in a range of times: "from 12:00 to 14:30" for 1 pm. For yes or no a range that excludes it answers too. */
function clocksIn(question: string, kind: AnswerKind, terms: string[]): Map<string, Measure> {
  const isOpen = kind === "yesNo";
  const asked = [...question.matchAll(new RegExp(clockTime, "giu"))].flatMap(
    ([, hour, minute, dotted, half]): [string, Measure][] => {
      const term = terms.find((one) => one.startsWith(String(Number(hour))));
      const at = minutesOf(hour, minute ?? dotted, half);
      const test = (text: string) =>
        [...text.matchAll(clockRange)].some(
          ([, h1, m1, d1, half1, h2, m2, d2, half2]) =>
            isOpen || (minutesOf(h1, m1 ?? d1, half1 ?? half2) <= at && at <= minutesOf(h2, m2 ?? d2, half2)),
        );
      return term ? [[term, { test, isIn: ({ text }) => test(text) }]] : [];
    },
  );
  return new Map(asked);
}

const numberOf =
  /(?<![\p{L}\p{N}.,-])(\d{1,6})(?:[\s-]+(\p{L}{2,}|[glmt](?![\p{L}\p{N}²³’']))|\s?(°\s?C?))/gu;

const bound = String.raw`(?<!\p{L})(?:(?<most>${either(({ asks }) => asks?.answers.atMost)})|(?<more>${either(({ asks }) => asks?.answers.moreThan)}))?\s*(?<number>\d[\d.,\s]*)`;
const boundOfUnit = new RegExp(String.raw`${bound}-?(?<of>°\s?C?|\p{L}+)`, "giu");

/**
 * "700 euros" is answered by any number of euros, and an age by an age limit, because the value lies on one side of a rule. A question
 * about the rule for a value is answered only by a rule on the value's side; a question whether something is allowed, by either side, of a
 * weight or a distance too. A number of things ("12 people") is answered by a range or a bound alone.
 */
function numbersIn(question: string, kind: AnswerKind): Map<string, Measure> {
  const isOpen = kind === "yesNo" || kind === "any";
  const found = [...withCurrencyNames(question).matchAll(numberOf)];
  const ages = agesIn(question);
  // "I'm 67" has no unit.
  const limits = [...ages].map((age): [string, Measure] => [age, { test: (text) => ageBound.test(text) }]);
  return new Map([
    ...limits,
    ...found.flatMap(([said, digits = "", word, degrees]): [string, Measure][] => {
      const asked = Number(digits);
      const unit = word ?? degrees ?? "";
      const isOfAge = ageBound.test(said) || ages.has(digits);
      const isOfThings = !isSpan.test(unit) && !isUnit(unit) && !holdsMoney.test(said) && !isOfAge;
      // "9 October" and "11 pm" count nothing.
      if (isOfThings && (unit.length < 3 || monthsByWord.has(fold(unit)))) return [];
      // For a weight or a distance each number without a bound is a rule of its own.
      const isExact = isOfThings || (isUnit(unit) && !isSpan.test(unit));
      const isEither = isOpen && !isExact;
      const isOfDegrees = ratioOf(unit, "°c") !== undefined;
      const root = unit.replace(/s$/iu, "").toLowerCase();
      const bounds = (text: string) =>
        [...text.matchAll(boundOfUnit)].flatMap(({ groups: { most, more, number = "", of = "" } = {} }) => {
          const isSame = of.toLowerCase().startsWith(root) || (isOfThings && isSameThing(unit, of));
          const ratio = isSame ? 1 : ratioOf(unit, of);
          if (ratio === undefined) return [];
          const [given, told] = [asked * ratio, readNumber(number)];
          // "At most 80 °C" says little about 35 °C.
          if (isOfDegrees && most && told > 2 * given) return [];
          return [{ isSame, most, more, given, told }];
        });
      const holds = (text: string) =>
        isWithin(asked, text, unit) ||
        bounds(text).some(({ isSame, most, more, given, told }) => {
          if (isOpen && !isOfThings && (most || more)) return true;
          if ((isExact || !isSame) && !most && !more) return !isOfThings && given === told;
          return (isEither && isSame) || ((!most || given <= told) && (!more || given >= told));
        });
      const test = (text: string) =>
        isOfAge ? ageBound.test(text) : holds(withDigits(withCurrencyNames(text)));
      const excludes = (text: string) =>
        !isEither &&
        !isOfAge &&
        bounds(withDigits(withCurrencyNames(text))).some(({ most, more }) => most || more) &&
        !test(text);
      const isIn = (cell: Cell) =>
        isInCell(asked * (ratioIn(cell, unit) ?? Number.NaN), cell.text) || holds(cell.column);
      return [[String(asked), { test, excludes, isIn, ...(isOfThings && { isOfThings }) }], ...anyOf(unit)];
    }),
  ]);
}

const readNumber = (text: string) => Number(text.replace(/[\s.,](?=\d{3}(?!\d))/g, "").replace(",", "."));
const rangeOf = new RegExp(
  String.raw`(?<!\d)(\d[\d.,]*)(?:\s*(?:°\s?C?|\p{L}{1,4}\.?))??\s*(?:[-–—]|(?<!\p{L})(?:${either(({ tables }) => tables?.to)}|${either(({ tables }) => tables?.and)})(?!\p{L}))\s*(\d[\d.,]*)\s*(°\s?C?|\p{L}+)`,
  "giu",
);

/** True when a range in the text, such as "20 to 49 kg", contains the number in that unit or one of the same dimension. */
function isWithin(asked: number, text: string, unit: string): boolean {
  return [...text.matchAll(rangeOf)].some(([, low = "", high = "", of = ""]) => {
    const given = asked * (ratioOf(unit, of) ?? (isSameThing(unit, of) ? 1 : Number.NaN));
    return readNumber(low) <= given && given <= readNumber(high);
  });
}

const isSameThing = (one: string, other: string) =>
  standIns(stem(fold(one)), new Set([stem(fold(other))])).size > 0;

const countedUnit = new RegExp(
  String.raw`${either(({ tables }) => tables?.measure.howMany)}\s*(\p{L}+)`,
  "iu",
);
const numberWithUnit = /\d\s?(°\s?C?|\p{L}+)/giu;

/** "How many kilos" is answered by a number of grams too. */
function countedUnitIn(question: string): [string, Measure][] {
  const counted = anyOf(countedUnit.exec(question)?.[1] ?? "");
  return counted.map(([term, measure]) => [term, { ...measure, isCounted: true }]);
}

/** A number in a unit of the same dimension answers the unit's name. A length of time is a kind of its own. */
function anyOf(unit: string): [string, Measure][] {
  const [term] = meaningfulTerms(unit);
  if (!term || !isUnit(unit) || isSpan.test(unit)) return [];
  const test = (text: string) =>
    [...text.matchAll(numberWithUnit)].some(([, of = ""]) => ratioOf(unit, of) !== undefined);
  const isIn = (cell: Cell) =>
    (/\d/.test(cell.text) && ratioIn(cell, unit) !== undefined) || test(cell.column);
  return [[term, { test, isIn }]];
}

const unitAtEnd = /(°\s?C?|\p{L}+)\)?\s*$/iu;

/** How many of the unit that a cell or its column names are one of this unit; an age may be under "Ages" instead of "years". */
function ratioIn({ column, text }: Cell, unit: string): number | undefined {
  const root = stem(fold(unit));
  if (words(`${column} ${text}`).some((word) => stem(word) === root)) return 1;
  if (isYear.test(unit) && standIns(ageWord, new Set(meaningfulTerms(column))).size > 0) return 1;
  return ratioOf(unit, unitAtEnd.exec(text)?.[1] ?? unitAtEnd.exec(column)?.[1] ?? "");
}
const isYear = new RegExp(`^${either(({ tables }) => tables?.year)}$`, "iu");
const ageWord = stem("age");

const cellRange = new RegExp(
  String.raw`(\d[\d.,]*)\D{0,8}?\s*(?:[-–—]|${either(({ tables }) => tables?.to)}|${either(({ tables }) => tables?.and)})\s*(\d[\d.,]*)`,
  "iu",
);
const andMore = new RegExp(
  String.raw`^\W*\d[\d.,]*\s*\p{L}{0,4}\s*(?:\+|${either(({ asks }) => asks?.answers.orMore)})`,
  "iu",
);
const cellBound = new RegExp(`^${bound}`, "iu");

/** True for the number alone, a range that contains it, or a bound on its side: "50 kg and more" for 60. */
function isInCell(asked: number, text: string): boolean {
  const [, low, high] = cellRange.exec(text) ?? [];
  if (low && high) return readNumber(low) <= asked && asked <= readNumber(high);
  const { most, more, number } = cellBound.exec(text.trim())?.groups ?? {};
  if (number === undefined) return false;
  const told = readNumber(number.trim());
  return more || andMore.test(text) ? asked >= told : most ? asked <= told : asked === told;
}

const day = String.raw`(?:\d{1,2}(?:${either(({ dates }) => dates?.ordinals)})?\s)?`;
const monthRange = new RegExp(
  String.raw`(?<!\p{L})(${months})(?:\s\d{1,2})?\s*(?:[-–—]|${either(({ tables }) => tables?.to)}|${either(({ tables }) => tables?.and)})\s*(?:\p{L}{2}\s)?${day}(${months})(?!\p{L})`,
  "giu",
);
/** The number of each month, and of the middle month of each season, by its folded name. */
const monthsByWord = new Map([
  ...everyOne(({ dates }) => dates?.months).flatMap((own) =>
    own.flatMap((names, at) => names.split(" ").map((name): [string, number] => [fold(name), at + 1])),
  ),
  ...everyOne(({ dates }) => dates?.seasons).flatMap((names) =>
    names.split(" ").map((name, at): [string, number] => [name, 1 + 3 * at]),
  ),
]);

/** A month of the question, or the middle one of a season, is in a range of months: "May to September" for June. */
function monthsIn(question: string): Map<string, Measure> {
  const asked = words(question).flatMap((word): [string, Measure][] => {
    const month = monthsByWord.get(word);
    if (month === undefined) return [];
    const test = (text: string) =>
      [...text.matchAll(monthRange)].some(([, first = "", last = ""]) => {
        const [from = 0, to = 0] = [monthNumber(first), monthNumber(last)];
        return from <= to ? from <= month && month <= to : month >= from || month <= to;
      });
    return meaningfulTerms(word).map((term) => [term, { test, isIn: ({ text }) => test(text) }]);
  });
  return new Map(asked);
}

const ordinals = either(({ dates }) => dates?.ordinals);
/** "26 December", "25 and 26 December", "24th to 26th of December". */
const datesOfMonth = new RegExp(
  String.raw`(?<![\d.,:])(\d{1,2})(?:${ordinals})?(?:\s?(?:([-–—]|${either(({ tables }) => tables?.to)})|,|${either(({ tables }) => tables?.and)})\s?(?:\p{L}{2}\s)?(\d{1,2})(?:${ordinals})?)?\s(?:${either(({ dates }) => dates?.ofMonth)}\s)?(${months})(?!\p{L})`,
  "giu",
);

/** A day with a name is answered by its date: "closed on 25 and 26 December" for Boxing Day. */
function holidaysIn(question: string): [string, Measure][] {
  return everyOne(({ dates }) => dates?.holidays)
    .flat()
    .flatMap(([name, date]) => {
      const [said] = new RegExp(String.raw`(?<!\p{L})(?:${name.source})(?!\p{L})`, "iu").exec(question) ?? [];
      if (said === undefined) return [];
      const [month = 0, day = 0] = date.split("-").map(Number);
      const test = (text: string) =>
        text.includes(`-${date}`) ||
        [...text.matchAll(datesOfMonth)].some(([, first, range, last = first, name = ""]) => {
          if (monthNumber(name) !== month) return false;
          const [from, to] = [Number(first), Number(last)];
          return range ? from <= day && day <= to : from === day || to === day;
        });
      return meaningfulTerms(said).map((term): [string, Measure] => [
        term,
        { test, isIn: ({ text }) => test(text) },
      ]);
    });
}

const amount = String.raw`\d[\d.,\s]*`;
const measureStems = unitsOfMeasures.map(([words, units]): [Set<string>, RegExp] => [
  new Set(words.map(stem)),
  new RegExp(String.raw`${amount}(?:${units})(?![\p{L}/])`, "u"),
]);

const distanceStem = new Set([stem("distance")]);
const distances = new RegExp(
  String.raw`(?<!\p{L})${either(({ asks }) => asks?.answers.distances)}(?!\p{L})`,
  "giu",
);

const premises = new Set(["office", "premises", "shop", "building", "headquarters", "store"].map(stem));

const period = stem("period");
const lengthOfTime: Measure = { test: (text) => fitOf("howLong", text) === 1 };

function measuresIn(asked: string[], kind: AnswerKind): Map<string, Measure> {
  return new Map(
    asked.flatMap((term): [string, Measure][] => {
      // "Where is the office" is answered by an address.
      if (kind === "where" && standIns(term, premises).size > 0) return [[term, isAddress]];
      // "What is the warranty period" is answered by a length of time.
      if (kind === "howLong" && stem(term) === period) return [[term, lengthOfTime]];
      const pattern = measureStems.find(([stems]) => standIns(term, stems).size > 0)?.[1];
      if (!pattern) return [];
      const isFar = standIns(term, distanceStem).size > 0;
      // "200 m from the lock" is no depth.
      return [[term, isFar ? pattern : { test: (text) => pattern.test(text.replace(distances, " ")) }]];
    }),
  );
}
