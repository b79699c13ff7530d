// Owns the writing of a reply from quotes: sentences that can be understood without their document, and table rows.

import { either } from "../../../edge-functions/_shared/language/rules.ts";
import { fitOf, isFormless } from "../../../edge-functions/answering/answer-kinds.ts";
import { standIns } from "../../../edge-functions/answering/lexicon.ts";
import { withMeasure } from "../../../edge-functions/answering/units.ts";
import { type Asked, readQuestion } from "./question.ts";
import type { Cell, Unit } from "./reading.ts";
import { type Stretch, stretchOf, textOf } from "./stretch.ts";

const maxColumns = 6;

/**
 * Quotes as a reply, each with its mark: sentences with their context, rows under their header.
 * @param inStretches with what stands beside each sentence: see stretchOf()
 */
export function writeReply(quotes: Unit[], asked: Asked, inStretches = false): string {
  return partsOf(quotes, asked, inStretches).join("\n\n");
}

/** Quotes as a list of short items, and below it their rows as tables, without what the reply above them says. */
export function writeRelated(quotes: Unit[], asked: Asked, above: string): string {
  const parts = partsOf(quotes, asked, true).filter((part) => !above.includes(part));
  const isTable = (part: string) => part.startsWith("|");
  const list = parts.filter((part) => !isTable(part)).map(itemOf);
  return [list.join("\n"), ...parts.filter(isTable)].filter(Boolean).join("\n\n");
}

/** On one line, but for a list below it. */
const itemOf = (part: string) =>
  `- ${withoutBullet(part)
    .replace(/\s*\n\s*(?=(?:[-*•–]|\d{1,3}[.)])\s)/g, "\n  ")
    .replace(/\s*\n(?! {2})\s*/g, " ")}`;

function partsOf(quotes: Unit[], asked: Asked, inStretches: boolean): string[] {
  const parts: string[] = [];
  const left = [...quotes];
  for (let quote = left.shift(); quote; quote = left.shift()) {
    if (!quote.cells) {
      const { first, last } = inStretches ? stretchOf(quote) : { first: quote, last: quote };
      const said =
        first === last ? inSense(quote, asked, quotes, !inStretches) : withoutBullet(textOf({ first, last }));
      // Two quotes of one paragraph may each be quoted with all of it.
      if (!parts.some((part) => part.includes(said))) parts.push(`${said} [${quote.passage.number}]`);
      continue;
    }
    const columns = columnsOf(quote);
    const isOfTable = (one: Unit) => one.cells !== undefined && columnsOf(one) === columns;
    parts.push(tableOf([quote, ...left.filter(isOfTable)], asked));
    left.splice(0, left.length, ...left.filter((one) => !isOfTable(one)));
  }
  return parts;
}

const pointsBack = new RegExp(`^${either(({ followUps }) => followUps?.pointsBack)}\\b`, "iu");
/** Below this fit a sentence mentions no time at all. */
const leastFit = 0.8;
/** Share of the question's terms with which a sentence answers on its own. */
const ownShare = 0.6;
/** An answer of at most this many characters is quoted whole. */
const shortAnswer = 240;

/**
 * The sentence with its context: the rest of the answer that it belongs to, and its heading when that states the requested
 * time. The previous sentence is added when this one refers back to it, unless it is quoted too.
 */
function inSense(unit: Unit, asked: Asked, quotes: Unit[], isSure: boolean): string {
  const { answer, before, heading, lead, text } = unit;
  const { kind } = asked;
  const list = listBehind(unit);
  if (answer && answer.length > 1 && !saysItself(unit, asked)) {
    const all = between(answer[0], answer.at(-1));
    return withoutBullet(all.length <= shortAnswer ? all : between(answer[0], unit) + list);
  }
  if (kind === "when" && isDated(unit)) return `${heading}: ${withoutBullet(text)}`;
  if (lead && !quotes.includes(lead) && !saysItself(unit, asked))
    return `${lead.text} ${withoutBullet(text)}`;
  const needsBefore = before && !quotes.includes(before) && kind !== "any" && pointsBack.test(text);
  const { first, last } = list || !isSure ? { first: unit, last: unit } : withNeighbours(unit, asked);
  return withoutBullet(textOf({ first: needsBefore ? before : first, last }) || text) + list;
}

/**
 * The sentences around one that are quoted with it, where they may be the answer: "E2: the battery is low. Change both cells." Or where they
 * have the requested amount or time too, and it lacks a word of the question. A definition stands alone, and no item of a list has another one
 * beside it.
 */
function withNeighbours(unit: Unit, { kind, defined, terms }: Asked): Stretch {
  let [first, last] = [unit, unit];
  const isWhole = terms.every((term) => /\d/.test(term) || standIns(term, unit.terms).size > 0);
  if (defined.size > 0 || (isWhole && !isFormless(kind))) return { first, last };
  const mayBe = ({ text }: Unit, whole: Stretch) =>
    (isFormless(kind) || fitOf(kind, text) === 1) && textOf(whole).length <= shortAnswer;
  while (last.after && !listed.test(last.after.text) && mayBe(last.after, { first, last: last.after }))
    last = last.after;
  while (first.before && !listed.test(first.text) && mayBe(first.before, { first: first.before, last }))
    first = first.before;
  return { first, last };
}

