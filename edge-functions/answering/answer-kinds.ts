// Owns which texts contain a requested kind of answer: a time, an amount, a person, an age, a rule. Does not read questions.

import type { Reading } from "../../locales/reading.ts";
import { edge, either, everyOne, oneOf, wordList } from "../_shared/language/rules.ts";
import { fold, isStopWord } from "./words.ts";

/**
 * The kind of answer: a person, a time, a time of day, a place, contact details, a price, an amount, a duration, a frequency, a count,
 * yes or no, instructions, or anything.
 */
export type AnswerKind =
  | "who"
  | "when"
  | "clock"
  | "where"
  | "phone"
  | "email"
  | "price"
  | "howMuch"
  | "howLong"
  | "howOften"
  | "howMany"
  | "yesNo"
  | "howTo"
  | "any";

const formless = new Set<AnswerKind>(["yesNo", "howTo", "any"]);
/** True for a kind that any sentence may be: only its words tell whether it answers. */
export const isFormless = (kind: AnswerKind) => formless.has(kind);

const answer = (name: keyof NonNullable<Reading["asks"]>["answers"]) =>
  either(({ asks }) => asks?.answers[name]);
const number = String.raw`\d|${edge}${either(({ numbers }) => numbers?.words)}${edge}`;
/** Matches the name of a month. */
export const months = oneOf(
  everyOne(({ dates }) => dates?.months).flatMap((own) => own.map((names) => names.split(" ")[0] ?? "")),
);
const days = oneOf(wordList(({ dates }) => dates?.days));
const ordinal = either(({ dates }) => dates?.ordinals);
const ordinalWord = either(({ dates }) => dates?.ordinalWords);
const spans = answer("spans");
/** A French year is an English article, unless a number precedes it. */
const longSpans = `(?!an${edge})${spans}`;

const money = oneOf(
  everyOne(({ numbers }) => numbers?.currencies).flatMap((own) => Object.values(own).flat()),
);
export const holdsMoney = new RegExp(
  String.raw`[€$£]\s?\d|\d\s?(?:[€$£]|(?:EUR|USD|GBP|CHF|${money})(?!\p{L}))|(?<!\p{L})${answer("amounts")}`,
  "iu",
);

export const isSpan = new RegExp(`^${spans}s?$`, "iu");
const startsWithSpan = new RegExp(String.raw`^[\s-]*${spans}`, "iu");

/** True when a text contains an amount of money, or says that there is no charge. */
export function isPriced(text: string): boolean {
  return holdsMoney.test(text);
}

const street = answer("streets");
/** A street with a number, or a postcode with a town. */
export const isAddress = new RegExp(
  String.raw`(?<![\d.,])\d{1,4}(?:\s?(?:bis|ter|[a-d]))?,?\s(?:\p{Lu}[\p{L}'’-]+\s){0,3}${street}(?!\p{L})|(?<!\d)\d{5}\s\p{Lu}\p{L}|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}${edge}`,
  "u",
);

const shortDay = oneOf(wordList(({ dates }) => dates?.days).map((day) => day.slice(0, 3)));
/** "Mon-Fri", "Tue, Thu", "lun. – ven.", and hours behind it: "9-17". */
const week = String.raw`\b(?:${shortDay})\.?\s?[-–—,/]\s?(?:${shortDay})${edge}`;
const clock = String.raw`${week}\.?[\s,:]{1,3}\d{1,2}\s?[-–—]\s?\d{1,2}(?!\d)|\b\d{1,2}[:h]\d{2}|\b\d{1,2}\s?h\b|\b\d{1,2}(?:[.:]\d{2})?\s?[ap]\.?m\b`;

