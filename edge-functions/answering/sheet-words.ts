// Owns the parsing of a question about a sheet: counts, sums, comparisons, bounds, months. Uses only the question's words and knows no
// sheet. Pure.
import type { TableReading } from "../../locales/table-reading.ts";
import { either, eitherOf, everyOne, oneOf, wordList } from "../_shared/language/rules.ts";
import { dayOf, monthNumber } from "../_shared/text/cell-values.ts";
import { meaningfulTerms } from "./lexicon.ts";
import { kindOf } from "./question-kind.ts";
import { type Bounds, boundsIn } from "./sheet-bounds.ts";
import { asksAge, type DateOrder, orders } from "./sheet-dates.ts";
import { columnWords, inside, ofTables, whole } from "./sheet-patterns.ts";
import { isUnit } from "./units.ts";

/** smallest, largest: all rows that share the extreme. lowest, highest: the first rows in that order. */
export type SheetOp = "count" | "sum" | "average" | "smallest" | "largest" | "lowest" | "highest" | "list";
export type GroupPart = "value" | "month" | "year";

/** What an adjective compares: words in the column's name, "" for the column that the question names. */
type Superlative = {
  op: "smallest" | "largest";
  of: string;
  /** "The most invoices" counts rows when no column has that name. */
  isOfNamed?: true;
  /** "Who has been here the longest": only a table of people tells. */
  isOfPeople?: true;
  /** "The oldest": prefers columns of dates. */
  dates?: DateOrder;
};

type Dimension = keyof TableReading["dimensions"];

export type SheetQuestion = {
  op: SheetOp;
  /** Words in the column's name, "" when any column that the question names will do. */
  of: string;
  bounds?: Bounds;
  /** Months and years as days since 1970-01-01; without a year, the month. */
  time?: { month?: number; year?: number };
  isOfNamed?: true;
  isOfPeople?: true;
  dates?: DateOrder;
  /** "Who joined last": a table of people tells rather than another. */
  isOfWhom?: true;
  /** "The oldest" may mean an age. */
  isAge?: true;
  /** "Out of stock", "free of charge": the column with that name is zero. */
  isNone?: string;
  /** "Which are free?": a table without a free row means something else. */
  isFree?: true;
  /** "How many are in stock": the amount column to read for the matching rows. */
  amountOf?: string;
  /** "How many glasses in all": adds up no money. */
  isNumberOf?: true;
  /** "How much did we spend in all": adds up money. */
  isSpent?: true;
  /** "How much did we take": prefers a column of takings. */
  isEarned?: true;
  /** "How many rooms": the counted thing. A column of amounts may hold its count per row. */
  counted?: string;
  /** "The biggest", "the longest": prefers columns with such a name. */
  dimension?: Dimension;
  /** "Per client", "by month": the word that names the groups, each of which gets a figure. */
  group?: string;
  /** "The three cheapest". */
  most?: number;
  /** "What does X cost": nothing is computed; the answer is in the row of X. */
  isLookUp?: true;
  /** "Which do not float": rows with no in the column of yes and no that the question names. */
  isDenied?: true;
  /** The question without the words recognised here. */
  rest: string;
};

const price = columnWords("price");
const stock = columnWords("stock");
const superlatives = (
  [
    ["cheapest", { op: "smallest", of: price }],
    ["dearest", { op: "largest", of: price }],
    ["heaviest", { op: "largest", of: columnWords("weight") }],
    ["lightest", { op: "smallest", of: columnWords("weight") }],
    ["quietest", { op: "smallest", of: columnWords("noise") }],
    ["loudest", { op: "largest", of: columnWords("noise") }],
    ["hottest", { op: "largest", of: columnWords("temperature") }],
    ["coldest", { op: "smallest", of: columnWords("temperature") }],
    ["fastest", { op: "smallest", of: columnWords("time") }],
    ["slowest", { op: "largest", of: columnWords("time") }],
    ["longestServing", { op: "smallest", of: columnWords("start"), isOfPeople: true, dates: "first" }],
    ["oldest", { op: "smallest", of: columnWords("date"), dates: "first" }],
    ["newest", { op: "largest", of: columnWords("date"), dates: "last" }],
    ["largest", { op: "largest", of: "" }],
    ["smallest", { op: "smallest", of: "" }],
    ["most", { op: "largest", of: "", isOfNamed: true }],
    ["fewest", { op: "smallest", of: "", isOfNamed: true }],
  ] satisfies [keyof TableReading["superlatives"], Superlative][]
).map(([name, one]): [RegExp, Superlative] => [whole((tables) => tables.superlatives[name]), one]);

