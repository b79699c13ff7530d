// Owns what table cells mean: numbers as the declared languages write them, with units and currencies, and dates. Pure. An ambiguous cell
// is decided by the other cells of its column, or not at all.

import { either, everyOne, oneOf } from "../language/rules.ts";

type ColumnKind = "text" | "number" | "date";

export type Column = {
  name: string;
  kind: ColumnKind;
  /** For numbers: "EUR", "%", "kg"; "" if there is none, null if the cells disagree. */
  unit: string | null;
  /** For texts: the distinct values, if they are few. */
  values?: string[];
  /** For dates: the first and the last. */
  range?: [number, number];
};

export type Amount = { value: number; unit: string };
type DecimalSign = "." | ",";
type DateOrder = "dmy" | "mdy";

/** The share of a column's non-empty cells that must be of its kind. */
const leastShare = 0.8;
const mostValues = 40;
const longestValue = 60;

const currency = (code: string, ...signs: string[]): [string, RegExp] => {
  const names = everyOne(({ numbers }) => numbers).flatMap(({ currencies, cellCurrencies }) => [
    ...Object.entries(currencies),
    ...Object.entries(cellCurrencies),
  ]);
  const own = oneOf([
    code.toLowerCase(),
    ...names.flatMap(([known, words]) => (known === code ? words : [])),
  ]);
  return [code, new RegExp(`^(?:${[...signs, `(?:${own})(?!\\p{L})`].join("|")})`, "iu")];
};
const units: [string, RegExp][] = [
  currency("EUR", "€"),
  currency("USD", String.raw`us\$`, String.raw`\$(?:us)?`),
  currency("GBP", "£(?:gb)?"),
  currency("CHF"),
  ["%", new RegExp(`^(?:%|${either(({ numbers }) => numbers?.percent)})`, "i")],
];
const currencySign = String.raw`(?:US\$|[€$£]|\b(?:EUR|USD|GBP|CHF)\b)`;
const amount = new RegExp(
  String.raw`^(?:~|≈|${either(({ numbers }) => numbers?.about)})?\s*(\()?\s*([-+−–])?\s*(${currencySign})?\s*([-−])?\s*(\d[\d.,'’ \u00a0\u202f]*\d|\d)\s*([\p{L}\p{Sc}%°‰][^\d()]{0,40})?\s*(\))?$`,
  "iu",
);

/** The normalized unit: a currency's code, or the word itself in lower case. */
function unitOf(text: string): string {
  const said = text.trim();
  const known = units.find(([, pattern]) => pattern.test(said))?.[0];
  if (known) return known;
  return said.toLowerCase().replace(/\s+/g, " ");
}

const signBefore = new RegExp(String.raw`^(${currencySign})\s*\(`, "iu");

/** Reports write "$(12)" and "(3)%" for "($12)" and "(3%)". */
const signsInside = (text: string) => text.replace(signBefore, "($1").replace(/\)\s*([%‰\p{Sc}])$/u, "$1)");

/**
 * Parses a text that is only a number with its unit: "1 234,50 €", "$1,234.50", "(12)", "$(12)", "34.5 kg", "12 %".
 * @param decimal the column's known decimal sign; without it "1,234" is over a thousand and "1.234" little over one
 */
export function amountIn(text: string, decimal?: DecimalSign): Amount | undefined {
  if (text.length > 80) return undefined;
  const [whole, opened, sign, before = "", inner, digits = "", after = "", closed] =
    amount.exec(signsInside(text.trim())) ?? [];
  if (whole === undefined || (opened === undefined) !== (closed === undefined)) return undefined;
  const unit = unitOf(before || after);
  const size = sizeOf(digits, decimal, /^(?:EUR|USD|GBP|CHF)$/.test(unit));
  if (size === undefined) return undefined;
  const isNegative = opened !== undefined || /[-−–]/.test(`${sign ?? ""}${inner ?? ""}`);
  return { value: isNegative && size !== 0 ? -size : size, unit };
}

const grouped = /^\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?$/;

