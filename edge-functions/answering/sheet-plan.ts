// Owns which sheet a question is about, and what is to be computed over which of its columns and rows. Every word of the question
// must be accounted for: a question that says more than a sheet knows is not answered by a sheet. Pure.
import { either, eitherOf, wordList } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { meaningfulTerms, standIns } from "./lexicon.ts";
import { daysOf, type GroupPart, type SheetOp, type SheetQuestion } from "./sheet-words.ts";

export type Sheet = {
  id: string;
  documentId: string;
  knowledgeId: string;
  title: string;
  caption: string;
  columns: Column[];
  rowsCount: number;
  /** The place of its document's best passage among the hits, from 0. */
  rank: number;
};

/** As private.is_row_wanted() in sql/43_tables.sql reads it. */
export type Condition =
  | { column: number; op: "is"; texts: string[] }
  | { column: number; op: "contains"; texts: string[] }
  | { column: number; op: "between"; low?: number; high?: number; isLowIn: boolean; isHighIn: boolean };

export type SheetPlan = {
  sheet: Sheet;
  op: SheetOp;
  /** The column whose numbers are computed; null where rows are counted or listed. */
  column: number | null;
  conditions: Condition[];
  /** Figures for each group of rows: those with the same cell, or the dates of one month or year. */
  group?: { column: number; part: GroupPart };
  /** Rows to show at most, where the question says how many. */
  most?: number;
  /** The column that is asked for of the rows that are listed. */
  asked?: number;
  /** A few rows are meant: where none or many fit, the question means something else. */
  isNarrow?: true;
  /** What the question leaves open: columns of which it may mean either, or years. Nothing is computed then. */
  unclear?: { columns: string[] } | { years: [number, number] } | { tables: string[] };
};

/** Words for rows, tables and having, which say nothing of one sheet. */
const general = new Set(
  wordList((reading) => reading.tables?.general).flatMap((word) => meaningfulTerms(word)),
);

/** A row of a table with fewer is found and quoted as any text: it stands in a passage with its header. */
const leastLookedUp = 30;

/** Of a table in a text, only rows that something is said of are counted: nobody knows what one row of it stands for. */
const isSheet = /\.(?:csv|tsv|xlsx|xlsm)$/i;

type Evidence = {
  terms: Set<string>;
  explained: Set<string>;
  /** Those that values of the sheet hold: a word of the same meaning in its title does not account for them. */
  held: Set<string>;
};

/** @returns the plan of the sheet that fits best, before others that fit as well the one whose document search found first */
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
  // Where a sheet is one of several, it must be about what is asked: by its name, its columns or what stands in it.
  const worth =
    about.size * 2.5 + valued.worth * 2 + named.reduce((sum, { size }) => sum + size, 0) + chosen.worth;
  if (worth === 0) return undefined;
  const namesIt = about.size > 0 || valued.worth > 0;
  if (question.isLookUp) {
    const isLookedUp = valued.worth > 0 && sheet.rowsCount > leastLookedUp && isSheet.test(sheet.title);
    const found = { ...plan, ...lookedUp(question, sheet, named, conditions), isNarrow: true as const };
    return isLookedUp ? { plan: found, worth, namesIt } : undefined;
  }
  if ("years" in timed) return { plan: { ...plan, unclear: timed }, worth, namesIt };
  conditions.push(...timed.conditions);
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

/** Marks the terms that a text accounts for. @returns them */
function explainBy({ terms, explained, held }: Evidence, text: string): Set<string> {
  const vocabulary = new Set(meaningfulTerms(text));
  const isMeant = (term: string) =>
    held.has(term) ? vocabulary.has(term) : standIns(term, vocabulary).size > 0;
  const found = new Set([...terms].filter(isMeant));
  for (const term of found) explained.add(term);
  return found;
}

