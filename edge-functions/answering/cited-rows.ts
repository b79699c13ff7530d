// Owns the table rows that a citation quotes, with their header, so that a reader who may not open the document still sees what
// each cell means. Pure.
import { cellsOfLine } from "../_shared/text/table-text.ts";
import type { Span } from "./sentences.ts";

export type CitedTable = { columns: string[]; rows: string[][] };

const mostColumns = 30;
const mostRows = 8;
const longestCell = 300;

const isSeparator = (line: string) => /^\s*\|[\s|:-]+\|\s*$/.test(line) && line.includes("-");
const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line);

/**
 * The rows that a quote touches, if all of it is in one table of cells between bars. The header is the table's own or, for a
 * passage that begins inside a table, the preface's. Only the line below a header is a separator: further down, a row of hyphens is
 * a row.
 */
export function citedRows(content: string, preface: string, quote: Span): CitedTable | undefined {
  const start = content.lastIndexOf("\n", quote.start - 1) + 1;
  const end = content.indexOf("\n", quote.end);
  const quoted = content.slice(start, end < 0 ? content.length : end).split("\n");
  if (!quoted.every(isRow)) return undefined;
  const above: string[] = [];
  for (const line of content.slice(0, start).split("\n").slice(0, -1).reverse()) {
    if (!isRow(line)) break;
    above.unshift(line);
  }
  const lines = [...above, ...quoted];
  // A table at the start of the passage continues the preface's.
  const goesOn = above.length === content.slice(0, start).split("\n").length - 1;
  const known = goesOn ? headerOf(preface) : undefined;
  const separator = lines.findIndex(isSeparator);
  const isOwn = known === undefined && separator === 1;
  const header = isOwn ? lines[0] : known;
  if (header === undefined) return undefined;
  const first = isOwn ? 2 : separator === 0 ? 1 : 0;
  return cutTable(cellsOfLine(header), lines.slice(Math.max(first, above.length)).map(cellsOfLine));
}

/** Truncates a table to the maximum size. */
export function cutTable(columns: string[], rows: string[][]): CitedTable | undefined {
  const names = columns.slice(0, mostColumns).map(clip);
  if (names.length === 0 || rows.length === 0) return undefined;
  return {
    columns: names,
    rows: rows.slice(0, mostRows).map((row) => names.map((_, i) => clip(row[i] ?? ""))),
  };
}

function headerOf(preface: string): string | undefined {
  const lines = preface.split("\n");
  return lines.find((line, at) => isRow(line) && isSeparator(lines[at + 1] ?? ""));
}

const clip = (cell: string) =>
  cell.length > longestCell ? `${cell.slice(0, longestCell).replace(/[\uD800-\uDBFF]$/, "")}…` : cell;
