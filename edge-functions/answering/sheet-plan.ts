// Owns which sheet a question is about, and what to compute over which columns and rows. Every word of the question must be
// accounted for: a question that says more than a sheet contains is not answered from a sheet. Pure.
import { either, wordList } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { outdatedAmong } from "./editions.ts";
import { meaningfulTerms } from "./lexicon.ts";
import { isNamed, isOf, money, moneyWords, numberColumns, samenessIn } from "./sheet-columns.ts";
import {
  type Condition,
  closeStandIns,
  conditionsOf,
  type Evidence,
  havingOf,
  type Named,
  timeCondition,
} from "./sheet-conditions.ts";
import { countedColumn, countsName, countsNumbers, countsValue, isCounted } from "./sheet-counts.ts";
import { asksEnd, dateColumns, endWordsIn, sideOfToday } from "./sheet-dates.ts";
import {
  columnsOfPrice,
  type GroupPart,
  paidWordsIn,
  type SheetOp,
  type SheetQuestion,
  spending,
} from "./sheet-words.ts";
import { withMeasure } from "./units.ts";
import { isTalk } from "./words.ts";

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
  /** Further columns of which the extreme may be meant: each is computed. */
  also?: number[];
  /** The question has a word that no sheet explains, or counts what may be no row, so that another sheet or none may be meant. */
  isGuess?: true;
  /** The column of dates that has none of the time asked for: the table tells nothing about it. */
  outside?: number;
  /** Columns that the question names, which are shown. */
  named?: number[];
  /** The column whose cells the question requests. */
  asked?: number;
  /** Columns of which it may request one. */
  mayBe?: number[];
  /** The question is about a few rows: with no match or many, it means something else. */
  isNarrow?: true;
  /** The ambiguity in the question: columns, years or tables that it may mean. Nothing is computed then. */
  unclear?: { columns: string[] } | { years: [number, number] } | { tables: string[] };
};

/** Words such as row, table and have, which identify no sheet. */
const general = new Set(
  wordList((reading) => reading.tables?.general).flatMap((word) => meaningfulTerms(word)),
);

/** Those of them that are done at a time: what was delivered in 2024 was not sold then. */
const selling = new Set(
  wordList((reading) => reading.tables?.selling).flatMap((word) => meaningfulTerms(word)),
);

/** Words for people, which identify no table of them. */
const people = new Set(
  wordList((reading) => reading.tables?.people.counted).flatMap((word) => meaningfulTerms(word)),
);
const peopleNamed = new Set(
  wordList((reading) => reading.tables?.people.named).flatMap((word) => meaningfulTerms(word)),
);

/** Verbs that may be what a question is about, unlike "still" or "right now". */
const verbs = new Set(wordList(({ asks }) => asks?.verbs).flatMap((word) => meaningfulTerms(word)));

/** A table with fewer rows is found and quoted as text: its rows are in a passage with their header. */
const leastLookedUp = 30;

/** A table inside a text counts rows only with a condition: it is unknown what one of its rows stands for. */
const isSheet = /\.(?:csv|tsv|xlsx|xlsm)$/i;

/**
 * @param mayGuess allows the plan of an extreme that leaves words of the question unexplained, if there is no other
 * @returns the plan for the best sheet; on a tie, the one whose document ranks first
 */
export function planSheet(question: SheetQuestion, sheets: Sheet[], mayGuess = false): SheetPlan | undefined {
  // A table with dates is a record of its year, and no edition of the next year's.
  const lists = sheets.filter(({ columns }) => columns.every(({ kind }) => kind !== "date"));
  const titles = question.time?.year === undefined ? lists.map(({ title }) => title) : [];
  const outdated = outdatedAmong(question.rest, titles);
  const plans = sheets.flatMap((sheet) => {
    if (outdated.has(sheet.title)) return [];
    const found = planFor(question, sheet);
    return found && (mayGuess || found.unsaid === 0) ? [found] : [];
  });
  plans.sort((a, b) => a.unsaid - b.unsaid || b.worth - a.worth || a.plan.sheet.rank - b.plan.sheet.rank);
  const [best] = plans;
  if (best && best.unsaid > 0) return { ...best.plan, isGuess: true };
  const alike = plans.filter(({ worth, unsaid }) => unsaid === 0 && worth === best?.worth);
  const tables = [...new Set(alike.map(({ plan }) => plan.sheet.title))];
  if (best && !best.namesIt && tables.length > 1) return { ...best.plan, unclear: { tables } };
  return best?.plan;
}

