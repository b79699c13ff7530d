// Owns whether an answer contains a fact. Compares folded words, and numbers, dates and times as values: "1,500.00" matches "1
// 500", and "31 March 2026" matches "2026-03-31". Also reads the values of a text for ./values.ts. Pure.
import { either, everyOne, oneOf } from "../_shared/language/rules.ts";
import { fold } from "./words.ts";

/** A word or a value, with all its possible readings: "1.500" is 1500 or 1.5. */
export type Token = string[];

/** The names of each month, folded. */
const months = Array.from({ length: 12 }, (_, at) => [
  ...new Set(everyOne(({ dates }) => dates?.months[at]).flatMap((names) => fold(names).split(" "))),
]);
const monthNumbers = new Map(months.flatMap((names, at) => names.map((name) => [name, at + 1] as const)));
const month = `(?:${oneOf([...monthNumbers.keys()])})\\.?`;
const ofMonth = either(({ dates }) => dates?.ofMonth);
const ofYear = either(({ dates }) => dates?.ofYear);
const year = `(?:(?:,| ${ofYear})? (\\d{4}))?`;
const percent = either(({ numbers }) => numbers?.percent);
/** Currency signs, and words that mean nothing but a currency: a pound is a weight too. */
const currencies = new Map([
  ["€", "eur"],
  ["$", "usd"],
  ["£", "gbp"],
  ...everyOne(({ numbers }) => numbers?.currencies).flatMap(({ EUR, USD }) => [
    ...EUR.map((word): [string, string] => [fold(word), "eur"]),
    ...USD.map((word): [string, string] => [fold(word), "usd"]),
  ]),
]);

