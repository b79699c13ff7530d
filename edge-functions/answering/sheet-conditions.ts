// Owns the conditions on a sheet's rows that a question names: values of its columns, yes or no, months and years. Pure.
import { either } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { meaningfulTerms, paraphrased, standIns } from "./lexicon.ts";
import { daysOf, type SheetQuestion } from "./sheet-words.ts";

/** The shape that private.is_row_wanted() in sql/43_tables.sql reads. */
export type Condition =
  | { column: number; op: "is"; texts: string[] }
  | { column: number; op: "contains"; texts: string[] }
  | { column: number; op: "between"; low?: number; high?: number; isLowIn: boolean; isHighIn: boolean };

/** Terms of the question that a name accounts for, each with how surely. */
export type Named = Map<string, number>;

export type Evidence = {
  terms: Set<string>;
  explained: Set<string>;
  /** Terms that the sheet's values contain: a synonym in its title does not account for them. */
  held: Set<string>;
};

/** Stand-ins of a term other than paraphrases, which never make a reply sure: a computed one always is. */
export function closeStandIns(term: string, vocabulary: ReadonlySet<string>): Map<string, number> {
  return new Map([...standIns(term, vocabulary)].filter(([, weight]) => weight > paraphrased));
}

/** Conditions on text columns whose values the question names, starting with those that account for the most unexplained terms. */
export function conditionsOf(
  columns: Column[],
  evidence: Evidence,
  allowsPart: boolean,
): { conditions: Condition[]; worth: number } {
  const conditions: Condition[] = [];
  let worth = 0;
  const used = new Set<number>();
  for (;;) {
    let best: { column: number; texts: string[]; terms: Set<string>; score: number } | undefined;
    for (const [column, { values }] of columns.entries()) {
      if (!values || used.has(column)) continue;
      const found = matching(values, evidence, allowsPart);
      // Of two matching columns, the one with fewer values is a category and the other a name.
      const score = (found?.score ?? 0) - values.length / 1000;
      if (found && score > (best?.score ?? 0)) best = { column, ...found, score };
    }
    if (!best) return { conditions, worth };
    used.add(best.column);
    for (const term of best.terms) evidence.explained.add(term);
    worth += best.terms.size;
    conditions.push({ column: best.column, op: "is", texts: best.texts });
  }
}

const yes = new RegExp(`^${either((reading) => reading.tables?.yes)}$`, "iu");
const no = new RegExp(`^${either((reading) => reading.tables?.no)}$`, "iu");

/**
 * "With a projector": rows with yes in the column of that name, if that column contains only yes and no.
 * @param isDenied asks for the rows with no
 */
export function havingOf(
  columns: Column[],
  named: Named[],
  valued: Condition[],
  isDenied = false,
): Condition[] {
  return columns.flatMap(({ values = [] }, column) => {
    const texts = values.filter((value) => (isDenied ? no : yes).test(value));
    const isAsked = (named[column]?.size ?? 0) > 0 && valued.every((one) => one.column !== column);
    const isYesOrNo = texts.length > 0 && values.every((value) => yes.test(value) || no.test(value));
    return isAsked && isYesOrNo ? [{ column, op: "is" as const, texts }] : [];
  });
}

/** Between the items of a cell with several, such as "French, English". */
const listed = /[,;/]\s*/;

/**
 * The values of a column with the most unexplained terms; a value that is named in full, or one of whose items is, counts more.
 * @param allowsPart whether half of a value's words may stand for it
 */
function matching(
  values: string[],
  { terms, explained }: Evidence,
  allowsPart: boolean,
): { texts: string[]; terms: Set<string>; score: number } | undefined {
  let best: { texts: string[]; terms: Set<string>; score: number } | undefined;
  for (const value of values) {
    const own = new Set(meaningfulTerms(value));
    if (own.size === 0) continue;
    const held = [...terms].filter((term) => closeStandIns(term, own).size > 0);
    const fresh = held.filter((term) => !explained.has(term));
    if (fresh.length === 0 || value.includes("@")) continue;
    const isWhole =
      held.length >= own.size ||
      value.split(listed).some((item) => {
        const words = meaningfulTerms(item);
        return words.length > 0 && words.every((word) => terms.has(word));
      });
    // A single word of an address or a sentence identifies no row.
    if (!isWhole && (!allowsPart || held.length * 2 < own.size)) continue;
    // A synonym of a part of it does not either: "people" is not "Head of staff".
    if (!isWhole && !held.some((term) => own.has(term))) continue;
    const sameness = fresh.reduce((sum, term) => sum + Math.max(...closeStandIns(term, own).values()), 0);
    const score = sameness + (isWhole ? 0.5 : 0);
    if (!best || score > best.score) best = { texts: [value], terms: new Set(fresh), score };
    else if (score === best.score && fresh.every((term) => best?.terms.has(term))) best.texts.push(value);
  }
  return best;
}

/**
 * Undefined when the question names a time and the sheet has no date column, or two.
 * @param of the one of them that the question means @returns isOutside: the column without any date of that time
 */
export function timeCondition(
  { time }: SheetQuestion,
  columns: Column[],
  of?: number,
): { conditions: Condition[]; isOutside?: number } | { years: [number, number] } | undefined {
  if (!time) return { conditions: [] };
  const dates = of === undefined ? columns.flatMap(({ kind }, at) => (kind === "date" ? [at] : [])) : [of];
  const [column] = dates;
  // "Sales 2026" covers that year without a date column.
  if (
    column === undefined &&
    time.year &&
    !time.month &&
    columns.some(({ name }) => name.includes(String(time.year)))
  )
    return { conditions: [] };
  const range = columns[column ?? -1]?.range;
  if (column === undefined || dates.length > 1 || !range) return undefined;
  const years = range.map((day) => new Date(day * 86_400_000).getUTCFullYear());
  const [first = 0, last = 0] = years;
  const meant = time.year ?? (first === last ? first : undefined);
  const found = meant === undefined ? yearsWith(time.month, first, last, range) : [meant];
  const [year, another] = found;
  if (year === undefined) return undefined;
  if (another !== undefined) return { years: [year, found.at(-1) ?? another] };
  const [low, high] = daysOf({ year, ...(time.month ? { month: time.month } : {}) });
  return {
    conditions: [{ column, op: "between", low, high, isLowIn: true, isHighIn: false }],
    ...((low > range[1] || high <= range[0]) && { isOutside: column }),
  };
}

/** The years in which a range of days includes the given month. */
function yearsWith(
  month: number | undefined,
  first: number,
  last: number,
  [least, most]: [number, number],
): number[] {
  const found: number[] = [];
  for (let year = first; year <= last && found.length < 100; year++) {
    const [low, high] = daysOf({ year, ...(month ? { month } : {}) });
    if (low <= most && high > least) found.push(year);
  }
  return found;
}
