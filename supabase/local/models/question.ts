// Owns what a question asks for: its language, its kind of answer, and the words that an answer must speak of.

import {
  either,
  eitherOf,
  everyOne,
  type LanguageCode,
  oneOf,
  wordList,
} from "../../../edge-functions/_shared/language/rules.ts";
import { isKnownName, meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { isStopWord, languageOf, stem, words } from "../../../edge-functions/answering/words.ts";
import type { Reading } from "../../../locales/reading.ts";

/** What would answer: a person, a moment, a place, an amount, a length of time, a count, yes or no, what to do, or anything. */
export type AnswerKind =
  | "who"
  | "when"
  | "where"
  | "howMuch"
  | "howLong"
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
  /** Terms of the questions before it alone. */
  earlier: Set<string>;
  /** Neighbouring words, of which at least one carries meaning. */
  pairs: Set<string>;
  isDenied: boolean;
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

/** The measure that is asked for; an answer need not repeat the word. */
const measured = eitherOf(({ asks }) => asks?.measured, "giu");

/** In the order in which they are tried. */
const kinds = (
  [
    ["when", "date"],
    ["howMany", "length"],
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
  const kindOf = (one: string) => kinds.find(([, pattern]) => pattern.test(one))?.[0];
  const lastTerms = new Set(meaningfulTerms(last));
  const terms = meaningfulTerms(`${earlier} ${last}`.replace(measured, " "));
  return {
    language: languageOf(text),
    kind: kindOf(last) ?? kindOf(earlier) ?? "any",
    terms: [...new Set(terms)].filter((term) => names.has(term) || !replaced.has(term)),
    names: names.size > 0 ? names : namesIn(earlier),
    earlier: new Set(meaningfulTerms(earlier).filter((term) => !lastTerms.has(term))),
    pairs: new Set(pairsIn(text)),
    isDenied: isDenied(text),
  };
}

/** Words that begin with a capital after the first one, and codes such as BT-750. */
function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu)) {
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, index));
    const isCode = /\d/.test(word) && /\p{L}/u.test(word);
    const isName = /^\p{Lu}/u.test(word) && !isFirst && !/[.!?]\s*$/.test(text.slice(0, index));
    const [only, ...more] = words(word);
    if (!isCode && (!isName || !only || isStopWord(only))) continue;
    for (const term of meaningfulTerms(more.length === 0 || isCode ? word : (only ?? ""))) found.add(term);
  }
  for (const term of meaningfulTerms(text)) if (isKnownName(term)) found.add(term);
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

const fits: Record<AnswerKind, RegExp> = {
  who: new RegExp(
    String.raw`\p{Lu}\p{L}+[\s.-]+(?:\p{Lu}\p{L}*[\s.-]+)?\p{Lu}\p{L}+|\S+@\S+|\b${answer("people")}\b`,
    "u",
  ),
  when: new RegExp(
    String.raw`\b(?:${months}|${days})\b|\b\d{1,2}[:h]\d{2}|\b\d{1,2}\s?h\b|\b\d{4}-\d{2}-\d{2}|\b\d{1,2}${ordinal}\b|\b(?:19|20)\d{2}\b|\b${answer("moments")}\b`,
    "iu",
  ),
  where: new RegExp(
    String.raw`\b${answer("prepositions")}\s+${answer("articles")}?[\p{Lu}]|https?:|www\.|\S+@\S+|\b${answer("places")}\b`,
    "u",
  ),
  howMuch: new RegExp(String.raw`${number}|[€$£%]|\b${answer("amounts")}`, "iu"),
  howMany: new RegExp(number, "iu"),
  howLong: new RegExp(String.raw`(?:${number}).{0,25}\b${spans}|\b${spans}s?\b`, "iu"),
  yesNo: /./u,
  howTo: /./u,
  any: /./u,
};

/** Whether a text holds the kind of thing that was asked for. */
export function fitsKind(kind: AnswerKind, text: string): boolean {
  return fits[kind].test(text);
}

/** What comes before the last question, and that question; a number or a word of thanks behind one is none of its own. */
function lastOf(text: string): [earlier: string, last: string] {
  const [, earlier = "", last = ""] = /^(.*\?\S*\s+)(\S.*)$/s.exec(text) ?? [];
  return (last.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? [earlier, last] : ["", text];
}
