// Owns numbers that a text or a question writes in words, and the other in digits: "five years" and "5 years", "£5" and "5 pounds".

import { everyOne } from "../../../edge-functions/_shared/language/rules.ts";
import { isSpan } from "../../../edge-functions/answering/answer-kinds.ts";
import { isUnit } from "../../../edge-functions/answering/units.ts";
import { fold, stem } from "../../../edge-functions/answering/words.ts";

/** The highest number that documents write in words. */
const highest = 99;
/** A cardinal of any language with its digits: the first name of a number, and those with a hyphen. From two: "one" is also a pronoun. */
const digitsOf = new Map(
  Array.from({ length: highest - 1 }, (_, at) => at + 2).flatMap((number) =>
    everyOne(({ numbers }) => numbers?.names(number))
      .flatMap((names) => names.filter((name, at) => at === 0 || name.includes("-")))
      .map((name): [string, string] => [fold(name), String(number)]),
  ),
);
const wordsOf = new Map<string, string[]>();
for (const [word, digits] of digitsOf)
  if (!/\P{L}/u.test(word)) wordsOf.set(digits, [...(wordsOf.get(digits) ?? []), stem(word)]);

/** @returns the words of these texts for a number in digits; none for any other term, since "neuf" is also "new" */
export const otherNumerals = (term: string, vocabulary: ReadonlySet<string>): string[] =>
  (wordsOf.get(term) ?? []).filter((other) => vocabulary.has(other));

/** The longest first: "dix-huit" is no "dix". */
const longest = [...digitsOf.keys()].sort((one, other) => other.length - one.length);
const word = new RegExp(
  String.raw`(?<!\p{L})(?:${longest.join("|").replaceAll("-", String.raw`[-\s]`)})(?!\p{L})`,
  "giu",
);

/** A text with its number words as digits. */
export const withDigits = (text: string): string =>
  text.replace(word, (said) => digitsOf.get(fold(said).replace(/\s/g, "-")) ?? said);

/** True when a text has a whole number only as a part of a decimal one: "0.20" for 20. */
export const isWithinNumber = (text: string, number: string) =>
  /^\d+$/.test(number) && !new RegExp(String.raw`(?<!\d|\d[.,])0*${number}(?!\d|[.,]\d)`).test(text);

const counted = new RegExp(`${word.source}(?=[\\s-]+(\\p{L}+))`, "giu");

/** A question with the number words of its measures as digits: "five years", but not "five people", where "five" may be a name. */
export const withMeasuresInDigits = (question: string): string =>
  question.replace(counted, (said, unit: string) =>
    isUnit(unit) || isSpan.test(unit) ? withDigits(said) : said,
  );

/** The signs of a currency, each with its word in the first language that has one. */
const signs = Object.entries({ EUR: "€|EUR", GBP: "£|GBP", USD: String.raw`\$|USD` }).map(
  ([code, sign]): [RegExp, string] => {
    const [names] = everyOne(({ numbers }) => numbers?.currencies[code as "EUR"]);
    const amount = String.raw`(?:${sign})\s?(\d(?:[\d.,]*\d)?)|(?<=\d)\s?(?:${sign})(?!\p{L})`;
    return [new RegExp(amount, "gu"), names?.at(-1) ?? code];
  },
);

/** A text with the signs of currencies as words behind their numbers: "£300" is "300 pounds". */
export const withCurrencyNames = (text: string): string =>
  signs.reduce((told, [sign, name]) => told.replace(sign, (_said, number = "") => `${number} ${name}`), text);
