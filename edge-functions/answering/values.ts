// Owns whether the numbers, dates, times, amounts and percentages of a sentence occur in a text, compared as values. Pure. An
// ambiguous value counts as present when any of its readings is.
import { either, everyOne, oneOf } from "../_shared/language/rules.ts";
import { monthOf, namesOfMonth, type Token, valueTokens, withoutMarks } from "./facts.ts";
import { fold } from "./words.ts";

type Value = { token: Token; unit: string };

/** The maximum characters between a number and its unit. */
const longestUnit = 20;

/** The values of a text, indexed for many look-ups. */
export type HeldValues = { has: Set<string>; units: Map<string, Set<string>>; text: string };

const namesOfCurrency = (code: "EUR" | "USD" | "GBP") =>
  oneOf(
    everyOne(({ numbers }) => numbers?.currencies[code])
      .flat()
      .map(fold),
  );
const percent = either(({ numbers }) => numbers?.percent);
const unitBehind = new RegExp(
  String.raw`^ ?(?:(%|${percent})|(€|(?:${namesOfCurrency("EUR")}|eur)(?![a-z]))|(\$|(?:${namesOfCurrency("USD")}|usd)(?![a-z]))|(£|(?:${namesOfCurrency("GBP")}|gbp)(?![a-z])))`,
);
const unitBefore = /(?:(€|eur)|(\$|usd)|(£|gbp)) ?$/;
const magnitudes: [RegExp, number][] = [
  [new RegExp(`^ ?(?:k(?![a-z])|${either(({ numbers }) => numbers?.thousand)})`), 1e3],
  [new RegExp(`^ ?(?:m(?![a-z])|${either(({ numbers }) => numbers?.million)}|mio(?![a-z]))`), 1e6],
  [new RegExp(`^ ?(?:bn(?![a-z])|${either(({ numbers }) => numbers?.billion)})`), 1e9],
];

/** The values of a text, in order, without the numbers of list items. */
export function valuesIn(text: string): Value[] {
  return read(withoutMarks(text));
}

function read(text: string): Value[] {
  return valueTokens(text).flatMap(({ token, start, end }) => {
    const behind = text.slice(end, end + longestUnit);
    const before = text.slice(Math.max(0, start - 5), start);
    const [, percent, eur, usd, gbp] = unitBehind.exec(behind) ?? [];
    const [, eurBefore, usdBefore, gbpBefore] = unitBefore.exec(before) ?? [];
    const unit = percent
      ? "%"
      : eur || eurBefore
        ? "eur"
        : usd || usdBefore
          ? "usd"
          : gbp || gbpBefore
            ? "gbp"
            : "";
    return [{ token: [...token, ...monthOrMagnitude(token, text, start, behind)], unit }];
  });
}

/** "April 2026" is a month, "1.5 million" is 1,500,000 too. */
function monthOrMagnitude(token: Token, text: string, start: number, behind: string): Token {
  const numbers = token.flatMap((one) => (one.startsWith("number:") ? [Number(one.slice(7))] : []));
  const [first] = numbers;
  if (first === undefined) return [];
  const word = /([a-z]+\.?) $/.exec(text.slice(Math.max(0, start - 12), start))?.[1];
  const month = word && first >= 1900 && first < 2200 ? monthOf(word) : undefined;
  if (month) return [`month:${first}-${month}`];
  const times = magnitudes.find(([pattern]) => pattern.test(behind))?.[1];
  return times ? numbers.map((one) => `number:${Math.round(one * times * 1e6) / 1e6}`) : [];
}

export function holdValues(text: string): HeldValues {
  const plain = withoutMarks(text);
  const has = new Set<string>();
  const units = new Map<string, Set<string>>();
  for (const { token, unit } of read(plain)) {
    for (const one of token.flatMap(impliedValues)) {
      has.add(one);
      const known = units.get(one) ?? new Set();
      units.set(one, known.add(unit));
    }
  }
  // "in 2026 100 people" may be read as one number.
  for (const [run] of plain.matchAll(/\d{1,3}(?: \d{3})+/g)) {
    for (const part of run.split(" ")) has.add(`number:${Number(part)}`);
  }
  return { has, units, text: plain };
}

/** The values implied by another: a date's year, month and day of the year; a time's hour. */
function impliedValues(one: string): string[] {
  const [, year = "", month = "", day = ""] = /^date:(\*|\d{4})-(\d\d)-(\d\d)$/.exec(one) ?? [];
  if (month) {
    const dated = year === "*" ? [] : [`number:${Number(year)}`, `month:${Number(year)}-${Number(month)}`];
    return [one, `day:${month}-${day}`, `number:${Number(day)}`, ...dated];
  }
  const [, hour] = /^time:(\d+):\d+$/.exec(one) ?? [];
  if (hour) return [one, `number:${hour}`];
  const [, monthYear] = /^month:(\d+)-\d+$/.exec(one) ?? [];
  return monthYear ? [one, `number:${monthYear}`] : [one];
}

