// Owns what a question asks for: its language, its kind of answer, and the words that an answer must speak of.

import {
  either,
  eitherOf,
  everyOne,
  type LanguageCode,
  oneOf,
  wordList,
} from "../../../edge-functions/_shared/language/rules.ts";
import {
  isKnownName,
  isKnownWord,
  meaningfulTerms,
  standIns,
} from "../../../edge-functions/answering/lexicon.ts";
import { fold, isStopWord, languageOf, stem, words } from "../../../edge-functions/answering/words.ts";
import type { Reading } from "../../../locales/reading.ts";

/** What would answer: a person, a moment, a place, how to reach somebody, a price, an amount, a length of time, how often, a count, yes or no, what to
 * do, or anything. */
export type AnswerKind =
  | "who"
  | "when"
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

export type Asked = {
  language: LanguageCode;
  kind: AnswerKind;
  terms: string[];
  /** Terms that name one thing: a place, a person, an article. Without them nothing is an answer. */
  names: Set<string>;
  /** Words with a capital that are little words without one: a plan called "Plus". As they are written. */
  littleNames: Set<string>;
  /** Terms of the questions before it alone. */
  earlier: Set<string>;
  /** Terms that ask for a price, a number to call or an address, which such a thing answers without repeating them. */
  told: Set<string>;
  /** Terms that ask for a measure, with what a text holds that tells it: "8 km/h" tells a speed without that word. */
  measures: Map<string, { test(text: string): boolean }>;
  /** Of "how many rooms": the term for what is counted. */
  counted?: string;
  /** Of "what is the salary of …": the term for what is asked of something. */
  attribute?: string;
  /** Neighbouring words, of which at least one carries meaning. */
  pairs: Set<string>;
  isDenied: boolean;
  /** Whether it asks if something is allowed, or must be done. */
  asksRule: boolean;
};

/** Neighbouring words of a text, of which at least one carries meaning. */
export function pairsIn(text: string): string[] {
  const all = words(text);
  return all
    .slice(1)
    .map((word, i): [string, string] => [all[i] ?? "", word])
    .filter(([a, b]) => !isQuestionWord(a) && !isQuestionWord(b) && !(isGlue(a) && isGlue(b)))
    .map(([a, b]) => `${stem(a)} ${stem(b)}`);
}

const glue = new Set(wordList(({ asks }) => asks?.glue));
const isGlue = (word: string) => glue.has(word);
const questionWords = new Set(wordList(({ asks }) => asks?.questionWords));
const isQuestionWord = (word: string) => questionWords.has(word);

const denying = eitherOf(({ denials }) => denials?.sentence);

export function isDenied(text: string): boolean {
  return denying.test(text);
}

const attributeOf = new RegExp(
  String.raw`^\W*${either(({ asks }) => asks?.attributeOf)}\s*(\p{L}[\p{L}-]+)\s+${either(({ asks }) => asks?.of)}`,
  "iu",
);
const priceWord = new RegExp(
  String.raw`(?<!\p{L})${either(({ tables }) => tables?.priceWords)}(?!\p{L})`,
  "iu",
);
const asksPrice = new RegExp(String.raw`^\W*${either(({ tables }) => tables?.asksPrice)}`, "iu");

/** The measure that is asked for; an answer need not repeat the word. */
const measured = eitherOf(({ asks }) => asks?.measured, "giu");

/** In the order in which they are tried. */
const kinds = (
  [
    ["phone", "phone"],
    ["email", "email"],
    ["when", "date"],
    ["howMany", "length"],
    ["howOften", "howOften"],
    ["howLong", "howLong"],
    ["howMuch", "howMuch"],
    ["howMany", "howMany"],
    ["when", "when"],
    ["who", "who"],
    ["where", "where"],
    ["howTo", "howTo"],
    ["yesNo", "yesNo"],
  ] as const
).map(([kind, name]): [AnswerKind, RegExp] => [kind, eitherOf(({ asks }) => asks?.[name])]);

