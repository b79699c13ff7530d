// Owns which number columns of a sheet a question may mean: by their names, their units and what its adjective compares. Pure.
import { eitherOf, wordList } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { meaningfulTerms } from "./lexicon.ts";
import { closeStandIns, type Named } from "./sheet-conditions.ts";
import type { Sheet } from "./sheet-plan.ts";
import { columnsOfPrice, columnsOfTakings, type SheetQuestion, spending, termsOf } from "./sheet-words.ts";
import { withMeasure } from "./units.ts";

export const money = /^(?:EUR|USD|GBP|CHF)$/;
export const moneyWords = wordList((reading) => reading.tables?.columns.money).join(" ");
const totalColumn = eitherOf((reading) => reading.tables?.total);

const periods = new Set(meaningfulTerms(wordList(({ tables }) => tables?.columns.periods).join(" ")));

export const samenessIn = (found: Named) => [...found.values()].reduce((sum, one) => sum + one, 0);

export function isNamed(name: string, words: string): boolean {
  const vocabulary = new Set(meaningfulTerms(withMeasure(name)));
  return meaningfulTerms(words).some((term) => closeStandIns(term, vocabulary).size > 0);
}

export const isOf = (name: string, terms: Set<string> | undefined) =>
  terms !== undefined && meaningfulTerms(name).some((term) => terms.has(term));

/** True for a column of money that its name calls nothing but a period or a person: "Per night (£)". */
function isPerPeriod({ name, unit }: Column): boolean {
  const said = meaningfulTerms(name.replace(/\([^()]*\)/g, ""));
  return money.test(unit ?? "") && said.length > 0 && said.every((term) => periods.has(term));
}

/** True for a column that the question names by a verb of spending and by what is spent: "Hours spent". */
function isSpentIn(named: Named = new Map()): boolean {
  const terms = [...named.keys()];
  return terms.some((term) => spending.has(term)) && terms.some((term) => !spending.has(term));
}

const yearTerms = new Set(meaningfulTerms(wordList(({ tables }) => tables?.columns.date).join(" ")));
/** "Built (year)": the name gives the unit. */
const isYear = (unit: string | null) => unit === "" || isOf(unit ?? "", yearTerms);

/** The number columns that the question may mean: one, several that match equally well, or none. */
export function numberColumns(
  {
    op,
    of,
    isOfNamed,
    isNumberOf,
    isSpent,
    isEarned,
    dimension,
    amountOf,
    bounds,
    dates,
    time,
  }: SheetQuestion,
  { columns }: Sheet,
  named: Named[],
  used: ReadonlySet<number>,
): { columns: number[]; worth: number } {
  // A year has no unit: the lowest "Délai" is not the oldest.
  const allows = ({ kind, unit }: Column) => kind === "number" && (dates ? isYear(unit) : unit !== null);
  const hasPrices = columns.some(({ name, unit }) => money.test(unit ?? "") || isNamed(name, columnsOfPrice));
  const isPriced = columns.some(({ name }) => isNamed(name, columnsOfPrice));
  const points = columns.map((column, at) => {
    if (used.has(at) || !allows(column)) return 0;
    if (money.test(column.unit ?? "") ? isNumberOf : isSpent && !isSpentIn(named[at])) return 0;
    const wanted = amountOf ?? of;
    // "The fewest in 2025" over columns of years.
    const isOfYear =
      time?.year !== undefined && !time.month && isOfNamed && column.name.includes(String(time.year));
    const isAsked = isOfYear || (named[at]?.size ?? 0) > 0;
    // "The cheapest per day" means a column of money with the name "Day".
    // In a table of rates without a currency, "the most expensive data" means the column "Data per GB".
    const mayBePrice = money.test(column.unit ?? "") || (!hasPrices && column.unit === "");
    const isPriceOf =
      of === columnsOfPrice && ((isAsked && mayBePrice) || (!isPriced && isPerPeriod(column)));
    if (wanted !== "" && !isPriceOf && !isNamed(column.name, wanted)) return 0;
    const hasUnit = bounds !== undefined && bounds.unit !== "" && column.unit === bounds.unit;
    // A bound in another currency cannot be compared.
    if (bounds && money.test(bounds.unit) && money.test(column.unit ?? "") && !hasUnit) return 0;
    const isTotal = op === "sum" && wanted === "" && totalColumn.test(column.name);
    const isMoney = money.test(column.unit ?? "") || isNamed(column.name, moneyWords);
    // "The largest invoice" means the one with the largest amount; the longest one does not.
    const mayBeMoney = dimension === undefined || dimension === "size";
    const isBare = wanted === "" && !isOfNamed && mayBeMoney && !["average", "count", "list"].includes(op);
    return (
      (wanted !== "" ? 4 : 0) +
      // When words match two columns, prefers the one with more of them, and the question's own word to a synonym.
      (isAsked ? 3 + 0.1 * samenessIn(named[at] ?? new Map()) : 0) +
      (dimension && isOf(column.name, termsOf.get(dimension)) ? 6 : 0) +
      (isEarned && isNamed(column.name, columnsOfTakings) ? 3 : 0) +
      (hasUnit ? 2 : 0) +
      (isTotal ? 1.5 : 0) +
      (isBare && isMoney ? 1 : 0)
    );
  });
  const best = Math.max(0, ...points);
  if (best === 0) return { columns: [], worth: 0 };
  const alike = points.flatMap((one, at) => (one === best ? [at] : []));
  return { columns: plainest(alike, columns), worth: best >= 3 ? 1 : 0 };
}

/** The column whose words all others contain, if any: of "Price" and "Reduced price", a question about the price means the first. */
export function plainest(alike: number[], columns: Column[]): number[] {
  const wordsOf = (at: number) => new Set(meaningfulTerms(columns[at]?.name ?? ""));
  const plain = alike.find((at) => {
    const own = wordsOf(at);
    return own.size > 0 && alike.every((other) => other === at || isWithin(own, wordsOf(other)));
  });
  return plain === undefined ? alike : [plain];
}

const isWithin = (own: Set<string>, other: Set<string>) =>
  own.size < other.size && [...own].every((term) => other.has(term));