const monthWord = oneOf(everyOne(({ dates }) => dates?.months).flatMap((own) => own.map(firstOf)));
const ofYear = either(({ dates }) => dates?.ofYear);
const inMonth = inside(
  String.raw`\b`,
  (tables) => tables.inMonth,
  String.raw`\s*(${monthWord})(?:(?:\s+${ofYear})?\s+((?:19|20)\d{2}))?(?![\p{L}\d])`,
);
const inYear = inside(String.raw`\b`, (tables) => tables.inYear, String.raw`\s+((?:19|20)\d{2})(?!\d)`);

function firstOf(names: string): string {
  return names.split(" ")[0] ?? names;
}

/**
 * The computation or look-up that a question requests; undefined when it requests none.
 * @param earlier the question before it, whose subject a computation without one of its own shares: "And which is the cheapest?"
 */
export function readSheetQuestion(question: string, earlier = ""): SheetQuestion | undefined {
  return withSubject(readAlone(question), earlier);
}

/** The same, and before it the reading in which "first", "last" or "next" asks for an order of dates, if it has one. */
export function readingsOfSheets(question: string, earlier = ""): SheetQuestion[] {
  const order = readOrder(question);
  // "When is the next delivery of it" asks for one of the rows that the question before was about.
  const ordered =
    order && earlier ? { ...order, rest: `${readAlone(earlier)?.rest ?? earlier} ${order.rest}` } : order;
  const plain = readSheetQuestion(question, earlier);
  return [ordered, plain].filter((one) => one !== undefined);
}

function withSubject(asked: SheetQuestion | undefined, earlier: string): SheetQuestion | undefined {
  const isWhole = asked && meaningfulTerms(asked.rest).some((term) => !pointing.has(term));
  if (!asked || asked.isLookUp || !earlier || isWhole) return asked;
  return { ...asked, rest: readAlone(earlier)?.rest ?? earlier };
}

/** "Which one", "laquelle": words that name no subject. */
const pointing = new Set(
  [...wordList(({ followUps }) => followUps?.pointing), ...wordList(({ tables }) => tables?.general)].flatMap(
    (word) => meaningfulTerms(word),
  ),
);

/** Takes words out of a question, one pattern after the other. */
function beginTaking(question: string) {
  const left = { rest: ` ${question.normalize("NFC").replace(/[’]/g, "'")} ` };
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(left.rest);
    if (found) {
      const behind = found.index + found[0].length;
      left.rest = `${left.rest.slice(0, found.index)} ${left.rest.slice(behind)}`;
    }
    return found;
  };
  return { left, take };
}

/** "Which contract ends first": an order of dates, where no superlative and no computation is asked for. */
function readOrder(question: string): SheetQuestion | undefined {
  const { left, take } = beginTaking(question);
  // "Is the first service free?" asks about one thing.
  if (kindOf(question) === "yesNo") return undefined;
  const isOther = superlatives.some(([pattern]) => pattern.test(left.rest));
  if (isOther || [denies, without, frequency, count, sum, average].some((one) => one.test(left.rest)))
    return undefined;
  const dates = orders.find(([pattern]) => take(pattern))?.[1];
  if (!dates) return undefined;
  const time = timeIn(take);
  const most = mostIn(left.rest);
  if (most !== undefined) take(mostWord);
  take(howMuch);
  const isLast = dates === "last";
  const isOfWhom = kindOf(question) === "who" && { isOfWhom: true as const };
  const op = most === undefined ? (isLast ? "largest" : "smallest") : isLast ? "highest" : "lowest";
  return { op, of: "", dates, ...isOfWhom, ...(time && { time }), ...(most && { most }), rest: left.rest };
}