/** @param text a question, behind the earlier ones that it leans on where it does */
export function readQuestion(text: string): Asked {
  const [earlier, last] = lastOf(text.trim());
  const names = namesIn(last);
  // "And in Amsterdam?" asks the same of another place.
  const replaced = names.size > 0 ? namesIn(earlier) : new Set<string>();
  const kindOf = (one: string) => {
    const first = kinds.find(([, pattern]) => pattern.test(one))?.[0];
    const kind = first === "when" ? beforeWhen(one) : first;
    return kind === "howMuch" && (priceWord.test(one) || asksPrice.test(one)) ? "price" : kind;
  };
  const kind = kindOf(last) ?? kindOf(earlier) ?? "any";
  const lastTerms = new Set(meaningfulTerms(last));
  const terms = meaningfulTerms(`${earlier} ${last}`.replace(measured, " "));
  return {
    language: languageOf(text),
    kind,
    terms: [...new Set(terms)].filter((term) => names.has(term) || !replaced.has(term)),
    names: names.size > 0 ? names : namesIn(earlier),
    littleNames: littleNamesIn(last),
    earlier: new Set(meaningfulTerms(earlier).filter((term) => !lastTerms.has(term))),
    told: new Set(toldBy(kind, last, terms)),
    measures: new Map([...numbersIn(last, kind), ...measuresIn(terms)]),
    ...(kind === "howMany" && { counted: meaningfulTerms(behindCount.exec(last)?.[1] ?? "")[0] }),
    attribute: meaningfulTerms(attributeOf.exec(last)?.[1] ?? "")[0],
    pairs: new Set(pairsIn(text)),
    isDenied: isDenied(text),
    asksRule: permission.test(last) && !["price", "howMuch", "phone", "email", "who", "where"].includes(kind),
  };
}

const permission = eitherOf(({ asks }) => asks?.permission, "iu");

const ageBound = new RegExp(
  String.raw`(?<![\p{L}\d])${either(({ asks }) => asks?.answers.ages)}(?!\p{L})`,
  "iu",
);
const numberOf = /(?<![\p{L}\p{N}.,-])(\d{1,6})[\s-]+(\p{L}{2,})/gu;

const bound = String.raw`(?<!\p{L})(?:(?<most>${either(({ asks }) => asks?.answers.atMost)})|(?<more>${either(({ asks }) => asks?.answers.moreThan)}))?\s*(?<number>\d[\d.,\s]*)`;

/**
 * "700 euros" is told by any number of euros, and an age by a bound of age: what is asked falls on one side of a rule. Who asks what
 * holds for it is told by a rule on its own side alone; whoever asks whether it is allowed, by either.
 */
function numbersIn(question: string, kind: AnswerKind): Map<string, { test(text: string): boolean }> {
  const isEither = kind === "yesNo" || kind === "any";
  const measured = [...question.matchAll(numberOf)].filter(
    ([said, , unit = ""]) => isSpan.test(unit) || holdsMoney.test(said) || ageBound.test(said),
  );
  return new Map(
    measured.map(([said, digits = "", unit = ""]) => {
      const asked = Number(digits);
      const of = new RegExp(String.raw`${bound}[\s-]+${unit.replace(/s$/iu, "")}`, "giu");
      const holds = (text: string) =>
        [...text.matchAll(of)].some(({ groups: { most, more, number = "" } = {} }) => {
          const told = Number(number.replace(/[\s.,](?=\d{3}(?!\d))/g, "").replace(",", "."));
          return isEither || ((!most || asked <= told) && (!more || asked >= told));
        });
      const test = ageBound.test(said) ? (text: string) => ageBound.test(text) : holds;
      return [String(asked), { test }] as const;
    }),
  );
}

const whenWords = eitherOf(({ asks }) => asks?.when);

