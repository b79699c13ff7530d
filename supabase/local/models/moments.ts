// Owns whether a sentence is about the moment or the period that a question names: an end, a month. Does not weigh words.

import { either, everyOne } from "../../../edge-functions/_shared/language/rules.ts";
import { fitOf } from "../../../edge-functions/answering/answer-kinds.ts";
import type { Asked } from "./question.ts";
import type { Unit } from "./reading.ts";
import { cellText } from "./writing.ts";

const whole = (source: string) => new RegExp(String.raw`(?<!\p{L})${source}(?!\p{L})`, "iu");
const asksEnd = whole(either(({ asks }) => asks?.end?.asked));
const saysEnd = whole(either(({ asks }) => asks?.end?.told));

/** False for a date of something else when the question is when a thing ends: "signed on 3 May". */
export function tellsEnd({ text, cells, heading, lead }: Unit, { kind, last }: Asked): boolean {
  if (!["when", "clock"].includes(kind) || !asksEnd.test(last)) return true;
  const columns = cells?.map(({ column }) => column).join(" ") ?? "";
  return saysEnd.test(`${heading} ${lead?.text ?? ""} ${columns} ${text}`);
}

/** "Per hour", "daily", … : the same period in every language. */
const periods = everyOne(({ asks }) => asks?.periods).reduce<RegExp[][]>(
  (all, own) => own.map((pattern, at) => [...(all[at] ?? []), whole(`(?:${pattern.source})`)]),
  [],
);
const periodsIn = (text: string) =>
  new Set(periods.flatMap((own, at) => (own.some((pattern) => pattern.test(text)) ? [at] : [])));

/** False for an amount per month when the question asks for one per year; in a row the columns of amounts count. */
export function isOfPeriod({ text, cells }: Unit, { kind, last }: Asked): boolean {
  const wanted = periodsIn(last);
  if (wanted.size === 0) return true;
  const amounts = cells?.map(cellText).filter((cell) => fitOf(kind, cell) === 1) ?? [text];
  const told = periodsIn(amounts.join(" "));
  return told.size === 0 || [...wanted].some((period) => told.has(period));
}
