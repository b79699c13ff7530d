// Owns which sheet a question is about, and what to compute over which columns and rows. Every word of the question must be
// accounted for: a question that says more than a sheet contains is not answered from a sheet. Pure.
import { either, eitherOf, wordList } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { meaningfulTerms, standIns } from "./lexicon.ts";
import {
  columnsOfPrice,
  daysOf,
  type GroupPart,
  type SheetOp,
  type SheetQuestion,
  sizeWords,
} from "./sheet-words.ts";

export type Sheet = {
  id: string;
  documentId: string;
  knowledgeId: string;
  title: string;
  caption: string;
  columns: Column[];
  rowsCount: number;
  /** The rank of its document's best passage among the hits, from 0. */
  rank: number;
};

/** The shape that private.is_row_wanted() in sql/43_tables.sql reads. */
export type Condition =
  | { column: number; op: "is"; texts: string[] }
  | { column: number; op: "contains"; texts: string[] }
  | { column: number; op: "between"; low?: number; high?: number; isLowIn: boolean; isHighIn: boolean };

export type SheetPlan = {
  sheet: Sheet;
  op: SheetOp;
  /** The column to compute over; null when rows are counted or listed. */
  column: number | null;
  conditions: Condition[];
  /** Figures per group of rows: rows with the same cell, or with dates in the same month or year. */
  group?: { column: number; part: GroupPart };
  /** Maximum rows to show, if the question says how many. */
  most?: number;
  /** The column whose cells the question requests. */
  asked?: number;
  /** The question is about a few rows: with no match or many, it means something else. */
  isNarrow?: true;
  /** The ambiguity in the question: columns, years or tables that it may mean. Nothing is computed then. */
  unclear?: { columns: string[] } | { years: [number, number] } | { tables: string[] };
};

/** Words such as row, table and have, which identify no sheet. */
const general = new Set(
  wordList((reading) => reading.tables?.general).flatMap((word) => meaningfulTerms(word)),
);

/** A table with fewer rows is found and quoted as text: its rows are in a passage with their header. */
const leastLookedUp = 30;

/** A table inside a text counts rows only with a condition: it is unknown what one of its rows stands for. */
const isSheet = /\.(?:csv|tsv|xlsx|xlsm)$/i;

/** Terms of the question that a name accounts for, each with how surely. */
type Named = Map<string, number>;

type Evidence = {
  terms: Set<string>;
  explained: Set<string>;
  /** Terms that the sheet's values contain: a synonym in its title does not account for them. */
  held: Set<string>;
};

/** @returns the plan for the best sheet; on a tie, the one whose document ranks first */
export function planSheet(question: SheetQuestion, sheets: Sheet[]): SheetPlan | undefined {
  const plans = sheets.flatMap((sheet) => {
    const found = planFor(question, sheet);
    return found ? [found] : [];
  });
  plans.sort((a, b) => b.worth - a.worth || a.plan.sheet.rank - b.plan.sheet.rank);
  const [best] = plans;
  const alike = plans.filter(({ worth }) => worth === best?.worth);
  const tables = [...new Set(alike.map(({ plan }) => plan.sheet.title))];
  if (best && !best.namesIt && tables.length > 1) return { ...best.plan, unclear: { tables } };
  return best?.plan;
}

