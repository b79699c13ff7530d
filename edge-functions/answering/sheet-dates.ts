// Owns questions for the order of dates ("which contract ends first", "the latest delivery"): the words of an order, and which column of
// dates they mean. Does not compute. Pure.
import type { TableReading } from "../../locales/table-reading.ts";
import { either, eitherOf } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import type { Condition, Named } from "./sheet-conditions.ts";
import type { SheetQuestion } from "./sheet-words.ts";

/** What an order of dates asks for. upcoming: the first from today on. */
export type DateOrder = "first" | "last" | "upcoming";

type DateWords = NonNullable<TableReading["dates"]>;
const ofDates = (pick: (dates: DateWords) => RegExp) =>
  either(({ tables }) => tables?.dates && pick(tables.dates));
const wordOf = (name: "ends" | "due" | "begins" | "born" | "aged") =>
  eitherOf(({ tables }) => tables?.dates?.[name], "iu");

const ends = wordOf("ends");
const due = wordOf("due");
const begins = wordOf("begins");
const born = wordOf("born");
const aged = wordOf("aged");

const edgeBefore = String.raw`(?<![\p{L}\p{N}])`;
const edgeBehind = String.raw`(?![\p{L}\p{N}])`;
const apart = ofDates((dates) => dates.apart);
const before = ofDates((dates) => dates.before);
const behind = ofDates((dates) => dates.behind);

/** A word of an order: before a thing that it determines, or behind a verb. */
const orderWord = (name: "first" | "last" | "next") => {
  const word = `${edgeBefore}${ofDates((dates) => dates[name])}${edgeBehind}`;
  const isOfThing = String.raw`(?<=(?:^|${edgeBefore}${before})\s*)${word}(?=\s+\p{L})`;
  const isOfVerb = String.raw`${word}(?=\s*[?!.]*\s*$|\s+${behind}${edgeBehind})`;
  return new RegExp(
    String.raw`(?<!${edgeBefore}${apart}\s+)(?:${isOfThing}|${isOfVerb})(?!\s+${apart}${edgeBehind})`,
    "iu",
  );
};
export const orders = [
  [orderWord("first"), "first"],
  [orderWord("last"), "last"],
  [orderWord("next"), "upcoming"],
] satisfies [RegExp, DateOrder][];

/** True for a question about an end: "which contract expires first". */
export const asksEnd = ({ rest }: Pick<SheetQuestion, "rest">) => ends.test(rest);
/** The words of the question for an end, which a column of ends accounts for. */
export const endWordsIn = (rest: string) => [...rest.matchAll(new RegExp(ends.source, "giu"))].join(" ");
/** True where age is meant if people are asked about. */
export const asksAge = (question: string) => aged.test(question);

/**
 * The columns of dates that an order may mean: those of an end if the question has a word for one. Otherwise those that it names, or
 * the ones of a beginning, or any but those of an end. Undefined when it asks for no order of dates, or no column fits.
 * @param named the question's terms that each column's name accounts for @param about those that the table's name does
 * @param isOfAge whether only a date of birth tells
 */
export function dateColumns(
  question: SheetQuestion,
  columns: Column[],
  { named, about, isOfAge }: { named: Named[]; about: Named; isOfAge: boolean },
): { columns: number[]; worth: number } | undefined {
  if (!question.dates) return undefined;
  const isEnd = asksEnd(question);
  const points = columns.map(({ kind, name }, at) => {
    if (kind !== "date") return 0;
    // What the whole table is about names none of its columns.
    const isNamed = [...(named[at] ?? new Map()).keys()].some((term) => !about.has(term));
    if (isOfAge) return born.test(name) ? 4 : 0;
    if (isEnd) return ends.test(name) ? (isNamed ? 5 : 4) : 0;
    if (isNamed) return 4;
    if (ends.test(name) || born.test(name) || (question.dates !== "upcoming" && due.test(name))) return 0;
    return begins.test(name) ? 3 : 2;
  });
  const best = Math.max(0, ...points);
  if (best === 0) return undefined;
  // "First" and "last" mean many things: a column of a beginning alone is no sign that they mean an order of dates.
  const leastNamed = question.of === "" ? 4 : 3;
  return {
    columns: points.flatMap((one, at) => (one === best ? [at] : [])),
    worth: best >= leastNamed ? 1 : 0,
  };
}

/** Today, in days since 1970-01-01. */
const today = () => Math.floor(Date.now() / 86_400_000);

/**
 * "The last delivery" is none that is still to come, and "the next one" none of the past. An end may be on either side, and what was due
 * in the past is overdue.
 */
export function sideOfToday(
  { dates, op }: Pick<SheetQuestion, "dates" | "op">,
  { name, range }: Pick<Column, "name" | "range">,
  column: number,
): Condition[] {
  const [first, last] = range ?? [0, 0];
  const day = today();
  if (dates === "upcoming" && due.test(name)) return [];
  if (dates === "upcoming")
    return first < day && last >= day
      ? [{ column, op: "between", low: day, isLowIn: true, isHighIn: true }]
      : [];
  const isLatest = op === "largest" || op === "highest";
  if (!isLatest || ends.test(name) || last <= day || first > day) return [];
  return [{ column, op: "between", high: day, isLowIn: true, isHighIn: true }];
}
