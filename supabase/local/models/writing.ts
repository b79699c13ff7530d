// Owns how quotes are written as a reply: sentences as they can be understood without their document, and rows of tables.

import { either } from "../../../edge-functions/_shared/language/rules.ts";
import { standIns } from "../../../edge-functions/answering/lexicon.ts";
import { type Asked, fitOf, readQuestion } from "./question.ts";
import type { Cell, Unit } from "./reading.ts";

const maxColumns = 6;

/** Quotes as a reply, each with its mark: sentences as they can be understood, rows under their header. */
export function written(quotes: Unit[], asked: Asked): string {
  const parts: string[] = [];
  for (let i = 0; i < quotes.length; ) {
    const quote = quotes[i];
    if (!quote) break;
    if (!quote.cells) {
      parts.push(`${inSense(quote, asked)} [${quote.passage.number}]`);
      i += 1;
      continue;
    }
    const rows: Unit[] = [];
    while (quotes[i]?.cells && columnsOf(quotes[i] ?? quote) === columnsOf(quote)) {
      rows.push(quotes[i] ?? quote);
      i += 1;
    }
    parts.push(tableOf(rows, asked));
  }
  return parts.join("\n\n");
}

const pointsBack = new RegExp(`^${either(({ followUps }) => followUps?.pointsBack)}\\b`, "iu");
/** Below, a sentence does not even speak of any moment. */
const leastFit = 0.8;
/** The share of the question's terms with which a sentence answers by itself. */
const ownShare = 0.6;
/** An answer of so many characters is quoted whole. */
const shortAnswer = 240;

/**
 * The sentence as it can be understood: with the answer that it is a part of, with the sentence before it where it begins with a word that
 * points back, and under its heading where that tells the moment that was asked for.
 */
function inSense(unit: Unit, asked: Asked): string {
  const { answer, before, heading, text } = unit;
  const { kind } = asked;
  if (answer && answer.length > 1 && !saysItself(unit, asked)) {
    const all = stretch(answer[0], answer.at(-1));
    return withoutBullet(all.length <= shortAnswer ? all : stretch(answer[0], unit));
  }
  if (kind === "when" && isDated(unit)) return `${heading}: ${withoutBullet(text)}`;
  return withoutBullet(before && kind !== "any" && pointsBack.test(text) ? stretch(before, unit) : text);
}

/** Whether a sentence itself speaks of most of what is asked; else what answers is that it stands under such a question. */
function saysItself({ terms }: Unit, asked: Asked): boolean {
  if (["yesNo", "howTo"].includes(asked.kind)) return false;
  const spoken = asked.terms.filter((term) => standIns(term, terms).size > 0);
  return spoken.length >= ownShare * asked.terms.length;
}

/** What stands from one sentence to another, verbatim. */
function stretch(first: Unit | undefined, last: Unit | undefined): string {
  return first?.span && last?.span ? first.span.of.slice(first.span.start, last.span.end) : "";
}

/** Whether the moment of what a sentence says is told by its heading alone, as in notes on releases. */
export const isDated = ({ cells, heading, text }: Unit) =>
  !cells && fitOf("when", text) < leastFit && fitOf("when", heading) === 1;

/** The names of a row's columns, by which two rows are known to be of one table. */
export const columnsOf = ({ cells = [] }: Unit) => cells.map(({ column }) => column).join("|");

const withoutBullet = (text: string) => text.replace(/^(?:[-*•–]|\d{1,3}[.)])\s+/, "");

/** Rows as a small table under their header; of many columns those that were asked for, and what names the row. */
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

/** What a cell says below its column: "12" under "Price (EUR)" is "12 EUR". */
export function saidIn({ column, text }: Cell): string {
  const unit = /\(([^()]{1,12})\)\s*$/.exec(column)?.[1];
  return unit && /\d$/.test(text) ? `${column} ${text} ${unit}` : `${column} ${text}`;
}

const isTelling = (kind: Asked["kind"]) => !["any", "yesNo", "howTo"].includes(kind);

/** Those that hold the kind of thing that is asked for before others. */
function columnsToShow(rows: Unit[], asked: Asked): number[] {
  const cells = rows[0]?.cells ?? [];
  const spoken = cells.map(({ column, text }) => {
    const own = readQuestion(`${column} ${text}`).terms;
    const vocabulary = new Set(own);
    const fits = isTelling(asked.kind) && fitOf(asked.kind, saidIn({ column, text })) === 1 ? 0.5 : 0;
    return asked.terms.filter((term) => standIns(term, vocabulary).size > 0).length + fits;
  });
  const order = cells.map((_, i) => i).sort((a, b) => (spoken[b] ?? 0) - (spoken[a] ?? 0) || a - b);
  return [...new Set([0, ...order])].slice(0, maxColumns).sort((a, b) => a - b);
}