function sizeOf(digits: string, decimal: DecimalSign | undefined, isMoney: boolean): number | undefined {
  const isGrouped = grouped.test(digits);
  if (/[ \u00a0\u202f'’]/.test(digits) && !isGrouped) return undefined;
  const plain = digits.replace(/[ \u00a0\u202f'’]/g, "");
  // A leading zero marks an identifier.
  if (/^0\d/.test(plain)) return undefined;
  const marks = plain.replace(/\d/g, "");
  const last = plain.search(/[.,]\d*$/);
  if (marks === "") return Number(plain);
  const behind = plain.length - last - 1;
  const isOne = new Set(marks).size === 1;
  if (!isOne) {
    const sign = plain[last];
    const rest = plain.slice(0, last);
    const isWhole = /^\d{1,3}(?:,\d{3})+$/.test(rest) || /^\d{1,3}(?:\.\d{3})+$/.test(rest);
    if (!isWhole || rest.includes(sign ?? "")) return undefined;
    return Number(`${rest.replace(/[.,]/g, "")}.${plain.slice(last + 1)}`);
  }
  if (marks.length > 1) {
    return /^\d{1,3}(?:[.,]\d{3})+$/.test(plain) ? Number(plain.replace(/[.,]/g, "")) : undefined;
  }
  const mark: DecimalSign = marks === "." ? "." : ",";
  const asDecimal = Number(plain.replace(",", "."));
  const head = plain.slice(0, last);
  if (behind !== 3 || head === "0" || head.length > 3 || isGrouped) return asDecimal;
  // Money is never written with three decimals.
  const isDecimal = decimal ? mark === decimal : mark === "." && !isMoney;
  return isDecimal ? asDecimal : Number(plain.replace(/[.,]/g, ""));
}

/** The decimal sign that a column's cells show; undefined if they show none or both. */
function decimalIn(cells: string[]): DecimalSign | undefined {
  const seen = new Set<string>();
  for (const cell of cells) {
    const plain = (amount.exec(cell.trim().slice(0, 81))?.[5] ?? "").replace(/[ \u00a0\u202f'’]/g, "");
    const mixed = /([.,])\d*([.,])\d*$/.exec(plain);
    if (mixed && mixed[1] !== mixed[2]) seen.add(mixed[2] ?? "");
    // The same mark twice groups thousands.
    else if (mixed) seen.add(mixed[1] === "." ? "," : ".");
    else {
      const [, head = "", mark, tail = ""] = /^(\d+)([.,])(\d+)$/.exec(plain) ?? [];
      if (mark && (tail.length !== 3 || head === "0" || head.length > 3)) seen.add(mark);
    }
  }
  const [only] = seen;
  if (seen.size !== 1) return undefined;
  return only === "," ? "," : ".";
}

/** The number of each month by name, with and without accents. */
const months = new Map(
  everyOne(({ dates }) => dates?.months).flatMap((own) =>
    own.flatMap((names, at) =>
      `${names} ${removeAccents(names)}`.split(" ").map((name) => [name, at + 1] as const),
    ),
  ),
);
const monthNames = oneOf([...months.keys()]);
const ordinal = either(({ dates }) => dates?.ordinals);
const ofYear = `(?: ${either(({ dates }) => dates?.ofYear)})?`;
const dayFirst = new RegExp(
  String.raw`^(?:\p{L}+\.?,? )?(\d{1,2})${ordinal}?\.?${ofYear}[ -](${monthNames})\.?,?${ofYear}[ -](\d{4})$`,
  "iu",
);
const monthFirst = new RegExp(
  String.raw`^(?:\p{L}+\.?,? )?(${monthNames})\.? (\d{1,2})${either(({ dates }) => dates?.ordinalsBehindMonth)}?,? (\d{4})$`,
  "iu",
);
const monthOnly = new RegExp(String.raw`^(${monthNames})\.?${ofYear} (\d{4})$`, "iu");

/** The number of a month, 1 to 12, by its name in any declared language. */
export function monthNumber(name: string): number | undefined {
  return months.get(name.normalize("NFC").toLowerCase());
}

function removeAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}+/gu, "");
}

/** Parses a date as days since 1970-01-01; a month alone is its first day. */
export function dateIn(text: string, order?: DateOrder): number | undefined {
  const said = text.trim().replace(/\s+/g, " ");
  if (said.length > 40) return undefined;
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[ T]\d{1,2}:\d{2}.*)?$/.exec(said);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 1));
  const numeric = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(said);
  if (numeric) {
    const [, first, mark, second, year = ""] = numeric;
    const known = order ?? (mark === "." ? "dmy" : undefined);
    if (!known) return undefined;
    const [day, month] = known === "dmy" ? [first, second] : [second, first];
    return dayOf(Number(year) + (year.length === 2 ? 2000 : 0), Number(month), Number(day));
  }
  const named = dayFirst.exec(said);
  if (named) return dayOf(Number(named[3]), monthNumber(named[2] ?? ""), Number(named[1]));
  const american = monthFirst.exec(said);
  if (american) return dayOf(Number(american[3]), monthNumber(american[1] ?? ""), Number(american[2]));
  const month = monthOnly.exec(said);
  return month ? dayOf(Number(month[2]), monthNumber(month[1] ?? ""), 1) : undefined;
}