/** Looks a value up in a text: "there", "absent", or "otherUnit" when the number occurs with another unit. */
export function findValue({ token, unit }: Value, held: HeldValues): "there" | "absent" | "otherUnit" {
  const month = token.find((one) => one.startsWith("month:"));
  if (month) return held.has.has(month) || isMonthIn(month, held) ? "there" : "absent";
  const found = token.flatMap(readings).filter((one) => held.has.has(one));
  if (found.length === 0)
    return token.flatMap(readings).some((one) => isSpelledIn(one, held.text)) ? "there" : "absent";
  if (unit === "") return "there";
  const units = new Set(found.flatMap((one) => [...(held.units.get(one) ?? [])]));
  // Without a unit in the text, as below a table's header, there is nothing to compare.
  return units.has(unit) || units.has("") || units.size === 0 ? "there" : "otherUnit";
}

/** The other forms that a value may have in a text. */
function readings(one: string): string[] {
  const [, year, rest] = /^date:(\*|\d{4})-(\d\d-\d\d)$/.exec(one) ?? [];
  if (rest) return year === "*" ? [`day:${rest}`] : [one, `date:*-${rest}`];
  const [, hour, minute] = /^time:(\d+):(\d+)$/.exec(one) ?? [];
  if (hour === undefined || minute !== "0") return [one];
  return [one, `number:${hour}`, ...(Number(hour) > 12 ? [`number:${Number(hour) - 12}`] : [])];
}

/** "In March", with the year elsewhere. */
function isMonthIn(value: string, { has, text }: HeldValues): boolean {
  const [, year, month] = /^month:(\d+)-(\d+)$/.exec(value) ?? [];
  if (!has.has(`number:${year}`)) return false;
  return namesOfMonth(Number(month)).some((name) => new RegExp(`(?<![a-z])${name}(?![a-z])`).test(text));
}

/** True when a whole number up to a thousand is spelled out as a number of its own: "forty-five" contains neither 40 nor 5. */
function isSpelledIn(one: string, text: string): boolean {
  const [, digits] = /^number:(\d{1,4})$/.exec(one) ?? [];
  if (!digits) return false;
  const spelled = namesOf(Number(digits)).map(withSpaces);
  if (spelled.length === 0) return false;
  const words = text.split(/[^a-z]+/).filter(Boolean);
  return spelled.some((name) => {
    const length = name.split(" ").length;
    return words.some(
      (_, at) => words.slice(at, at + length).join(" ") === name && !isPartOfNumber(words, at, at + length),
    );
  });
}

const withSpaces = (name: string) => name.replaceAll("-", " ");

/** True when the words around a range turn it into another number. */
function isPartOfNumber(words: string[], from: number, to: number): boolean {
  const { numbers, multiples } = spelledNumbers();
  const wordsBetween = (start: number, end: number) => words.slice(Math.max(0, start), end).join(" ");
  const isMultiplied = multiples.has(wordsBetween(to, to + 1)) && numbers.has(wordsBetween(from, to));
  const multiplies =
    multiples.has(wordsBetween(from, to)) &&
    numbers.has(wordsBetween(from - 1, from)) &&
    !isOne(wordsBetween(from - 1, from));
  // The word between two number words may join them: "vingt et un".
  const isJoined = [1, 2].some(
    (n) =>
      (to + n <= words.length && numbers.has(wordsBetween(from, to + n))) ||
      (from >= n && numbers.has(wordsBetween(from - n, to))),
  );
  return isMultiplied || multiplies || isJoined;
}

const namesOf = (number: number): string[] =>
  everyOne(({ numbers }) => numbers?.names(number))
    .flat()
    .filter(Boolean);

const isOne = (word: string) => namesOf(1).includes(word);

let spelled: { numbers: Set<string>; multiples: Set<string> } | undefined;

/** The spelled-out numbers below a hundred, and the words for multiples of hundred and thousand. */
function spelledNumbers() {
  spelled ??= {
    numbers: new Set(
      everyOne(({ numbers }) => numbers?.names).flatMap((names) =>
        Array.from({ length: 100 }, (_, at) => names(at)).flatMap(([name = "", ...others]) =>
          [name, ...others.filter((other) => other.includes("-"))].map(withSpaces),
        ),
      ),
    ),
    multiples: new Set(
      everyOne(({ numbers }) => numbers?.names).flatMap((names) =>
        [100, 1000].map((size) => names(size)[0] ?? ""),
      ),
    ),
  };
  return spelled;
}