/** The groups that a question asks for, if any; undefined where the sheet has none such. */
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
  // "The average price per month" of a column that is called so is one figure.
  if (part !== "value" && columns.some(({ kind, name }) => kind === "number" && isNamed(name, group)))
    return {};
  // "How many were paid by Martin" names nothing to group by.
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

/** The one column that is asked for of a row that others of its columns name. */
function lookedUp(
  { of }: SheetQuestion,
  { columns }: Sheet,
  named: Set<string>[],
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

/** The columns of numbers that may be meant: one, several alike, or none. */
function numberColumns(
  { op, of, isOfNamed, amountOf, bounds }: SheetQuestion,
  { columns }: Sheet,
  named: Set<string>[],
): { columns: number[]; worth: number } {
  const allows = ({ kind, unit }: Column) =>
    kind === "number" ? unit !== null : kind === "date" && !["sum", "average"].includes(op);
  const money = /^(?:EUR|USD|GBP|CHF)$/;
  const points = columns.map((column, at) => {
    if (!allows(column)) return 0;
    const wanted = amountOf ?? of;
    if (wanted !== "" && !isNamed(column.name, wanted)) return 0;
    const isAsked = (named[at]?.size ?? 0) > 0;
    const hasUnit = bounds !== undefined && bounds.unit !== "" && column.unit === bounds.unit;
    // A bound in another currency compares what cannot be compared.
    if (bounds && money.test(bounds.unit) && money.test(column.unit ?? "") && !hasUnit) return 0;
    const isTotal = op === "sum" && wanted === "" && totalColumn.test(column.name);
    const isMoney = money.test(column.unit ?? "") || isNamed(column.name, moneyWords);
    // Who asks for the largest invoice means its amount.
    const isBare = wanted === "" && !isOfNamed && !["average", "count", "list"].includes(op);
    return (
      (wanted !== "" ? 4 : 0) +
      // Of two columns that a word of the question names, the one that more of its words name.
      (isAsked ? 3 + 0.1 * (named[at]?.size ?? 0) : 0) +
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

/** Of "Price" and "Reduced price" whoever asks for the price means the first: the one whose words all others have, if there is one. */
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

/** Values of text columns that the question names: first those that account for the most of what nothing else does. */
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
      // Of two columns with such values the one with fewer is a kind of thing, and the other a name.
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

/** "With a projector": rows that say yes in a column of that name, which says nothing but yes and no. */
function havingOf({ columns }: Sheet, named: Set<string>[], valued: Condition[]): Condition[] {
  return columns.flatMap(({ values = [] }, column) => {
    const texts = values.filter((value) => yes.test(value));
    const isAsked = (named[column]?.size ?? 0) > 0 && valued.every((one) => one.column !== column);
    const isYesOrNo = texts.length > 0 && values.every((value) => yes.test(value) || no.test(value));
    return isAsked && isYesOrNo ? [{ column, op: "is" as const, texts }] : [];
  });
}

/** The values of a column that hold the most terms that are not accounted for; those said in full count more. */
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
    // A word out of an address or a sentence names no row.
    if (fresh.length === 0 || held.length * 2 < own.size || value.includes("@")) continue;
    const sameness = fresh.reduce((sum, term) => sum + Math.max(...standIns(term, own).values()), 0);
    const score = sameness + (held.length >= own.size ? 0.5 : 0);
    if (!best || score > best.score) best = { texts: [value], terms: new Set(fresh), score };
    else if (score === best.score && fresh.every((term) => best?.terms.has(term))) best.texts.push(value);
  }
  return best;
}

/** undefined where a time is asked for and the sheet has none, or two. */
function timeCondition(
  { time }: SheetQuestion,
  { columns }: Sheet,
): { conditions: Condition[] } | { years: [number, number] } | undefined {
  if (!time) return { conditions: [] };
  const dates = columns.flatMap(({ kind }, at) => (kind === "date" ? [at] : []));
  const [column] = dates;
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

/** The years in whose month of that number a range of days has days. */
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
