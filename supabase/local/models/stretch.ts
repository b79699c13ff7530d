// Owns the stretch of a paragraph that an unsure reply quotes with a sentence: what the question is about may be said beside the words that
// match it. Does not choose sentences.
import type { Unit } from "./reading.ts";

/** Consecutive sentences of one paragraph. */
export type Stretch = { first: Unit; last: Unit };

/** The most characters of a paragraph that are quoted with one of its sentences, and with one that others are closer than. */
const longest = { close: 300, aside: 200 };

const listItem = /^\s*(?:[-*•–]|\d{1,3}[.)])\s/;
const isItem = ({ text }: Unit) => listItem.test(text);

/** The whole paragraph or item if it is short; otherwise the sentence and those behind it. An item of a list has no other one beside it. */
export function stretchOf(unit: Unit): Stretch {
  const alone = { first: unit, last: unit };
  if (!unit.span || unit.beside === "nothing") return alone;
  const most = unit.beside ? longest.aside : longest.close;
  const isShort = (one: Stretch) => textOf(one).length <= most;
  let { first, last } = alone;
  while (first.before && !isItem(first)) first = first.before;
  while (last.after && !isItem(last.after)) last = last.after;
  if (isShort({ first, last })) return { first, last };
  last = unit;
  while (last.after && !isItem(last.after) && isShort({ first: unit, last: last.after })) last = last.after;
  return { first: unit, last };
}

/** True for a unit that is quoted with the stretch. */
export const isWithin = ({ passage, order }: Unit, { first, last }: Stretch) =>
  passage === first.passage && first.order <= order && order <= last.order;

/** The text from the first sentence to the last one, verbatim. */
export const textOf = ({ first, last }: Stretch): string =>
  first.span && last.span ? first.span.of.slice(first.span.start, last.span.end) : "";