function planFor(
  question: SheetQuestion,
  sheet: Sheet,
): { plan: SheetPlan; worth: number; namesIt: boolean } | undefined {
  const evidence: Evidence = {
    terms: new Set(meaningfulTerms(question.rest)),
    explained: new Set(),
    held: new Set(sheet.columns.flatMap(({ values = [] }) => values.flatMap(meaningfulTerms))),
  };
  const grouped = groupOf(question, sheet, evidence);
  if (grouped === undefined) return undefined;
  const about = explainBy(evidence, `${sheet.title} ${sheet.caption}`);
  const named = sheet.columns.map(({ name }) => explainBy(evidence, name));
  const valued = conditionsOf(question, sheet, evidence);
  for (const term of evidence.terms) if (general.has(term)) evidence.explained.add(term);
  if ([...evidence.terms].some((term) => !evidence.explained.has(term))) return undefined;

  const chosen = numberColumns(question, sheet, named);
  const conditions: Condition[] = [...valued.conditions, ...havingOf(sheet, named, valued.conditions)];
  const timed = timeCondition(question, sheet);
  if (timed === undefined) return undefined;
  const plan: SheetPlan = { sheet, op: question.op, column: null, conditions, ...grouped };
  if (question.most) plan.most = question.most;
  // With several sheets, the sheet must be related to the question by its name, its columns or its values.
  const worth =
    about.size * 2.5 + valued.worth * 2 + named.reduce((sum, one) => sum + samenessIn(one), 0) + chosen.worth;
  if (worth === 0) return undefined;
  const namesIt = about.size > 0 || valued.worth > 0;
  if (question.isLookUp) {
    const isLookedUp = valued.worth > 0 && sheet.rowsCount > leastLookedUp && isSheet.test(sheet.title);
    const found = { ...plan, ...lookedUp(question, sheet, named, conditions), isNarrow: true as const };
    return isLookedUp ? { plan: found, worth, namesIt } : undefined;
  }
  if ("years" in timed) return { plan: { ...plan, unclear: timed }, worth, namesIt };
  conditions.push(...timed.conditions);
  const counted = countedColumn(question, sheet, grouped);
  if (counted !== undefined) return { plan: { ...plan, op: "sum", column: counted }, worth, namesIt };
  if (question.isNone !== undefined) {
    const stock = sheet.columns.findIndex(
      ({ kind, name }) => kind === "number" && isNamed(name, question.isNone ?? ""),
    );
    if (stock < 0) return undefined;
    conditions.push({ column: stock, op: "between", low: 0, high: 0, isLowIn: true, isHighIn: true });
  }
  const needsNumber = !["count", "list"].includes(question.op) || question.bounds !== undefined;
  if (!needsNumber)
    return conditions.length > 0 || isSheet.test(sheet.title) ? { plan, worth, namesIt } : undefined;
  const [column, other] = chosen.columns;
  if (column === undefined) return undefined;
  if (other !== undefined) {
    return {
      plan: { ...plan, unclear: { columns: chosen.columns.map((at) => sheet.columns[at]?.name ?? "") } },
      worth,
      namesIt,
    };
  }
  if (question.bounds) {
    const { unit: _unit, ...bounds } = question.bounds;
    conditions.push({ column, op: "between", ...bounds });
  }
  return { plan: { ...plan, column: question.op === "count" ? null : column }, worth, namesIt };
}

/** Marks the terms that a text accounts for. @returns them, each with how surely: 1 for the word itself */
function explainBy({ terms, explained, held }: Evidence, text: string): Named {
  const vocabulary = new Set(meaningfulTerms(text));
  const found: Named = new Map();
  for (const term of terms) {
    const said = held.has(term)
      ? vocabulary.has(term)
        ? [1]
        : []
      : [...standIns(term, vocabulary).values()];
    if (said.length === 0) continue;
    found.set(term, Math.max(...said));
    explained.add(term);
  }
  return found;
}

const samenessIn = (found: Named) => [...found.values()].reduce((sum, one) => sum + one, 0);

const money = /^(?:EUR|USD|GBP|CHF)$/;
/** Minimum match between the counted thing and a column's name: the word itself, or a synonym. */
const leastSame = 0.8;

/** For "how many rooms": the one column of amounts with that count per row, "Number of rooms". Without one, rows are counted. */
function countedColumn(
  { op, counted, time }: SheetQuestion,
  { columns }: Sheet,
  { group }: Pick<SheetPlan, "group">,
): number | undefined {
  if (op !== "count" || !counted || group) return undefined;
  const terms = new Set(meaningfulTerms(counted));
  const isSaid = (name: string) =>
    meaningfulTerms(name).some((term) => Math.max(0, ...standIns(term, terms).values()) >= leastSame);
  const found = columns.flatMap(({ name, kind, unit }, at) =>
    kind === "number" && unit !== null && !money.test(unit) && isSaid(name) ? [at] : [],
  );
  const ofYear = found.filter((at) => time?.year && columns[at]?.name.includes(String(time.year)));
  const [only, other] = ofYear.length > 0 ? ofYear : plainest(found, columns);
  return other === undefined ? only : undefined;
}