/** Whoever asks who does something when something happens asks for a person: of these words the first one asks. */
function beforeWhen(question: string): AnswerKind {
  const at = whenWords.exec(question)?.index ?? 0;
  const before = question.slice(0, at);
  return (
    kinds.find(([kind, pattern]) => ["who", "where"].includes(kind) && pattern.test(before))?.[0] ?? "when"
  );
}

const behindCount = new RegExp(
  String.raw`${either(({ tables }) => tables?.measure.howMany)}\s*(.{1,60})`,
  "iu",
);

const amount = String.raw`\d[\d.,\s]*`;
/** Words for a measure, by one of each meaning, and its units. */
const measureUnits: [string[], RegExp][] = [
  [["weight"], new RegExp(String.raw`${amount}(?:kg|g|t|lbs?)(?!\p{L})`, "u")],
  [["speed"], new RegExp(String.raw`${amount}(?:km/h|mph|m/s)(?!\p{L})`, "u")],
  [
    ["size", "length", "height", "width", "depth"],
    new RegExp(String.raw`${amount}(?:mm|cm|m)(?!\p{L})`, "u"),
  ],
  [["distance"], new RegExp(String.raw`${amount}(?:km|m)(?!\p{L}|/)`, "u")],
  [["surface"], new RegExp(String.raw`${amount}(?:m²|m2|ha)`, "u")],
  [["temperature"], new RegExp(`${amount}°`, "u")],
];
const measureStems = measureUnits.map(([words, pattern]): [Set<string>, RegExp] => [
  new Set(words.map(stem)),
  pattern,
]);

function measuresIn(asked: string[]): Map<string, RegExp> {
  return new Map(
    asked.flatMap((term) => {
      const pattern = measureStems.find(([stems]) => standIns(term, stems).size > 0)?.[1];
      return pattern ? [[term, pattern] as const] : [];
    }),
  );
}

/** Words that begin with a capital after the first one, and codes such as BT-750. */
function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu)) {
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, index));
    // "8-year-old" is an age.
    const isCode = /\d/.test(word) && /\p{L}/u.test(word) && !/^\d+(?:-\p{Ll}+)+$/u.test(word);
    // "CEO" and "VAT" are words of the language.
    const isWord = /^\p{Lu}+$/u.test(word) && isKnownWord(stem(fold(word)));
    const isName = /^\p{Lu}/u.test(word) && !isFirst && !isWord && !/[.!?]\s*$/.test(text.slice(0, index));
    const [only, ...more] = words(word);
    if (!isCode && (!isName || !only || isStopWord(only))) continue;
    for (const term of meaningfulTerms(more.length === 0 || isCode ? word : (only ?? ""))) found.add(term);
  }
  for (const term of meaningfulTerms(text)) if (isKnownName(term)) found.add(term);
  return found;
}

const callWords = new Set(["phone", "number"].map(stem));
const mailWords = new Set(["email", "address"].map(stem));

function toldBy(kind: AnswerKind, question: string, asked: string[]): string[] {
  if (kind === "price")
    return meaningfulTerms((question.match(new RegExp(priceWord, "giu")) ?? []).join(" "));
  const words = kind === "phone" ? callWords : kind === "email" ? mailWords : new Set<string>();
  return asked.filter((term) => standIns(term, words).size > 0);
}

function littleNamesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: word } of text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}\p{Ll}+(?![\p{L}-])/gu)) {
    const [only] = words(word);
    if (only && isStopWord(only)) found.add(word);
  }
  return found;
}

const answer = (name: keyof NonNullable<Reading["asks"]>["answers"]) =>
  either(({ asks }) => asks?.answers[name]);
const number = String.raw`\d|\b${either(({ numbers }) => numbers?.words)}\b`;
const months = oneOf(
  everyOne(({ dates }) => dates?.months).flatMap((own) => own.map((names) => names.split(" ")[0] ?? "")),
);
const days = oneOf(wordList(({ dates }) => dates?.days));
const ordinal = either(({ dates }) => dates?.ordinals);
const spans = answer("spans");