/** A document is hostile: no repetition is unbounded where the pattern may begin at each of its characters. */
const fits: Record<AnswerKind, RegExp> = {
  who: new RegExp(
    String.raw`\p{Lu}\p{L}{1,60}[\s.-]+(?:\p{Lu}\p{L}{0,60}[\s.-]+)?\p{Lu}\p{L}|\S@\S|${edge}${answer("people")}${edge}`,
    "u",
  ),
  when: new RegExp(
    String.raw`\b(?:${months}|${days})s?\b|${week}|${clock}|\b\d{4}-\d{2}-\d{2}|\b\d{1,2}${ordinal}${edge}|\b(?:19|20)\d{2}${edge}|${edge}${ordinalWord}\s(?:${spans}|${days})|(?<!\p{L})(?:${answer("days")}|${answer("clocks")})(?!\p{L})`,
    "iu",
  ),
  clock: new RegExp(String.raw`${clock}|(?<!\p{L})${answer("clocks")}(?!\p{L})`, "iu"),
  where: new RegExp(
    String.raw`${isAddress.source}|${edge}${answer("prepositions")}\s+${answer("articles")}?[\p{Lu}]|https?:|www\.|\S@\S|${edge}${answer("places")}${edge}`,
    "u",
  ),
  phone: /(?<![\d.,])(?:\+|\()?\d(?:[\s()./-]{0,2}\d){6,}(?![\d.,]*\d)/u,
  email: /[^\s@]@[^\s@]+\.[^\s@]/u,
  howMuch: new RegExp(
    String.raw`${holdsMoney.source}|\d\s?%|\d\s?(?!${months})\p{L}{2,}|${edge}${either(({ numbers }) => numbers?.words)}\s\p{L}{2,}`,
    "iu",
  ),
  price: holdsMoney,
  howMany: new RegExp(number, "iu"),
  howLong: new RegExp(
    String.raw`(?:${number})(?:.{0,25}${edge}${longSpans}|\s?${spans}s?${edge})|${edge}${longSpans}s?\b`,
    "iu",
  ),
  howOften: new RegExp(String.raw`(?<!\p{L})${answer("frequencies")}(?!\p{L})`, "iu"),
  yesNo: /./u,
  howTo: /./u,
  any: /./u,
};

const ruled = new RegExp(String.raw`(?<!\p{L})${answer("rules")}(?!\p{L})`, "iu");

/** True when a text allows, forbids or requires something. */
export function isRule(text: string): boolean {
  return ruled.test(text);
}

/** Patterns of likely answers, for texts without an exact one: "after the summer" may be a time, and 4455 a phone number. */
const mayFit: Partial<Record<AnswerKind, RegExp>> = {
  when: new RegExp(`${edge}${answer("moments")}${edge}`, "iu"),
  clock: /\d/,
  price: new RegExp(`${number}|[€$£%]`, "iu"),
  howMuch: new RegExp(`${number}|[€$£%]`, "iu"),
  howOften: new RegExp(number, "iu"),
  phone: /\d{3}/,
};

/** True for kinds whose value a table cell contains without its unit. A time or phone number is rarely expressed in other words. */
const isAmount = (kind: AnswerKind) => kind === "price" || kind === "howMuch";

/** How well a text contains the requested kind: 1 for an exact match, less for a likely one, least for none. */
export function fitOf(kind: AnswerKind, text: string): number {
  if (fits[kind].test(text)) return 1;
  return mayFit[kind]?.test(text) ? (isAmount(kind) ? 0.85 : 0.75) : 0.55;
}

export const ageBound = new RegExp(
  String.raw`(?<![\p{L}\d])${either(({ asks }) => asks?.answers.ages)}(?!\p{L})`,
  "iu",
);
const personWithAge = new RegExp(
  String.raw`(?<!\p{L})${answer("personBeforeAge")}\s(\d{1,2})(?=\s*(?:[,;.?!]|$)|\s(\p{L}+))`,
  "giu",
);

/** The numbers of a question that are somebody's age: "a 12 year old", "I'm 67". */
export function agesIn(question: string): Set<string> {
  const limits = [...question.matchAll(new RegExp(ageBound.source, "giu"))].filter(({ 0: said, index }) =>
    isYear.test(question.slice(index + said.search(/\d+\D*$/)).replace(/^\d+[\s-]*/, "")),
  );
  const people = [...question.matchAll(personWithAge)].filter(
    ([, , next = ""]) => !next || isStopWord(fold(next)),
  );
  return new Set([
    ...limits.flatMap(([said]) => said.match(/\d+/g) ?? []),
    ...people.flatMap(([, number = ""]) => number),
  ]);
}

const isYear = new RegExp(String.raw`^\s*${either(({ tables }) => tables?.year)}(?!\p{L})`, "iu");

/** True when a text contains an age: "from 16", "aged 8 to 14". "At least 15 days" is none. */
export function isAged(text: string): boolean {
  return [...text.matchAll(new RegExp(ageBound.source, "giu"))].some(({ 0: said, index }) => {
    const rest = text.slice(index + said.length);
    return isYear.test(rest) || !startsWithSpan.test(rest);
  });
}
