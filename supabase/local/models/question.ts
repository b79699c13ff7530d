// Owns the analysis of a question: its language, its kind of answer, and the terms that an answer must contain.

import {
  either,
  eitherOf,
  type LanguageCode,
  wordList,
} from "../../../edge-functions/_shared/language/rules.ts";
import { type AnswerKind, isAged } from "../../../edge-functions/answering/answer-kinds.ts";
import {
  isKnownName,
  isKnownWord,
  meaningfulTerms,
  standIns,
} from "../../../edge-functions/answering/lexicon.ts";
import {
  ageTermsIn,
  isQuestionWord,
  kindOf,
  lastOf,
  priceWord,
} from "../../../edge-functions/answering/question-kind.ts";
import { replyLanguageOf } from "../../../edge-functions/answering/reply-language.ts";
import {
  fold,
  isStopWord,
  isTalk,
  likelyLanguage,
  stem,
  withoutMeasure,
  words,
} from "../../../edge-functions/answering/words.ts";
import { type Measure, measuresOf } from "./measures.ts";
import { withMeasuresInDigits } from "./numerals.ts";

export type Asked = {
  /** The question without the earlier ones, as written. */
  last: string;
  language: LanguageCode;
  /** The same; null when the question's function words do not tell. */
  askedIn: LanguageCode | null;
  kind: AnswerKind;
  terms: string[];
  /** The question's words by their stems, as written; nouns after an article are capitalised. */
  written: Map<string, string[]>;
  /** Terms that name one thing: a place, a person, an article. No text without them is an answer. */
  names: Set<string>;
  /** Capitalised words that are function words in lower case: a plan called "Plus". As written. */
  littleNames: Set<string>;
  /** Terms that occur only in the earlier questions. */
  earlier: Set<string>;
  /** Terms that ask for a price, a phone number or an address, which a text answers without repeating them. */
  told: Set<string>;
  /** Terms that ask for a measure, with a pattern of texts that answer them: "8 km/h" answers "speed" without that word. */
  measures: Map<string, Measure>;
  /** In "how many rooms": the term that is counted. */
  counted?: string;
  /** In "what is the salary of …": the attribute in question. */
  attribute?: string;
  /** Pairs of neighbouring words, neither of which is an article, a preposition or a question word. */
  pairs: Set<string>;
  /** Pairs of neighbouring words, both of which are significant: "full week". */
  phrases: Set<string>;
  isDenied: boolean;
  /** In a question whether a thing exists or is offered: the terms of that thing. */
  sought: Set<string>;
  /** In a question what a thing is: the terms of that thing. */
  defined: Set<string>;
  /** True when the question asks how old somebody is or must be. */
  asksAge: boolean;
  /** True when the question asks whether something is allowed or required. */
  asksRule: boolean;
};

/** Pairs of neighbouring words in a text, neither of which is an article, a preposition or a question word. */
export function pairsIn(text: string): string[] {
  const all = words(text);
  return all
    .slice(1)
    .map((word, i): [string, string] => [all[i] ?? "", word])
    .filter(([a, b]) => !isQuestionWord(a) && !isQuestionWord(b) && !isGlue(a) && !isGlue(b))
    .map(([a, b]) => `${stem(a)} ${stem(b)}`);
}

/** Pairs of neighbouring words in a text, neither of which is a stop word. */
export function phrasesIn(text: string): string[] {
  const all = words(text);
  return all
    .slice(1)
    .map((word, i): [string, string] => [all[i] ?? "", word])
    .filter((pair) => !pair.some(isStopWord))
    .map((pair) => pair.map(stem).join(" "));
}

const glue = new Set(wordList(({ asks }) => asks?.glue));
const isGlue = (word: string) => glue.has(word);

const asking = new Set(wordList(({ asks }) => asks?.verbs).map(stem));
/** True for a verb that only asks, and does not name the subject: "held" in "When is it held?". */
export const isAsking = (term: string) => asking.has(term);

const denying = eitherOf(({ denials }) => denials?.sentence);

export function isDenied(text: string): boolean {
  return denying.test(text);
}

const attributeOf = new RegExp(
  String.raw`^\W*${either(({ asks }) => asks?.attributeOf)}\s*(\p{L}[\p{L}-]+)\s+${either(({ asks }) => asks?.of)}`,
  "iu",
);
/** "Energy rating of the house": the same without a verb. */
const bareAttributeOf = new RegExp(
  String.raw`^\W*(?:\p{L}[\p{L}-]*\s+){0,2}?(\p{L}[\p{L}-]+)\s+${either(({ asks }) => asks?.of)}`,
  "iu",
);
/** @param text a question, preceded by the earlier ones that it refers to */
export function readQuestion(said: string): Asked {
  const text = withMeasuresInDigits(said);
  const [earlier, last] = lastOf(text.trim());
  const names = namesIn(last);
  // "And in Amsterdam?" repeats the question for another place.
  const replaced = names.size > 0 ? namesIn(earlier) : new Set<string>();
  const kind = kindOf(last) ?? kindOf(earlier) ?? "any";
  const defined = new Set(kind === "any" ? thingIn(last) : []);
  const lastTerms = new Set(meaningfulTerms(last));
  const significant = meaningfulTerms(withoutMeasure(`${earlier} ${last}`));
  const ages = significant.length > 0 ? [] : ageTermsIn(last);
  const terms = [...significant, ...ages];
  return {
    last,
    language: replyLanguageOf(text),
    askedIn: likelyLanguage(text),
    kind,
    written: formsOf(`${earlier} ${last}`),
    // "What does Lumo mean?" is answered without "mean".
    terms: [...new Set(terms)].filter(
      (term) =>
        (names.has(term) || !replaced.has(term)) &&
        (defined.size === 0 || defined.has(term) || !lastTerms.has(term)),
    ),
    names: names.size > 0 ? names : namesIn(earlier),
    littleNames: littleNamesIn(last),
    earlier: new Set(meaningfulTerms(earlier).filter((term) => !lastTerms.has(term))),
    told: new Set(wordsOfKind(kind, last, terms)),
    measures: new Map([
      ...measuresOf(last, kind, terms),
      ...ages.map((term) => [term, { test: isAged }] as const),
    ]),
    ...(kind === "howMany" && { counted: meaningfulTerms(behindCount.exec(last)?.[1] ?? "")[0] }),
    attribute: meaningfulTerms(attributeIn(last))[0],
    pairs: new Set(pairsIn(text)),
    phrases: new Set(phrasesIn(text)),
    isDenied: isDenied(text),
    sought: new Set(existence.test(last) ? meaningfulTerms(last.replace(existence, " ")) : []),
    defined,
    asksAge: age.test(last),
    asksRule: permission.test(last) && !["price", "howMuch", "phone", "email", "who", "where"].includes(kind),
  };
}