const listed = /^\s{0,40}(?:[-*+•–]|\d{1,3}[.)]|[a-z]\))\s/i;
/** The most lines and characters of a list that are quoted with the line that introduces it. */
const mostListed = { lines: 15, chars: 1000 };
/** A note of at most this many characters may stand between that line and its list. */
const longestNote = 500;

/** The list that a line with a colon at its end introduces, verbatim and on lines of its own; "" if there is none. */
function listBehind({ text, span }: Unit): string {
  if (!span || !/:[*_\s]*$/.test(text)) return "";
  const [rest = "", ...below] = span.of.slice(span.end).split("\n");
  const lines: string[] = [];
  let length = 0;
  for (const line of rest.trim() === "" ? below : []) {
    if (line.trim() === "") continue;
    length += line.length;
    const isIn = listed.test(line);
    if (lines.length === 0 && !isIn && length <= longestNote && !/^#/.test(line)) continue;
    if (!isIn && (lines.length === 0 || !/^\s/.test(line))) break;
    if (lines.length >= mostListed.lines || length > mostListed.chars) return `\n${lines.join("\n")}\n…`;
    lines.push(line);
  }
  return lines.length > 0 ? `\n${lines.join("\n")}` : "";
}

/** True when a sentence itself covers most of the question; otherwise it answers only because it follows such a question. */
function saysItself({ terms }: Unit, asked: Asked): boolean {
  if (["yesNo", "howTo"].includes(asked.kind)) return false;
  const spoken = asked.terms.filter((term) => standIns(term, terms).size > 0);
  return spoken.length >= ownShare * asked.terms.length;
}

const between = (first: Unit | undefined, last: Unit | undefined) =>
  first && last ? textOf({ first, last }) : "";

/** True when only the heading dates the sentence, as in release notes. */
export const isDated = ({ cells, heading, text }: Unit) =>
  !cells && fitOf("when", text) < leastFit && fitOf("when", heading) === 1;

/** The names of a row's columns: two rows with the same ones belong to one table. */
export const columnsOf = ({ cells = [] }: Unit) => cells.map(({ column }) => column).join("|");

/** Without the mark and the box of a list's item, and Markdown's mark of a line break. */
const withoutBullet = (text: string) =>
  text.replace(/^(?:[-*•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, "").replace(/\\(?=\n|$)/g, "");

/** Rows as a small table under their header. A wide table keeps the requested columns and the one that names the row. */
export function tableOf(rows: Unit[], asked: Asked): string {
  const [first] = rows;
  if (!first?.cells) return "";
  const all = first.cells.map(({ column }) => column);
  const shown = all.length <= maxColumns ? all.map((_, i) => i) : columnsToShow(rows, asked);
  const line = (cells: string[], mark = "") => `| ${cells.map(plainCell).join(" | ")}${mark} |`;
  const cell = (cells: Cell[] | undefined, i: number) => cells?.[i]?.text ?? "";
  const body = rows.map((row) =>
    line(
      shown.map((i) => cell(row.cells, i)),
      ` [${row.passage.number}]`,
    ),
  );
  const isHeaded = all.some((column) => column !== "");
  const header = [line(shown.map((i) => all[i] ?? "")), line(shown.map(() => "---"))];
  return [...(isHeaded ? header : [line(shown.map(() => " ")), line(shown.map(() => "---"))]), ...body].join(
    "\n",
  );
}

const plainCell = (text: string) => text.replace(/(?<!\\)\|/g, "\\|").replace(/\s*\n\s*/g, " ");

/** A cell's text with its column and unit: "12" under "Price (EUR)" is "12 EUR". */
export function cellText({ column, text }: Cell): string {
  const unit = /\(([^()]{1,12})\)\s*$/.exec(column)?.[1];
  return unit && /\d$/.test(text) ? `${column} ${text} ${unit}` : `${column} ${text}`;
}

/** Columns that contain the requested kind come before others. */
function columnsToShow(rows: Unit[], asked: Asked): number[] {
  const cells = rows[0]?.cells ?? [];
  const spoken = cells.map(({ column, text }) => {
    const own = readQuestion(`${withMeasure(column)} ${text}`).terms;
    const vocabulary = new Set(own);
    const fits = !isFormless(asked.kind) && fitOf(asked.kind, cellText({ column, text })) === 1 ? 0.5 : 0;
    return asked.terms.filter((term) => standIns(term, vocabulary).size > 0).length + fits;
  });
  const order = cells.map((_, i) => i).sort((a, b) => (spoken[b] ?? 0) - (spoken[a] ?? 0) || a - b);
  return [...new Set([0, ...order])].slice(0, maxColumns).sort((a, b) => a - b);
}