export function dayOf(year: number, month: number | undefined, day: number): number | undefined {
  if (month === undefined || month < 1 || month > 12 || day < 1) return undefined;
  const at = Date.UTC(year, month - 1, day);
  return new Date(at).getUTCDate() === day ? at / 86_400_000 : undefined;
}

/** Which of two figures is the day, if a column's dates show it. */
function orderIn(cells: string[]): DateOrder | undefined {
  const pairs = cells.flatMap((cell) => {
    const [, first, second] = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}$/.exec(cell.trim()) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  const isDayFirst = pairs.some(([first]) => first > 12);
  const isMonthFirst = pairs.some(([, second]) => second > 12);
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? "dmy" : "mdy";
}

export type ReadColumn = { column: Column; numbers: (number | null)[] };

/** Determines a column's kind, and its cells as numbers: null for cells without one, or with another unit than most. */
export function readColumn(name: string, cells: string[]): ReadColumn {
  const said = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "" && !/^[-–—/]$|^n\.?\/?a\.?$/i.test(cell));
  const order = orderIn(said);
  const dates = cells.map((cell) => dateIn(cell, order) ?? null);
  if (isMost(dates, said))
    return { column: { name, kind: "date", unit: "", range: rangeOf(dates) }, numbers: dates };
  const decimal = decimalIn(said);
  const amounts = cells.map((cell) => amountIn(cell, decimal));
  if (isMost(amounts, said)) {
    const unit = commonUnit(amounts.flatMap((one) => (one ? [one.unit] : [])));
    const numbers = amounts.map((one) => one?.value ?? null);
    return {
      column: { name, kind: "number", unit: unit || unit === null ? unit : headerUnit(name) },
      numbers,
    };
  }
  const values = [...new Set(said)];
  const areFew = values.length <= mostValues && values.every((value) => value.length <= longestValue);
  return {
    column: { name, kind: "text", unit: "", ...(areFew ? { values } : {}) },
    numbers: cells.map(() => null),
  };
}

function rangeOf(numbers: (number | null)[]): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of numbers) {
    if (one === null) continue;
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  return [least, most];
}

function isMost(found: (unknown | null | undefined)[], said: string[]): boolean {
  const count = found.filter((one) => one !== null && one !== undefined).length;
  return count > 0 && count >= leastShare * said.length;
}

/** Null if cells name different units. */
function commonUnit(found: string[]): string | null {
  const named = new Set(found.filter(Boolean));
  if (named.size > 1) return null;
  return [...named][0] ?? "";
}

const headerUnits = new RegExp(
  String.raw`(?:^|[\s([/])(€|\$|£|EUR|USD|GBP|CHF|kg|g|mg|km|cm|mm|m|l|ml|kWh|Wh|%|${either(({ numbers }) => numbers?.columnUnits)})[)\]]?$|\((€|\$|£|EUR|USD|GBP|CHF)[\s/][^()]{1,20}\)$`,
  "iu",
);

/** The unit at the end of a column's name, such as "Price EUR", "Weight (kg)" or "Fee (€ per month)", or "". */
function headerUnit(name: string): string {
  const [, atEnd, inside] = headerUnits.exec(name.trim()) ?? [];
  const said = atEnd ?? inside;
  return said ? unitOf(said) : "";
}