/** The groups that a question requests, if any; undefined when the sheet has no such groups. */
function groupOf(
  { group, op }: SheetQuestion,
  { columns }: Sheet,
  evidence: Evidence,
): Pick<SheetPlan, "group"> | undefined {
  if (!group) return {};
  const part = partNamed(group);
  const column = columns.findIndex(({ kind, name }) =>
    part === "value" ? kind === "text" && isNamed(name, group) : kind === "date",
  );
  const isOne = part === "value" || columns.filter(({ kind }) => kind === "date").length === 1;
  // "The average price per month" of a column with that name is one figure.
  if (part !== "value" && columns.some(({ kind, name }) => kind === "number" && isNamed(name, group)))
    return {};
  // "How many were paid by Martin" names no column to group by.
  if (column < 0 || !isOne) return op === "count" ? {} : undefined;
  for (const term of meaningfulTerms(group)) if (evidence.terms.has(term)) evidence.explained.add(term);
  return { group: { column, part } };
}

const monthWord = new RegExp(`^${either((reading) => reading.tables?.month)}$`, "iu");
const yearWord = new RegExp(`^${either((reading) => reading.tables?.year)}$`, "iu");
const partNamed = (word: string): GroupPart =>
  monthWord.test(word) ? "month" : yearWord.test(word) ? "year" : "value";
const totalColumn = eitherOf((reading) => reading.tables?.total);
const moneyWords = wordList((reading) => reading.tables?.columns.money).join(" ");

/** The one column that the question requests, in a row that other columns identify. */
function lookedUp(
  { of }: SheetQuestion,
  { columns }: Sheet,
  named: Named[],
  conditions: Condition[],
): Pick<SheetPlan, "asked"> {
  const used = new Set(conditions.map(({ column }) => column));
  const asked = columns.flatMap(({ name }, at) => {
    if (used.has(at)) return [];
    return (of !== "" && isNamed(name, of)) || (of === "" && (named[at]?.size ?? 0) > 0) ? [at] : [];
  });
  const [only, other] = asked;
  return only === undefined || other !== undefined ? {} : { asked: only };
}

function isNamed(name: string, words: string): boolean {
  const vocabulary = new Set(meaningfulTerms(name));
  return meaningfulTerms(words).some((term) => standIns(term, vocabulary).size > 0);
}

const sizes = new Set(meaningfulTerms(sizeWords));
const isSize = (name: string) => meaningfulTerms(name).some((term) => sizes.has(term));

