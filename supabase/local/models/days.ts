// Owns which weekdays in a text can answer a question about a different weekday.

import { everyOne, wordList } from "../../../edge-functions/_shared/language/rules.ts";
import { isKnownName, meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { stem } from "../../../edge-functions/answering/words.ts";

/** Weight of another weekday, and of "weekend", for the day in the question. */
const otherDay = 0.3;
const onWeekends = 0.9;

const weekdays = new Set(
  wordList(({ dates }) => dates?.days)
    .flatMap(meaningfulTerms)
    .filter(isKnownName),
);
/** Saturday and Sunday: each language names its days from Monday on. */
const restDays = new Set(
  everyOne(({ dates }) => dates?.days).flatMap((days) =>
    days.split(" ").slice(5, 7).flatMap(meaningfulTerms),
  ),
);
const weekend = stem("weekend");

/** @returns terms of the text that can stand for a weekday of the question, each with its weight; none for any other term */
export function otherDays(asked: string, vocabulary: ReadonlySet<string>): [term: string, worth: number][] {
  if (!weekdays.has(asked)) return [];
  const others = [...weekdays].filter((day) => day !== asked && vocabulary.has(day));
  const rest = restDays.has(asked) && vocabulary.has(weekend);
  return [
    ...others.map((day): [string, number] => [day, otherDay]),
    ...(rest ? [[weekend, onWeekends] as [string, number]] : []),
  ];
}