const extremes = new Set<SheetOp>(["smallest", "largest", "lowest", "highest"]);
/** The most words that a sheet may leave unexplained when the extreme of its column is guessed at. */
const mostUnsaid = 1;
/** The most columns of which each extreme is told. */
const mostExtremes = 3;

/** What a table of people is worth more for "who joined last" than one with a word of it in its title. */
const ofPeople = 3;

/** unsaid: how many words of the question the sheet leaves unexplained. */
type Planned = { plan: SheetPlan; worth: number; namesIt: boolean; unsaid: number };

function planFor(question: SheetQuestion, sheet: Sheet): Planned | undefined {
  const evidence: Evidence = {
    terms: new Set(meaningfulTerms(question.rest)),
    explained: new Set(),
    held: new Set(sheet.columns.flatMap(({ values = [] }) => values.flatMap(meaningfulTerms))),
  };
  const grouped = groupOf(question, sheet, evidence);
  if (grouped === undefined) return undefined;
  const about = explainBy(evidence, `${sheet.title} ${sheet.caption}`);
  const named = sheet.columns.map(({ name }) => explainBy(evidence, withMeasure(name)));
  const numbered = findNumbers(question.rest, sheet.columns, named, evidence);
  const valued = conditionsOf(sheet.columns, evidence, isSheet.test(sheet.title));
  const isOfAge = question.isAge === true && isOf(question.rest, peopleNamed);
  const used = new Set(numbered.map(({ column }) => column));
  const isOfOrder = question.dates !== undefined && question.of === "";
  const ofNumbers = isOfOrder ? { columns: [], worth: 0 } : numberColumns(question, sheet, named, used);
  const ofDates = dateColumns(question, sheet.columns, { named, about, isOfAge });
  // A column of years tells what is oldest rather than dates of anything.
  const dated = ofDates?.worth === 0 && ofNumbers.worth > 0 ? undefined : ofDates;
  if (dated && asksEnd(question))
    for (const term of meaningfulTerms(endWordsIn(question.rest))) evidence.explained.add(term);
  const chosen = dated ?? ofNumbers;
  const isOfMoney = chosen.columns.some((at) => money.test(sheet.columns[at]?.unit ?? ""));
  const paid = isOfMoney ? paidTermsOf(question, named, evidence) : [];
  for (const term of paid) evidence.explained.add(term);
  const isOfPeople = [sheet.title, sheet.caption, ...sheet.columns.map(({ name }) => name)].some((name) =>
    isOf(name, peopleNamed),
  );
  const isExplained = (term: string) =>
    evidence.explained.has(term) ||
    (general.has(term) && !(question.time && selling.has(term))) ||
    (isTalk(term) && !verbs.has(term)) ||
    (isOfMoney && spending.has(term)) ||
    (isOfPeople && people.has(term));
  if (question.isOfPeople && !isOfPeople) return undefined;
  if (isOfAnother(question, sheet, chosen.columns, evidence)) return undefined;
  const unsaid = [...evidence.terms].filter((term) => !isExplained(term)).length;
  // "Oldest" may be said of the rows of any table with dates.
  const isVague =
    dated !== undefined && about.size === 0 && dated.columns.every((at) => named[at]?.size === 0);
  // "The heaviest piece of furniture" may mean the one column of weights.
  const mayBeMeant = unsaid <= mostUnsaid && extremes.has(question.op) && chosen.worth > 0 && !isVague;
  if (unsaid > 0 && !mayBeMeant) return undefined;
  if (countsName(question, sheet, valued.conditions)) return undefined;
  const having = havingOf(sheet.columns, named, valued.conditions, question.isDenied);
  // "Not in Nantes" denies a value, and with two conditions it is unclear which one is denied.
  if (question.isDenied && (having.length !== 1 || valued.conditions.length > 0)) return undefined;
  // "How many lifts does this house have" asks for a number, which yes or no does not tell.
  if (valued.conditions.length > 0 && having.some(({ column }) => isCounted(question, sheet, column)))
    return undefined;
  const conditions: Condition[] = [...valued.conditions, ...having, ...numbered];
  if (paid.length > 0)
    for (const column of chosen.columns)
      conditions.push({ column, op: "between", low: 0, isLowIn: false, isHighIn: true });
  const [onlyDate, ...moreDates] = dated?.columns ?? [];
  const ordered = moreDates.length === 0 ? onlyDate : undefined;
  const timed = timeCondition(question, sheet.columns, ordered);
  if (timed === undefined) return undefined;
  const plan: SheetPlan = { sheet, op: question.op, column: null, conditions, ...grouped };
  // Two columns of dates may be meant; each is told.
  if (moreDates.length > 0) plan.isGuess = true;
  if ("isOutside" in timed) {
    plan.isGuess = true;
    plan.outside = timed.isOutside;
  }
  plan.named = named.flatMap(({ size }, at) => (size > 0 ? [at] : []));
  if (question.most) plan.most = question.most;
  // With several sheets, the sheet must be related to the question by its name, its columns or its values.
  const worth =
    about.size * 2.5 +
    valued.worth * 2 +
    named.reduce((sum, one) => sum + samenessIn(one), 0) +
    chosen.worth +
    (question.isOfWhom && isOfPeople ? ofPeople : 0);
  if (worth === 0) return undefined;
  const namesIt = about.size > 0 || valued.worth > 0;
  const isNamedAtAll = about.size > 0 || named.some(({ size }) => size > 0);
  if (!isNamedAtAll && countsValue(question, sheet, valued.conditions)) plan.isGuess = true;
  if (question.isLookUp) {
    const isLookedUp = valued.worth > 0 && sheet.rowsCount > leastLookedUp && isSheet.test(sheet.title);
    const found = { ...plan, ...planLookUp(question, sheet, named, conditions), isNarrow: true as const };
    return isLookedUp ? { plan: found, worth, namesIt, unsaid } : undefined;
  }
  if ("years" in timed) return { plan: { ...plan, unclear: timed }, worth, namesIt, unsaid };
  conditions.push(...timed.conditions);
  if (ordered !== undefined && !question.time)
    conditions.push(...sideOfToday(question, sheet.columns[ordered] ?? { name: "" }, ordered));
  const counted = countedColumn(question, sheet, grouped);
  if (counted !== undefined) return { plan: { ...plan, op: "sum", column: counted }, worth, namesIt, unsaid };
  if (question.isNone !== undefined) {
    const stock = sheet.columns.findIndex(
      ({ kind, name, unit }) =>
        kind === "number" &&
        (isNamed(name, question.isNone ?? "") || (question.isFree && money.test(unit ?? ""))),
    );
    if (stock < 0) return undefined;
    conditions.push({ column: stock, op: "between", low: 0, high: 0, isLowIn: true, isHighIn: true });
  }
  if (question.isFree) plan.isNarrow = true;
  const needsNumber = !["count", "list"].includes(question.op) || question.bounds !== undefined;
  if (!needsNumber && countsNumbers(question, sheet, named, about) && conditions.length === 0)
    return undefined;
  if (!needsNumber)
    return conditions.length > 0 || isSheet.test(sheet.title) ? { plan, worth, namesIt, unsaid } : undefined;
  const [column, other] = chosen.columns;
  if (column === undefined) return undefined;
  const { length } = chosen.columns;
  if (
    length > 1 &&
    length <= mostExtremes &&
    question.most === undefined &&
    extremes.has(question.op) &&
    !question.bounds
  )
    return { plan: { ...plan, column, also: chosen.columns.slice(1) }, worth, namesIt, unsaid };
  if (other !== undefined) {
    const names = chosen.columns.map((at) => sheet.columns[at]?.name ?? "");
    // The year is said, and what is asked of it is the figure of a row: the passages have it.
    const year = question.time?.year;
    if (year !== undefined && names.some((name) => name.includes(String(year)))) return undefined;
    return { plan: { ...plan, unclear: { columns: names } }, worth, namesIt, unsaid };
  }
  if (question.bounds) {
    const { unit: _unit, ...bounds } = question.bounds;
    conditions.push({ column, op: "between", ...bounds });
  }
  return { plan: { ...plan, column: question.op === "count" ? null : column }, worth, namesIt, unsaid };
}