function readAlone(question: string): SheetQuestion | undefined {
  const { left, take } = beginTaking(question);
  const bounds = boundsIn(take);
  const time = timeIn(take);
  const group = groupIn.exec(left.rest)?.[1];
  const none = take(outOfStock);
  const isDenied = take(denies) !== null;
  while (take(denies));
  // Exclusions, questions about each group, and how often something happens are not computed.
  if (without.test(left.rest) || frequency.test(left.rest)) return undefined;
  const isSuperlative = superlatives.some(([pattern]) => pattern.test(left.rest));
  const isGrouped = isSuperlative || (group === undefined && each.test(left.rest));
  const base = {
    of: "",
    ...(bounds ? { bounds } : {}),
    ...(time ? { time } : {}),
    ...(group !== undefined && !isSuperlative ? { group } : {}),
  };
  const complete = (one: Pick<SheetQuestion, "op"> & Partial<SheetQuestion>): SheetQuestion => ({
    ...base,
    ...one,
    rest: left.rest,
  });
  if (isDenied) {
    if (isSuperlative || none || measure.test(question)) return undefined;
    const op = take(count) ? "count" : lists.test(question) ? "list" : undefined;
    return op && complete({ op, isDenied });
  }
  if (!isSuperlative && !bounds && lists.test(question) && take(freeOfCharge))
    return complete({ op: "list", isNone: price, isFree: true });
  const isNone = none ? { isNone: stock } : {};
  const lookUp = bounds || time || none || isSuperlative ? undefined : lookUpIn(question, take);
  if (lookUp !== undefined) return complete({ op: "list", isLookUp: true, of: lookUp });
  if (take(average)) {
    take(howMuch);
    return isGrouped ? undefined : complete({ op: "average" });
  }
  if (take(sum)) {
    take(howMuchOrMany);
    // "How many kilos are in stock altogether" does not add up prices.
    const amountOf = take(inStock) ? { amountOf: stock } : {};
    const terms = meaningfulTerms(left.rest);
    const isSpent = terms.some((term) => spending.has(term));
    const isEarned = terms.some((term) => earning.has(term));
    // "Combien de recette" counts nothing.
    const counts = !isTakings(countedIn.exec(question)?.[1]);
    const isOf =
      counts && howMany.test(question)
        ? { isNumberOf: true as const }
        : isSpent
          ? { isSpent: true as const, ...(isEarned && { isEarned }) }
          : counts && count.test(question)
            ? { isNumberOf: true as const }
            : {};
    return isGrouped ? undefined : complete({ op: "sum", ...amountOf, ...isOf });
  }
  // "How many metres is the longest boat" asks for an extreme, and counts nothing.
  const isOfExtreme = isSuperlative && isUnit(countedIn.exec(question)?.[1] ?? "") && take(countedIn);
  if (!isOfExtreme && take(count)) {
    // A duration or an amount is in a cell, and is not a number of rows.
    if (measure.test(question)) return undefined;
    if (!none && take(inStock)) return complete({ op: "sum", amountOf: stock });
    const counted = countedIn.exec(question)?.[1];
    return complete({ op: "count", ...isNone, ...(counted && !bounds && !none && { counted }) });
  }
  if (none) return complete({ op: "list", ...isNone });
  const most = mostIn(left.rest);
  for (const [pattern, superlative] of superlatives) {
    if (!take(pattern)) continue;
    const dimension = dimensions.find(([, asks]) => asks.test(question))?.[0];
    const prefers = {
      ...(dimension && { dimension }),
      ...(asksAge(question) && { isAge: true as const }),
      ...(superlative.dates && kindOf(question) === "who" && { isOfWhom: true as const }),
    };
    if (most === undefined) return complete({ ...superlative, ...prefers });
    take(mostWord);
    return complete({ ...superlative, op: superlative.op === "smallest" ? "lowest" : "highest", most });
  }
  return bounds && lists.test(question) ? complete({ op: "list" }) : undefined;
}

const thisYear = whole((tables) => tables.thisYear);
const outOfStock = whole((tables) => tables.outOfStock);
const freeOfCharge = eitherOf(({ tables }) => tables?.freeOfCharge, "iu");
const inStock = whole((tables) => tables.inStock);
const without = whole((tables) => tables.without);
const frequency = eitherOf(({ asks }) => asks?.howOften, "iu");
const denies = whole((tables) => tables.denies);
const average = whole((tables) => tables.average);
const sum = whole((tables) => tables.sum);
const count = whole((tables) => tables.count);
const lists = whole((tables) => tables.lists);
const dimensions = (["size", "length", "strength"] as const).map((name): [Dimension, RegExp] => [
  name,
  whole((tables) => tables.dimensions[name]),
]);
const countedIn = new RegExp(`${ofTables((tables) => tables.count)}\\s*(\\p{L}{3,})`, "iu");
/** The terms in the names of columns of each dimension. */
export const termsOf = new Map(
  dimensions.map(([name]) => [name, new Set(meaningfulTerms(columnWords(name)))]),
);
export const columnsOfPrice = price;
/** Verbs that a column of money accounts for. */
export const spending = new Set(meaningfulTerms(wordList(({ tables }) => tables?.spending).join(" ")));
const paid = whole((tables) => tables.paid);
/** The words of the question for things that are not free. */
export const paidWordsIn = (rest: string) => [...rest.matchAll(new RegExp(paid.source, "giu"))].join(" ");
const earning = new Set(meaningfulTerms(wordList(({ tables }) => tables?.earning).join(" ")));
export const columnsOfTakings = columnWords("takings");
const takings = new Set(meaningfulTerms(columnsOfTakings));
const isTakings = (word = "") => meaningfulTerms(word).some((term) => takings.has(term));
/** "By “Net price”" names a column, as the choices do. */
const each = inside(String.raw`\b`, (tables) => tables.each, String.raw`\b(?!\s*[“«])`);
const howMuch = inside(String.raw`\b`, (tables) => tables.howMuch, String.raw`\b`);
const howMany = inside(String.raw`\b`, (tables) => tables.measure.howMany, "");
const howMuchOrMany = inside(String.raw`\b`, (tables) => tables.howMuchOrMany, String.raw`\b`);
const groupIn = inside(String.raw`(?<!\p{L})`, (tables) => tables.each, String.raw`\s+(\p{L}{3,})(?!\p{L})`);