const number = "\\d{1,3}(?:[ ,.'’]\\d{3})+(?:[.,]\\d+)?(?!\\d)|\\d+(?:[.,]\\d+)?";
const patterns: [RegExp, (groups: string[]) => Token][] = [
  [/(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/y, ([y, m, d]) => dates(y, [[m, d]])],
  [
    /(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)/y,
    ([a, b, y]) =>
      dates(y, [
        [b, a],
        [a, b],
      ]),
  ],
  [
    new RegExp(
      `(\\d{1,2})${either(({ dates }) => dates?.ordinals)}?(?: ${ofMonth})? (${month})${year}(?![\\p{L}\\d])`,
      "uy",
    ),
    ([d, m, y]) => dates(y, [[monthText(m), d]]),
  ],
  [
    new RegExp(
      `(${month}) (\\d{1,2})${either(({ dates }) => dates?.ordinalsBehindMonth)}?${year}(?![\\p{L}\\d])`,
      "uy",
    ),
    ([m, d, y]) => dates(y, [[monthText(m), d]]),
  ],
  [/(\d{1,2})[:h](\d{2}) ?(am|pm|a\.m\.|p\.m\.)?(?![\p{L}\d])/uy, ([h, m, half]) => [timeOf(h, m, half)]],
  [/(\d{1,2}) ?(am|pm|a\.m\.|p\.m\.|h)(?![\p{L}\d])/uy, ([h, half]) => [timeOf(h, "0", half)]],
  [new RegExp(`(${number})`, "y"), ([text]) => valuesOf(text ?? "")],
  [new RegExp(`(%|${percent})(?![\\p{L}])`, "uy"), () => ["%"]],
  [/([€$£])/y, ([sign]) => [currencies.get(sign ?? "") ?? ""]],
  [/([\p{L}\p{M}]+)/uy, ([word]) => [currencies.get(word ?? "") ?? word ?? ""]],
];

/** True when `answer` contains the tokens of `fact` in sequence. */
export function holdsFact(answer: string, fact: string): boolean {
  const said = tokensOf(answer);
  const wanted = tokensOf(fact);
  if (wanted.length === 0) return false;
  return said.some((_, at) => wanted.every((token, i) => isSame(said[at + i], token)));
}

function isSame(said: Token | undefined, wanted: Token): boolean {
  return said?.some((one) => wanted.some((other) => one === other || isDayOf(one, other))) ?? false;
}

/** "31 March" matches "31 March 2026", not the other way round. */
const isDayOf = (said: string, wanted: string) =>
  wanted.startsWith("date:*") && said.startsWith("date:") && said.slice(-6) === wanted.slice(-6);

/** Folds a text and removes citation marks and Markdown. */
export const withoutMarks = (text: string): string =>
  fold(text.replace(/\[\d{1,3}\]/g, " "))
    .replace(/\s+/g, " ")
    .replace(/[*_`]/g, "");

function tokensOf(text: string): Token[] {
  const folded = withoutMarks(text);
  const found: Token[] = [];
  for (let at = 0; at < folded.length; ) {
    const next = read(folded, at);
    if (next) found.push(next.token);
    at = next?.end ?? at + 1;
  }
  return withSignsBehind(found);
}

/**
 * The numbers, dates and times in a text from `withoutMarks`, with their positions. Looks at digits only, so that a passage takes
 * microseconds.
 */
export function valueTokens(text: string): { token: Token; start: number; end: number }[] {
  const found: { token: Token; start: number; end: number }[] = [];
  const digit = /\d/g;
  for (let next = digit.exec(text); next; next = digit.exec(text)) {
    const before = /([a-z]+\.?) $/.exec(text.slice(Math.max(0, next.index - 12), next.index))?.[1];
    const isMonth = before !== undefined && monthNumbers.has(before.replace(".", ""));
    const last = found.at(-1)?.end ?? 0;
    const start = isMonth && next.index - before.length > last ? next.index - before.length - 1 : next.index;
    const whole = start < next.index ? read(text, start) : undefined;
    const value = whole?.token[0]?.startsWith("date:") ? whole : read(text, next.index);
    if (!value) continue;
    found.push({ ...value, start: value === whole ? start : next.index });
    digit.lastIndex = value.end;
  }
  return found;
}

/** The names of a month, 1 to 12, folded. */
export const namesOfMonth = (at: number): string[] => months[at - 1] ?? [];
export const monthOf = (name: string): number | undefined => monthNumbers.get(name.replace(".", ""));

function read(text: string, at: number): { token: Token; end: number } | undefined {
  for (const [pattern, tokenOf] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const token = match ? tokenOf(match.slice(1)) : [];
    if (match && token.length > 0) return { token, end: at + match[0].length };
  }
  return undefined;
}

/** "€1,500" as "1,500 €". */
function withSignsBehind(tokens: Token[]): Token[] {
  const signs = new Set(currencies.values());
  const isSign = (token?: Token) => signs.has(token?.[0] ?? "");
  const isNumber = (token?: Token) => token?.[0]?.startsWith("number:") ?? false;
  const result = [...tokens];
  for (let i = 0; i + 1 < result.length; i++) {
    const [sign, amount] = [result[i], result[i + 1]];
    if (!sign || !amount || !isSign(sign) || !isNumber(amount) || isNumber(result[i - 1])) continue;
    result.splice(i, 2, amount, sign);
    i++;
  }
  return result;
}

function valuesOf(text: string): Token {
  const plain = text.replace(/[ '’]/g, "");
  const marks = plain.replace(/\d/g, "");
  const last = marks.at(-1) ?? "";
  const whole = plain.replace(/[.,]/g, "");
  const parted = `${plain.slice(0, plain.lastIndexOf(last)).replace(/[.,]/g, "")}.${plain.slice(plain.lastIndexOf(last) + 1)}`;
  const value = (one: string) => `number:${Number(one)}`;
  if (marks === "") return [value(plain)];
  const isGrouped = /[.,]\d{3}$/.test(plain);
  if (marks.length > 1) return [value(marks[0] === last && isGrouped ? whole : parted)];
  if (!isGrouped) return [value(parted)];
  // A comma before three digits is a thousands separator; a point may be either.
  return last === "," ? [value(whole)] : [value(whole), value(parted)];
}

function dates(year: string | undefined, days: [string?, string?][]): Token {
  return days.flatMap(([m, d]) => {
    const [monthOf, day] = [Number(m), Number(d)];
    if (monthOf < 1 || monthOf > 12 || day < 1 || day > 31) return [];
    return [`date:${year ?? "*"}-${String(monthOf).padStart(2, "0")}-${String(day).padStart(2, "0")}`];
  });
}

const monthText = (text = "") => String(monthNumbers.get(text.replace(".", "")) ?? 0);

function timeOf(hours = "0", minutes = "0", half = ""): string {
  const isLate = half.startsWith("p") && Number(hours) < 12;
  const isMidnight = half.startsWith("a") && Number(hours) === 12;
  return `time:${isMidnight ? 0 : Number(hours) + (isLate ? 12 : 0)}:${Number(minutes)}`;
}