/** The terms of "paid" in "the cheapest paid plan", unless the sheet has a column or a value of that name. */
function paidTermsOf({ op, rest }: SheetQuestion, named: Named[], { terms, held }: Evidence): string[] {
  if (op !== "smallest" && op !== "lowest") return [];
  return meaningfulTerms(paidWordsIn(rest)).filter(
    (term) => terms.has(term) && !held.has(term) && !named.some((one) => one.has(term)),
  );
}

const priceTerms = new Set(meaningfulTerms(columnsOfPrice));
const moneyTerms = new Set(meaningfulTerms(`${columnsOfPrice} ${moneyWords}`));

/** True when the extreme of a price is asked for and the column holds none: the most children are not the highest price for a child. */
function isOfAnother(
  { op }: SheetQuestion,
  { columns }: Sheet,
  chosen: number[],
  { terms }: Evidence,
): boolean {
  if (!["largest", "smallest"].includes(op) || ![...terms].some((term) => priceTerms.has(term))) return false;
  return !chosen.every((at) => {
    const { unit, name } = columns[at] ?? { unit: null, name: "" };
    return money.test(unit ?? "") || isOf(name, moneyTerms);
  });
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
      : [...closeStandIns(term, vocabulary).values()];
    if (said.length === 0) continue;
    found.set(term, Math.max(...said));
    explained.add(term);
  }
  return found;
}

