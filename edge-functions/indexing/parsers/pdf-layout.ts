// Finds the reading order of a PDF's page: columns one after the other, and tables with separate cells. Pure geometry.
import type { Line, TableLine, TextRun } from "./pdf-lines.ts";
import { type Row, rowGap, rowsOf, type Segment } from "./pdf-rows.ts";
import {
  type Column,
  columnsBeside,
  columnsOf,
  columnsOfTable,
  columnsUnder,
  leastRows,
  namesIn,
} from "./pdf-table-columns.ts";
import { mostLinesPerRow, withCentredCells, withWrappedCells } from "./pdf-wrapped-cells.ts";

const mostColumns = 24;
/** Maximum average characters of a table's cells; longer ones are columns of prose. */
const longestCell = 36;
/** Characters of a line in one cell; a page is hardly wider. */
const mostOfCell = 90;
const leastColumnRows = 6;

/**
 * The lines of a page in a better order than the file's, or with cells. Undefined when there are no columns or tables, and the
 * file's order is the best there is.
 * @param about isUnordered when the file's order is none, whatever the page has; isColumn for a column of prose, whose justified lines
 * look like cells: in its tables these share an edge
 */
export function layOut(
  runs: TextRun[],
  about: { isUnordered?: boolean; isColumn?: boolean } = {},
): Line[] | undefined {
  const rows = about.isColumn ? rowsOf(runs) : withCentredCells(rowsOf(runs));
  if (about.isColumn)
    for (const { segments } of rows) for (const one of segments.slice(1)) one.isTight = true;
  if (about.isUnordered) return linesIn(rows, gutterOf(rows));
  if (!rows.some(({ segments }) => segments.length > 1)) return undefined;
  const lines = linesIn(rows, isCellByCell(runs) ? undefined : gutterOf(rows));
  const hasColumns = lines.some(({ y }, i) => y > (lines[i - 1]?.y ?? y));
  return hasColumns || lines.some(({ cells }) => cells) ? lines : undefined;
}

function linesIn(rows: Row[], gutter: number | undefined): Line[] {
  return (gutter === undefined ? [rows] : inColumns(rows, gutter)).flatMap(linesOfBlock);
}

/** How often a page with columns may go back up: to its second column, and to a head or a foot that is written last. */
const mostRises = 2;

/** True for a file that writes down one cell and up to the top of the next: what it goes up to is a table's, and no column of prose. */
function isCellByCell(runs: TextRun[]): boolean {
  let rises = 0;
  let before: number | undefined;
  for (const { str, height, transform } of runs) {
    if (str.trim() === "") continue;
    const y = transform[5] ?? 0;
    if (before !== undefined && y - before > (height || Math.abs(transform[3] ?? 0))) rises++;
    before = y;
  }
  return rises > mostRises;
}

/** The position of the gutter between two columns of prose. */
function gutterOf(rows: Row[]): number | undefined {
  const all = rows.flatMap(({ segments }) => segments);
  const left = Math.min(...all.map((one) => one.left));
  const right = Math.max(...all.map((one) => one.right));
  let best: { at: number; crossing: number } | undefined;
  for (let share = 0.35; share <= 0.65; share += 0.01) {
    const at = left + share * (right - left);
    const crossing = all.filter((one) => one.left < at && one.right > at).length;
    if (!best || crossing < best.crossing) best = { at, crossing };
  }
  if (!best || best.crossing > rows.length * 0.3) return undefined;
  const { at } = best;
  const isProse = (side: Segment[]) =>
    side.length >= leastColumnRows &&
    side.reduce((sum, { text }) => sum + text.length, 0) / side.length >= 24;
  const before = all.filter((one) => one.right <= at);
  const behind = all.filter((one) => one.left >= at);
  return isProse(before) && isProse(behind) ? at : undefined;
}