const money = oneOf(
  everyOne(({ numbers }) => numbers?.currencies).flatMap((own) => Object.values(own).flat()),
);
const holdsMoney = new RegExp(
  String.raw`[€$£]\s?\d|\d\s?(?:[€$£]|(?:EUR|USD|GBP|CHF|${money})(?!\p{L}))|(?<!\p{L})${answer("amounts")}`,
  "iu",
);

const isSpan = new RegExp(`^${spans}s?$`, "iu");

/** Whether a text holds an amount of money, or says that there is none to pay. */
export function isPriced(text: string): boolean {
  return holdsMoney.test(text);
}

const fits: Record<AnswerKind, RegExp> = {
  who: new RegExp(
    String.raw`\p{Lu}\p{L}+[\s.-]+(?:\p{Lu}\p{L}*[\s.-]+)?\p{Lu}\p{L}+|\S+@\S+|\b${answer("people")}\b`,
    "u",
  ),
  when: new RegExp(
    String.raw`\b(?:${months}|${days})s?\b|\b\d{1,2}[:h]\d{2}|\b\d{1,2}\s?h\b|\b\d{1,2}(?:[.:]\d{2})?\s?[ap]\.?m\b|\b\d{4}-\d{2}-\d{2}|\b\d{1,2}${ordinal}\b|\b(?:19|20)\d{2}\b`,
    "iu",
  ),
  where: new RegExp(
    String.raw`\b${answer("prepositions")}\s+${answer("articles")}?[\p{Lu}]|https?:|www\.|\S+@\S+|\b${answer("places")}\b`,
    "u",
  ),
  phone: /(?<![\d.,])(?:\+|\()?\d(?:[\s()./-]{0,2}\d){6,}(?![\d.,]*\d)/u,
  email: /\S+@\S+\.\S+/u,
  howMuch: new RegExp(
    String.raw`${holdsMoney.source}|\d\s?%|\d\s?(?!${months})\p{L}{2,}|\b${either(({ numbers }) => numbers?.words)}\s\p{L}{2,}`,
    "iu",
  ),
  price: holdsMoney,
  howMany: new RegExp(number, "iu"),
  howLong: new RegExp(String.raw`(?:${number}).{0,25}\b${spans}|\b${spans}s?\b`, "iu"),
  howOften: new RegExp(String.raw`(?<!\p{L})${answer("frequencies")}(?!\p{L})`, "iu"),
  yesNo: /./u,
  howTo: /./u,
  any: /./u,
};

const ruled = new RegExp(String.raw`(?<!\p{L})${answer("rules")}(?!\p{L})`, "iu");

/** Whether a text allows, forbids or demands something. */
export function isRule(text: string): boolean {
  return ruled.test(text);
}

/** What may answer where nothing says it exactly: "after the summer" is a moment, and 4455 a number to call. */
const mayFit: Partial<Record<AnswerKind, RegExp>> = {
  when: new RegExp(String.raw`\b${answer("moments")}\b`, "iu"),
  price: new RegExp(`${number}|[€$£%]`, "iu"),
  howMuch: new RegExp(`${number}|[€$£%]`, "iu"),
  howOften: new RegExp(number, "iu"),
  phone: /\d{3}/,
};

/** A cell holds an amount without its unit; a moment or a number to call is hardly ever held by other words. */
const isAmount = (kind: AnswerKind) => kind === "price" || kind === "howMuch";

/** How well a text holds the kind of thing that was asked for: 1 exactly, less where it only may, and least where it does not. */
export function fitOf(kind: AnswerKind, text: string): number {
  if (fits[kind].test(text)) return 1;
  return mayFit[kind]?.test(text) ? (isAmount(kind) ? 0.85 : 0.75) : 0.55;
}

/** What comes before the last question, and that question; a number or a word of thanks behind one is none of its own. */
function lastOf(text: string): [earlier: string, last: string] {
  const [, earlier = "", last = ""] = /^(.*\?\S*\s+)(\S.*)$/s.exec(text) ?? [];
  return (last.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? [earlier, last] : ["", text];
}