/** The number columns that the question may mean: one, several that match equally well, or none. */
function numberColumns(
  { op, of, isOfNamed, isBig, amountOf, bounds }: SheetQuestion,
  { columns }: Sheet,
  named: Named[],
): { columns: number[]; worth: number } {
  const allows = ({ kind, unit }: Column) =>
    kind === "number" ? unit !== null : kind === "date" && !["sum", "average"].includes(op);
  const points = columns.map((column, at) => {
    if (!allows(column)) return 0;
    const wanted = amountOf ?? of;
    const isAsked = (named[at]?.size ?? 0) > 0;
    // "The cheapest per day" means a column of money with the name "Day".
    const isPriceOf = of === columnsOfPrice && isAsked && money.test(column.unit ?? "");
    if (wanted !== "" && !isPriceOf && !isNamed(column.name, wanted)) return 0;
    const hasUnit = bounds !== undefined && bounds.unit !== "" && column.unit === bounds.unit;
    // A bound in another currency cannot be compared.
    if (bounds && money.test(bounds.unit) && money.test(column.unit ?? "") && !hasUnit) return 0;
    const isTotal = op === "sum" && wanted === "" && totalColumn.test(column.name);
    const isMoney = money.test(column.unit ?? "") || isNamed(column.name, moneyWords);
    // "The largest invoice" means the one with the largest amount.
    const isBare = wanted === "" && !isOfNamed && !["average", "count", "list"].includes(op);
    return (
      (wanted !== "" ? 4 : 0) +
      // When words match two columns, prefers the one with more of them, and the question's own word to a synonym.
      (isAsked ? 3 + 0.1 * samenessIn(named[at] ?? new Map()) : 0) +
      (isBig && isSize(column.name) ? 6 : 0) +
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
function plainest(alike: number[], columns: Column[]): number[] {
  const wordsOf = (at: number) => new Set(meaningfulTerms(columns[at]?.name ?? ""));
  const plain = alike.find((at) => {
    const own = wordsOf(at);
    return own.size > 0 && alike.every((other) => other === at || isWithin(own, wordsOf(other)));
  });
  return plain === undefined ? alike : [plain];
}

const isWithin = (own: Set<string>, other: Set<string>) =>
  own.size < other.size && [...own].every((term) => other.has(term));

/** Conditions on text columns whose values the question names, starting with those that account for the most unexplained terms. */
function conditionsOf(
  _question: SheetQuestion,
  { columns }: Sheet,
  evidence: Evidence,
): { conditions: Condition[]; worth: number } {
  const conditions: Condition[] = [];
  let worth = 0;
  const used = new Set<number>();
  for (;;) {
    let best: { column: number; texts: string[]; terms: Set<string>; score: number } | undefined;
    for (const [column, { values }] of columns.entries()) {
      if (!values || used.has(column)) continue;
      const found = matching(values, evidence);
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

/** "With a projector": rows with yes in the column of that name, if that column contains only yes and no. */
function havingOf({ columns }: Sheet, named: Named[], valued: Condition[]): Condition[] {
  return columns.flatMap(({ values = [] }, column) => {
    const texts = values.filter((value) => yes.test(value));
    const isAsked = (named[column]?.size ?? 0) > 0 && valued.every((one) => one.column !== column);
    const isYesOrNo = texts.length > 0 && values.every((value) => yes.test(value) || no.test(value));
    return isAsked && isYesOrNo ? [{ column, op: "is" as const, texts }] : [];
  });
}

/** The values of a column with the most unexplained terms; a value named in full counts more. */
function matching(
  values: string[],
  { terms, explained }: Evidence,
): { texts: string[]; terms: Set<string>; score: number } | undefined {
  let best: { texts: string[]; terms: Set<string>; score: number } | undefined;
  for (const value of values) {
    const own = new Set(meaningfulTerms(value));
    if (own.size === 0) continue;
    const held = [...terms].filter((term) => standIns(term, own).size > 0);
    const fresh = held.filter((term) => !explained.has(term));
    // A single word of an address or a sentence identifies no row.
    if (fresh.length === 0 || held.length * 2 < own.size || value.includes("@")) continue;
    // A synonym of a part of it does not either: "people" is not "Head of staff".
    if (held.length < own.size && !held.some((term) => own.has(term))) continue;
    const sameness = fresh.reduce((sum, term) => sum + Math.max(...standIns(term, own).values()), 0);
    const score = sameness + (held.length >= own.size ? 0.5 : 0);
    if (!best || score > best.score) best = { texts: [value], terms: new Set(fresh), score };
    else if (score === best.score && fresh.every((term) => best?.terms.has(term))) best.texts.push(value);
  }
  return best;
}

/** Undefined when the question names a time and the sheet has no date column, or two. */
function timeCondition(
  { time }: SheetQuestion,
  { columns }: Sheet,
): { conditions: Condition[] } | { years: [number, number] } | undefined {
  if (!time) return { conditions: [] };
  const dates = columns.flatMap(({ kind }, at) => (kind === "date" ? [at] : []));
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
  return { conditions: [{ column, op: "between", low, high, isLowIn: true, isHighIn: false }] };
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