/** A line across both columns ends the block above it in each. */
function inColumns(rows: Row[], at: number): Row[][] {
  const blocks: Row[][] = [];
  let left: Row[] = [];
  let right: Row[] = [];
  const flush = () => {
    blocks.push(left, right);
    [left, right] = [[], []];
  };
  for (const row of rows) {
    if (row.segments.some((one) => one.left < at && one.right > at)) {
      flush();
      blocks.push([row]);
      continue;
    }
    const before = row.segments.filter((one) => one.right <= at);
    const behind = row.segments.filter((one) => one.left >= at);
    if (before.length > 0) left.push(rowOf(row.y, before));
    if (behind.length > 0) right.push(rowOf(row.y, behind));
  }
  flush();
  return blocks.filter((block) => block.length > 0);
}

/** A row of one column. Its size is that of its own segments, not of a heading beside it in the other column. */
const rowOf = (y: number, segments: Segment[]): Row => ({
  y,
  size: Math.max(...segments.map(({ size }) => size)),
  segments,
});

function linesOfBlock(rows: Row[]): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < rows.length; ) {
    const table = tableAt(rows, at);
    if (table) {
      lines.push(...(columnsOfProse(table) ?? withWrappedCells(table).map(withSpans)));
      at += table.length;
      continue;
    }
    const row = rows[at];
    for (const { y, size, segments } of row?.lines ?? (row ? [row] : []))
      lines.push({ text: segments.map(({ text }) => text).join(" "), y, size });
    at += 1;
  }
  return lines;
}

/** The table that begins at a row, with the same number of cells in each row; undefined when none does. */
function tableAt(rows: Row[], from: number): TableLine[] | undefined {
  if (!hasCells(rows[from])) return undefined;
  let to = from;
  while (hasCells(rows[to]) && isNear(rows[to - 1], rows[to], to > from)) to++;
  // A row with one filled cell belongs to the table if more rows follow; otherwise it is the text below.
  for (
    let next = to;
    next < rows.length && isNear(rows[next - 1], rows[next], true) && next - to <= loneRows(rows, to);
    next++
  ) {
    if (hasCells(rows[next]) && next > from) {
      to = next + 1;
      while (hasCells(rows[to]) && isNear(rows[to - 1], rows[to], true)) to++;
      next = to - 1;
    }
  }
  while (isRestOfCell(rows.slice(from, to), rows[to])) to++;
  const some = rows.slice(from, to);
  if (some.filter(({ segments }) => segments.length > 1).length < leastRows) return undefined;
  const segments = some.flatMap((row) => row.segments);
  const mean = segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length;
  const { columns, names } = columnsOfTable(some);
  if (mean > longestCell || columns.length < 2 || columns.length > mostColumns) return undefined;
  if (segments.some(({ isTight }) => isTight) && (isList(some) || !areAligned(columns, segments)))
    return undefined;
  return some.map(({ segments, y, size }, i): TableLine => {
    const cells = columns.map(() => "");
    const groups: [number, number][] = [];
    const pieces = i < names ? segments.flatMap((one) => namesIn(one, columns)) : segments;
    const places = i < names ? columnsUnder(pieces, columns) : columnsBeside(pieces, columns);
    pieces.forEach((one, at) => {
      const [from, to] = places[at] ?? [0, 0];
      cells[from] = [cells[from], one.text].filter(Boolean).join(" ");
      if (to > from) groups.push([from, to]);
    });
    const text = segments.map((one) => one.text).join(" ");
    return { text, y, size, cells, ...(groups.length > 0 ? { groups } : {}) };
  });
}

/** A row, whose cells of groups take their columns as far as the next name. */
function withSpans({ groups, ...line }: TableLine): Line {
  if (!groups) return line;
  const ends = line.cells.map((_, at) => at);
  for (const [from, to] of groups) {
    const next = line.cells.findIndex((text, at) => at > from && text !== "");
    ends[from] = next < 0 ? to : Math.min(to, next - 1);
  }
  const starts = ends.flatMap((_, at) => (ends.slice(0, at).some((end) => end >= at) ? [] : [at]));
  return {
    ...line,
    cells: starts.map((at) => line.cells[at] ?? ""),
    spans: starts.map((at) => ({ columns: (ends[at] ?? at) - at + 1, rows: 1 })),
  };
}

