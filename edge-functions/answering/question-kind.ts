// Owns which kind of answer a question asks for: a person, a time, a price. Does not know texts; answer-kinds.ts tells which of them have one.

import { either, eitherOf, wordList } from "../_shared/language/rules.ts";
import type { AnswerKind } from "./answer-kinds.ts";
import { meaningfulTerms } from "./lexicon.ts";
import { words } from "./words.ts";

const questionWords = new Set(wordList(({ asks }) => asks?.questionWords));
export const isQuestionWord = (word: string) => questionWords.has(word);

export const priceWord = new RegExp(
  String.raw`(?<!\p{L})${either(({ tables }) => tables?.priceWords)}(?!\p{L})`,
  "iu",
);
const asksPrice = new RegExp(String.raw`^\W*${either(({ tables }) => tables?.asksPrice)}`, "iu");
const asksMoney = eitherOf(({ asks }) => asks?.money, "iu");
const whenWords = eitherOf(({ asks }) => asks?.when);
const introduces = eitherOf(({ asks }) => asks?.knows, "iu");

const age = eitherOf(({ asks }) => asks?.age, "giu");

/** In a question with hardly another word, "how old do you have to be": the terms for an age, which an age limit answers without them. */
export const ageTermsIn = (question: string) =>
  (question.match(age) ?? []).flatMap((said) => meaningfulTerms(said));

/** In order of precedence. */
const kinds = (
  [
    ["phone", "phone"],
    ["email", "email"],
    ["clock", "clock"],
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
    ["howMuch", "quantity"],
  ] as const
).map(([kind, name]): [AnswerKind, RegExp] => [kind, eitherOf(({ asks }) => asks?.[name])]);

/** @returns the kind of a question without those before it; undefined when it asks for none */
export function kindOf(question: string): AnswerKind | undefined {
  const first = kinds.find(([, pattern]) => pattern.test(question))?.[0];
  const kind = first === "when" ? beforeWhen(question) : first;
  if (asksMoney.test(question)) return "price";
  if (kind === undefined && isPhraseOfPrice(question)) return "price";
  return kind === "howMuch" && (priceWord.test(question) || asksPrice.test(question)) ? "price" : kind;
}

/** True for a price asked for without a question word: "price of the cheese workshop". */
const isPhraseOfPrice = (text: string) => priceWord.test(text) && !words(text).some(isQuestionWord);

/**
 * The kind of a question with "when". "Who does X when Y happens?" asks for a person, "What do I do when it rings?" for instructions: a
 * question word or an inversion in front decides, unless it only introduces the question ("do you know when …") or nothing follows.
 */
function beforeWhen(question: string): AnswerKind {
  const { 0: said = "", index: at = 0 } = whenWords.exec(question) ?? {};
  const before = question.slice(0, at);
  const asks = kinds.filter(([, pattern]) => pattern.test(before)).map(([kind]) => kind);
  const named = asks.find((kind) => ["who", "where"].includes(kind));
  if (named) return named;
  if (introduces.test(before) || meaningfulTerms(question.slice(at + said.length)).length === 0)
    return "when";
  return asks[0] ?? (words(before).some(isQuestionWord) ? "any" : "when");
}

/** Splits off the last question from the earlier ones that it refers to. A number or a thank-you after a question is not a question of its own. */
export function lastOf(text: string): [earlier: string, last: string] {
  const [, earlier = "", last = ""] = /^(.*\?\S*\s+)(\S.*)$/s.exec(text) ?? [];
  return (last.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? [earlier, last] : ["", text];
}
