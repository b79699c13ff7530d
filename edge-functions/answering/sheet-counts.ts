// Owns what a question for a number of things counts over a sheet: its rows, the amounts of a column, or the value beside a name. Pure.
import { wordList } from "../_shared/language/rules.ts";
import { meaningfulTerms } from "./lexicon.ts";
import { isNamed, isOf, money, plainest } from "./sheet-columns.ts";
import { type Condition, closeStandIns, type Named } from "./sheet-conditions.ts";
import type { Sheet, SheetPlan } from "./sheet-plan.ts";
import type { SheetQuestion } from "./sheet-words.ts";

const kinds = new Set(wordList((reading) => reading.tables?.kinds).flatMap((word) => meaningfulTerms(word)));

/** True when the counted thing is only the name of a row, in a column where each row has its own: "Employee #" counts no employees. */
export function countsName(
  { op, counted }: SheetQuestion,
  { columns, rowsCount }: Sheet,
  valued: Condition[],
): boolean {
  if (op !== "count" || !counted) return false;
  const isOfNames = isNameAndValue(columns);
  return valued.some(
    (one) =>
      one.op === "is" &&
      ((isOfNames && one.column === 0) || (columns[one.column]?.values?.length ?? 0) >= rowsCount) &&
      isNamed(one.texts.join(" "), counted),
  );
}

const generic = new Set(
  wordList((reading) => reading.tables?.general).flatMap((word) => meaningfulTerms(word)),
);

/** True for a table of names and their values, such as "Item | Figure" or "Indicator | 2024 | 2025": its rows are no things to count. */
function isNameAndValue([first, ...others]: Sheet["columns"]): boolean {
  const isOfValues = ({ kind, name }: Sheet["columns"][number]) =>
    kind !== "date" && (/^\D*(?:19|20)\d{2}\D*$/.test(name) || name === "" || isOf(name, generic));
  return first?.kind === "text" && others.length > 0 && others.every(isOfValues);
}

/** True when only columns of numbers have the name of the counted thing, so that nothing says that a row is one. */
export function countsNumbers(
  { op, counted }: SheetQuestion,
  { columns }: Sheet,
  named: Named[],
  about: Named,
): boolean {
  if (op !== "count" || !counted) return false;
  const terms = meaningfulTerms(counted);
  const naming = columns.filter((_, at) => terms.some((term) => named[at]?.has(term)));
  const isOfTable = terms.some((term) => about.has(term));
  return !isOfTable && naming.length > 0 && naming.every(({ kind }) => kind === "number");
}

/** True when the counted thing is only a value that does not tell what a row is: the rows with "cow" below "Milk" are no cows. */
export function countsValue(
  { op, counted }: SheetQuestion,
  { columns }: Sheet,
  valued: Condition[],
): boolean {
  if (op !== "count" || !counted) return false;
  const terms = new Set(meaningfulTerms(counted));
  const telling = valued.filter((one) => one.op === "is" && isNamed(one.texts.join(" "), counted));
  return (
    telling.length > 0 &&
    telling.every((one) => {
      const { name, values } = columns[one.column] ?? { name: "" };
      const isOwn = values?.some((value) => isOf(value, terms)) ?? false;
      return !isOwn || !isOf(name, kinds);
    })
  );
}

export const isCounted = ({ op, counted }: SheetQuestion, { columns }: Sheet, at: number) =>
  op === "count" && counted !== undefined && isNamed(columns[at]?.name ?? "", counted);

/** Minimum match between the counted thing and a column's name: the word itself, or a synonym. */
const leastSame = 0.8;

/** For "how many rooms": the one column of amounts with that count per row, "Number of rooms". Without one, rows are counted. */
export function countedColumn(
  { op, counted, time }: SheetQuestion,
  { columns }: Sheet,
  { group }: Pick<SheetPlan, "group">,
): number | undefined {
  if (op !== "count" || !counted || group) return undefined;
  const terms = new Set(meaningfulTerms(counted));
  const isItself = (name: string) => meaningfulTerms(name).some((term) => terms.has(term));
  // A table with a column "House" has a row for each house: a column "Flats" counts other things.
  const isSubject = columns.some(({ name, kind }) => kind === "text" && isItself(name));
  const isSaid = (name: string) =>
    isSubject
      ? isItself(name)
      : meaningfulTerms(name).some(
          (term) => Math.max(0, ...closeStandIns(term, terms).values()) >= leastSame,
        );
  const found = columns.flatMap(({ name, kind, unit }, at) =>
    kind === "number" && unit !== null && !money.test(unit) && isSaid(name) ? [at] : [],
  );
  const ofYear = found.filter((at) => time?.year && columns[at]?.name.includes(String(time.year)));
  const [only, other] = ofYear.length > 0 ? ofYear : plainest(found, columns);
  return other === undefined ? only : undefined;
}