const wordAndNumber = /(\p{L}{3,})\s+(\d{1,6})(?![\p{L}\d]|[.,]\d)/gu;

/** "On floor 1": the rows with that number in the column of that name. */
function findNumbers(rest: string, columns: Column[], named: Named[], { explained }: Evidence) {
  return [...rest.matchAll(wordAndNumber)].flatMap(([, word = "", digits = ""]) => {
    const terms = meaningfulTerms(word);
    const at = columns.findIndex(
      ({ kind, unit }, i) => kind === "number" && unit === "" && terms.some((term) => named[i]?.has(term)),
    );
    if (at < 0) return [];
    for (const term of meaningfulTerms(digits)) explained.add(term);
    const number = Number(digits);
    const bounds = { low: number, high: number, isLowIn: true, isHighIn: true };
    return [{ column: at, op: "between" as const, ...bounds }];
  });
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
  // "The average price per month", or "hours per week", of a column with that name is one figure.
  const isInName = columns.some(({ kind, name }) => kind === "number" && isNamed(name, group));
  if (isInName && (part !== "value" || column < 0)) return {};
  // "How many were paid by Martin" names no column to group by.
  if (column < 0 || !isOne) return op === "count" ? {} : undefined;
  for (const term of meaningfulTerms(group)) if (evidence.terms.has(term)) evidence.explained.add(term);
  return { group: { column, part } };
}

const monthWord = new RegExp(`^${either((reading) => reading.tables?.month)}$`, "iu");
const yearWord = new RegExp(`^${either((reading) => reading.tables?.year)}$`, "iu");
const partNamed = (word: string): GroupPart =>
  monthWord.test(word) ? "month" : yearWord.test(word) ? "year" : "value";

/** The one column that the question requests, in a row that other columns identify. */
function planLookUp(
  { of }: SheetQuestion,
  { columns }: Sheet,
  named: Named[],
  conditions: Condition[],
): Pick<SheetPlan, "asked" | "mayBe"> {
  const used = new Set(conditions.map(({ column }) => column));
  const free = columns.flatMap((one, at) => (used.has(at) ? [] : [{ ...one, at }]));
  const asked = free.filter(({ name, at }) => (of === "" ? (named[at]?.size ?? 0) > 0 : isNamed(name, of)));
  // "What does it cost" may mean any price: per week, per weekend.
  const priced = of === columnsOfPrice && asked.length === 0 ? free.filter(isPriced) : asked;
  const [only, other] = priced;
  if (only === undefined) return {};
  return other === undefined ? { asked: only.at } : { mayBe: priced.map(({ at }) => at) };
}

const isPriced = ({ unit }: Column) => money.test(unit ?? "");