/** True for a row with several cells. A line of prose behind a mark, as a note has, is none. */
const hasCells = (row: Row | undefined) =>
  row !== undefined && row.segments.length > 1 && !row.segments.some(({ text }) => text.length > mostOfCell);

/** True where each row is the number of an item and its text. */
const isList = (rows: Row[]) =>
  rows.every(
    ({ segments: [number, , ...others] }) => others.length === 0 && itemNumber.test(number?.text ?? ""),
  );
const itemNumber = /^\(?[\p{L}\d]{1,4}[.)]$/u;

/** How many rows with one filled cell may stand in a table before its next row: one, or the lines of one long cell. */
function loneRows(rows: Row[], from: number): number {
  let count = 0;
  while (count < mostLinesPerRow && rows[from + count]?.segments.length === 1) count++;
  const starts = rows.slice(from - 1, from + count + 1).map(({ segments }) => segments[0]?.text ?? "");
  const goesOn = (texts: string[]) => texts.every((text) => /^\p{Ll}/u.test(text));
  // The cell's other columns stand at its first line, or at its last.
  return goesOn(starts.slice(1, -1)) || goesOn(starts.slice(2)) ? Math.max(1, count) : 1;
}

/** Points. */
const sameEdge = 2;

/**
 * True when the columns behind the first have an edge of their own: most of their segments share the left edge or the middle, or are
 * figures that share the right edge. The lines of justified prose end at one edge, and most share no other.
 */
function areAligned(columns: Column[], segments: Segment[]): boolean {
  return columns.slice(1).every((column) => {
    const own = segments.filter(({ left, right }) => left < column.right && right > column.left);
    const areFigures = 2 * own.filter(({ text }) => /\d/.test(text)).length >= own.length;
    const beginAtOne = shareEdge(own.map(({ left }) => left));
    // Values as wide as each other share both edges; a single one does, too.
    if (shareEdge(own.map(({ right }) => right)))
      return areFigures || (beginAtOne && own.length >= leastRows);
    if (beginAtOne) return true;
    return shareEdge(own.map(({ left, right }) => (left + right) / 2));
  });
}

function shareEdge(edges: number[]): boolean {
  const middle = edges.toSorted((a, b) => a - b)[edges.length >> 1] ?? 0;
  return 2 * edges.filter((edge) => Math.abs(edge - middle) <= sameEdge).length > edges.length;
}

/** Characters. The lines of a narrow column of prose are longer, and most of them continue a sentence. */
const leastProse = 14;

/** The lines of one column after the other, if none of the columns holds values. */
function columnsOfProse(table: TableLine[]): Line[] | undefined {
  const columns = (table[0]?.cells ?? []).map((_, at) =>
    table.flatMap(({ y, size, cells }) => (cells[at] ? [{ text: cells[at], y, size }] : [])),
  );
  const isProse = (lines: Line[]) =>
    2 * lines.filter(({ text }) => /^\p{Ll}/u.test(text)).length > lines.length &&
    lines.reduce((sum, { text }) => sum + text.length, 0) > leastProse * lines.length;
  return columns.every(isProse) ? columns.flat() : undefined;
}

/** True for the last lines of a cell in the table's last row: text below the table begins at its left. */
function isRestOfCell(table: Row[], row: Row | undefined): boolean {
  const last = table.at(-1);
  const [segment, ...others] = row?.segments ?? [];
  if (!last || !row || !segment || others.length > 0 || last.y - row.y > 0.85 * last.size) return false;
  const [, second] = columnsOf(table.flatMap(({ segments }) => segments));
  return second !== undefined && segment.left > second.left - 2;
}

function isNear(before: Row | undefined, row: Row | undefined, isFollowing: boolean): boolean {
  if (!isFollowing || !before || !row) return true;
  const bottom = before.lines?.at(-1)?.y ?? before.y;
  return bottom - row.y < (rowGap * Math.max(before.size, row.size)) / 2;
}