const thingIn = (text: string) =>
  definition.test(text) ? meaningfulTerms(text.replace(definition, " ")).filter((term) => !isTalk(term)) : [];
const nounAfter = eitherOf(({ asks }) => asks?.nounAfter, "giu");
const agent = eitherOf(({ words }) => words.agent);

function formsOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const nouns = new Set([...text.matchAll(nounAfter)].flatMap(([, noun = ""]) => words(noun)));
  for (const word of words(text)) {
    const said = nouns.has(word) ? word.toUpperCase() : word;
    found.set(stem(word), [...(found.get(stem(word)) ?? []), said]);
  }
  return found;
}

/**
 * True for two words that only share a stem: a "car" and "care", or the noun "office" and an "officer".
 * @param asked as in Asked.written @param told a word of a text, folded @param isOneLanguage of the question and the text
 */
export function isOtherWord(asked: string, told: string, isOneLanguage = true): boolean {
  const own = asked.toLowerCase();
  const [short = "", long = ""] = own.length < told.length ? [own, told] : [told, own];
  if (isOneLanguage && short.length === 3 && long === `${short}e`) return true;
  return asked !== own && agent.exec(told)?.[1] === own.replace(/e$/, "");
}

function attributeIn(question: string): string {
  const asked = attributeOf.exec(question)?.[1];
  const isPhrase = !words(question).some(isQuestionWord);
  return asked ?? (isPhrase ? bareAttributeOf.exec(question)?.[1] : undefined) ?? "";
}

const permission = eitherOf(({ asks }) => asks?.permission, "iu");
const existence = eitherOf(({ asks }) => asks?.exists, "iu");
const definition = eitherOf(({ asks }) => asks?.defines);
const age = eitherOf(({ asks }) => asks?.age, "iu");
const behindCount = new RegExp(
  String.raw`${either(({ tables }) => tables?.measure.howMany)}\s*(.{1,60})`,
  "iu",
);

/** An age, a time, an amount with its unit, a unit or a size, which is no code: "8-year-old", "15h", "15h30", "8kg", "m3", "8x4". */
const isMeasure = /^(?:\d+(?:(?:-\p{Ll}+)+|\p{Ll}{1,2}|h\d{2}|(?:x\d+)+)|\d*[cdk]?m[23²³])$/u;

/** Capitalised words after the first one, and codes such as BT-750. */
function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu)) {
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, index));
    const isCode = /\d/.test(word) && /\p{L}/u.test(word) && !isMeasure.test(word);
    // "CEO" and "VAT" are ordinary words, not names.
    const isWord = /^\p{Lu}+$/u.test(word) && isKnownWord(stem(fold(word)));
    const isName = /^\p{Lu}/u.test(word) && !isFirst && !isWord && !/[.!?]\s*$/.test(text.slice(0, index));
    const [only, ...more] = words(word);
    if (!isCode && (!isName || !only || isStopWord(only))) continue;
    for (const term of meaningfulTerms(more.length === 0 || isCode ? word : (only ?? ""))) found.add(term);
  }
  for (const term of meaningfulTerms(text)) if (isKnownName(term)) found.add(term);
  return found;
}

/** "Who handles payroll?" is answered by a person beside payroll. */
const careWords = new Set(wordList(({ asks }) => asks?.care).map(stem));
const callWords = new Set(["phone", "number"].map(stem));
const clockWords = new Set(["hours", "opening"].map(stem));
const mailWords = new Set(["email", "address"].map(stem));

function wordsOfKind(kind: AnswerKind, question: string, asked: string[]): string[] {
  if (kind === "price")
    return meaningfulTerms((question.match(new RegExp(priceWord, "giu")) ?? []).join(" "));
  if (kind === "who" && asked.length > 1) return asked.filter((term) => careWords.has(term));
  const words =
    kind === "phone"
      ? callWords
      : kind === "email"
        ? mailWords
        : kind === "clock"
          ? clockWords
          : new Set<string>();
  return asked.filter((term) => standIns(term, words).size > 0);
}

function littleNamesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: word } of text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}\p{Ll}+(?![\p{L}-])/gu)) {
    const [only] = words(word);
    if (only && isStopWord(only)) found.add(word);
  }
  // "Grade C", but not the English "I".
  for (const { 0: letter } of text.matchAll(/(?<=\p{Ll} )(?!I)\p{Lu}(?![\p{L}\p{N}'’-])/gu))
    found.add(letter);
  return found;
}
