// Owns numbers that a text writes in words and a question in digits: "five years" and "5 years".

import { either, everyOne } from "../../../edge-functions/_shared/language/rules.ts";
import { fold, stem } from "../../../edge-functions/answering/words.ts";

const inWords = new RegExp(`^(?:${either(({ numbers }) => numbers?.words)})$`, "iu");
/** The highest number that documents write in words. */
const highest = 30;
/** A number word of any language with its digits. From two: "one" is also a pronoun. */
const digitsOf = new Map(
  Array.from({ length: highest - 1 }, (_, at) => at + 2).flatMap((number) =>
    everyOne(({ numbers }) => numbers?.names(number))
      .flat()
      .filter((name) => inWords.test(name))
      .map((name): [string, string] => [fold(name), String(number)]),
  ),
);
const wordsOf = new Map<string, string[]>();
for (const [word, digits] of digitsOf)
  if (!/\P{L}/u.test(word)) wordsOf.set(digits, [...(wordsOf.get(digits) ?? []), stem(word)]);

/** @returns the words of these texts for a number in digits; none for any other term, since "neuf" is also "new" */
export const otherNumerals = (term: string, vocabulary: ReadonlySet<string>): string[] =>
  (wordsOf.get(term) ?? []).filter((other) => vocabulary.has(other));

const word = new RegExp(String.raw`(?<!\p{L})${either(({ numbers }) => numbers?.words)}(?!\p{L})`, "giu");

/** A text with its number words as digits. */
export const withDigits = (text: string): string =>
  text.replace(word, (said) => digitsOf.get(fold(said)) ?? said);