const small = new Map(
  [2, 3, 4, 5, 6, 7, 8, 10].flatMap((number) =>
    everyOne(({ numbers }) => numbers?.names(number)[0]).map((name) => [name, number] as const),
  ),
);
const mostWord = new RegExp(
  String.raw`(?<=\b${ofTables(({ the }) => the)}\s+(?:top\s+)?)(\d{1,2}|${oneOf([...small.keys()])})(?!\p{L}|\d)`,
  "iu",
);
const longestList = 20;

/** The number of rows requested: "the three cheapest", "les 5 plus chers". */
function mostIn(rest: string): number | undefined {
  const word = mostWord.exec(rest)?.[1]?.toLowerCase();
  const most = small.get(word ?? "") ?? Number(word);
  return most >= 2 && most <= longestList ? most : undefined;
}

const asksPrice = inside(String.raw`^[\s¿]*`, (tables) => tables.asksPrice, "");
const asksCell = inside(String.raw`^[\s¿]*`, (tables) => tables.asksCell, "");
const endsWord = String.raw`(?!\p{L})`;
const howMuchOf = inside(String.raw`\b`, (tables) => tables.howMuch, endsWord);
const priceWords = inside(String.raw`(?<!\p{L})`, (tables) => tables.priceWords, endsWord);
const asksWeight = inside(String.raw`\b`, (tables) => tables.asksWeight, endsWord);
const howHeavy = inside(String.raw`\b`, (tables) => tables.howHeavy, endsWord);
const weighs = inside(String.raw`\b`, (tables) => tables.weighs, endsWord);
const computes = whole((tables) => tables.isComputed);

/** Words for the column of a look-up: "" when the question names it itself; undefined when it asks for none. */
function lookUpIn(question: string, take: (pattern: RegExp) => RegExpExecArray | null): string | undefined {
  const said = question.normalize("NFC").replace(/[’]/g, "'");
  if (asksPrice.test(said)) {
    take(howMuchOf);
    take(priceWords);
    return price;
  }
  if (asksWeight.test(said)) {
    take(howHeavy);
    take(weighs);
    return columnWords("weight");
  }
  return asksCell.test(said) && !computes.test(said) ? "" : undefined;
}

const measure = new RegExp(
  String.raw`\b${ofTables((tables) => tables.measure.howMany)}\s*(?:\p{L}+ )?${ofTables((tables) => tables.measure.units)}(?!\p{L})`,
  "iu",
);

/** The question with a year added to its month; undefined when it names no month, or already has a year. */
export function withYear(question: string, year: number): string | undefined {
  const found = inMonth.exec(question.normalize("NFC"));
  if (!found || found[2]) return undefined;
  const end = found.index + found[0].length;
  return `${question.slice(0, end)} ${year}${question.slice(end)}`;
}

function timeIn(take: (pattern: RegExp) => RegExpExecArray | null): SheetQuestion["time"] {
  const month = take(inMonth);
  if (month) {
    return { month: monthNumber(month[1] ?? ""), ...(month[2] ? { year: Number(month[2]) } : {}) };
  }
  if (take(thisYear)) return { year: new Date().getUTCFullYear() };
  const year = take(inYear);
  return year ? { year: Number(year[1]) } : undefined;
}

/** The days of a month or a year: from its first day up to, but not including, the first day after it. */
export function daysOf({ month, year }: { month?: number; year: number }): [number, number] {
  const first = dayOf(year, month ?? 1, 1) ?? 0;
  const next =
    month === undefined
      ? dayOf(year + 1, 1, 1)
      : month === 12
        ? dayOf(year + 1, 1, 1)
        : dayOf(year, month + 1, 1);
  return [first, next ?? first];
}
