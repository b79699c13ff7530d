// Finds the reading order of a PDF's page: columns one after the other, and tables with separate cells. Pure geometry.
import type { Line, TextRun } from "./pdf-lines.ts";
import { mostLinesPerRow, withWrappedCells } from "./pdf-wrapped-cells.ts";

/** A run of text on one line, in points. */
interface Segment {
  text: string;
  left: number;
  right: number;
  /** Of its largest type, in half points. */
  size: number;
  /** True behind a gap that justified prose has too. */
  isTight?: boolean;
}

/** A piece of a line as the file writes it, in points. */
interface Part {
  text: string;
  left: number;
  right: number;
  y: number;
  size: number;
}

interface Row {
  y: number;
  /** The largest of its segments' sizes. */
  size: number;
  segments: Segment[];
}

/** In type sizes: a wider gap separates segments, of tables alone if it is no wider than `proseGap`; lines closer than this are one line. */
const wideGap = 1.1;
const proseGap = 1.3;
const sameLine = 0.4;
/** In type sizes: a narrower gap is one between words, whatever is in line with it. */
const cellGap = 0.45;
/** Points between edges that are in line, and the rows above and below in which others are looked for. */
const inLine = 1;
const rowsInSight = 3;
/** Parts of a row that are compared with those of others. A program that writes word by word writes fewer. */
const mostParts = 200;
/** Stands in front of an item of a list, not in a cell of its own. */
const bullet = /^\s*[•●○◦▪■‣]\s*$/u;
/** Of its length first: a regular expression copies a text that was put together from pieces, at each piece of a long row. */
const isBullet = (text: string) => text.length <= longestBullet && bullet.test(text);
const longestBullet = 8;
/** The maximum distance of a table's rows, in type sizes. */
const rowGap = 3.2;
const leastRows = 3;
const mostColumns = 12;
/** Maximum average characters of a table's cells; longer ones are columns of prose. */
const longestCell = 36;
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
  const rows = rowsOf(runs);
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

/** The level lines of runs, from the top, in segments that wide gaps separate. */
export function rowsOf(runs: TextRun[]): Row[] {
  const placed = runs.flatMap(({ str, height, width = 0, transform }): Part[] => {
    const [, , c = 0, d = 0, x = 0, y = 0] = transform;
    const size = height || Math.hypot(c, d);
    // Rotated text is in no row.
    const isLevel = Math.abs(transform[1] ?? 0) < 0.01;
    return str.trim() === "" || !isLevel ? [] : [{ text: str, left: x, right: x + width, y, size }];
  });
  placed.sort((a, b) => b.y - a.y || a.left - b.left);
  const rows: { y: number; size: number; parts: Part[] }[] = [];
  for (const part of placed) {
    const last = rows.at(-1);
    if (last && last.y - part.y < sameLine * Math.max(part.size, last.size)) last.parts.push(part);
    else rows.push({ y: part.y, size: part.size, parts: [part] });
  }
  for (const { parts } of rows) parts.sort((a, b) => a.left - b.left);
  const starts = cellStarts(rows);
  return rows.map(({ y, parts }) => {
    const segments: Segment[] = [];
    // A bullet is larger than its text in many files, which makes no heading of the line.
    const words = parts.filter(({ text }) => !isBullet(text));
    const size = Math.max(...(words.length > 0 ? words : parts).map((part) => part.size));
    for (const [at, part] of parts.entries()) {
      const { text, left, right, size: own } = part;
      const last = segments.at(-1);
      const halves = Math.round(2 * own);
      const gap = last ? left - last.right : 0;
      const isApart = gap > wideGap * size || starts.has(part);
      if (!last || (isApart && !(segments.length === 1 && isBullet(last.text))))
        segments.push({
          text,
          left,
          right,
          size: halves,
          isTight: last !== undefined && gap <= proseGap * size,
        });
      else {
        last.size = isBullet(last.text) ? halves : Math.max(last.size, halves);
        const isWord =
          left - last.right > 0.15 * size && !/\s$/.test(parts[at - 1]?.text ?? "") && !/^\s/.test(text);
        last.text += `${isWord ? " " : ""}${text}`;
        last.right = Math.max(last.right, right);
      }
    }
    for (const segment of segments) segment.text = segment.text.replace(/\s+/g, " ").trim();
    return { y, size: Math.round(2 * size), segments };
  });
}

/** The parts that begin a cell behind a gap that words have too: parts of two more rows near by are in line with them. */
function cellStarts(rows: { y: number; size: number; parts: Part[] }[]): Set<Part> {
  /** The first part of each row, and those behind a gap. */
  const apart = rows.map(({ size, parts }) =>
    parts
      .slice(0, mostParts)
      .filter((part, i) => i === 0 || part.left - (parts[i - 1]?.right ?? part.left) > cellGap * size),
  );
  const isNear = (one: number, other: number) =>
    Math.abs((rows[one]?.y ?? 0) - (rows[other]?.y ?? 0)) <
    rowGap * Math.abs(one - other) * (rows[one]?.size ?? 0);
  const starts = new Set<Part>();
  apart.forEach((parts, row) => {
    for (const part of parts.slice(1)) {
      let others = 0;
      for (let at = row - rowsInSight; at <= row + rowsInSight && others < 2; at++)
        if (at !== row && isNear(row, at) && apart[at]?.some((one) => areInLine(part, one))) others++;
      if (others === 2) starts.add(part);
    }
  });
  return starts;
}

const areInLine = (one: Part, other: Part) =>
  Math.abs(one.left - other.left) <= inLine ||
  Math.abs(one.right - other.right) <= inLine ||
  Math.abs(one.left + one.right - other.left - other.right) <= 2 * inLine;

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
      lines.push(...(columnsOfProse(table) ?? withWrappedCells(table)));
      at += table.length;
      continue;
    }
    const row = rows[at];
    if (row) lines.push({ text: row.segments.map(({ text }) => text).join(" "), y: row.y, size: row.size });
    at += 1;
  }
  return lines;
}

/** The table that begins at a row, with the same number of cells in each row; undefined when none does. */
function tableAt(rows: Row[], from: number): (Line & { cells: string[] })[] | undefined {
  if ((rows[from]?.segments.length ?? 0) < 2) return undefined;
  let to = from;
  while (
    to < rows.length &&
    (rows[to]?.segments.length ?? 0) > 1 &&
    isNear(rows[to - 1], rows[to], to > from)
  )
    to++;
  // A row with one filled cell belongs to the table if more rows follow; otherwise it is the text below.
  for (
    let next = to;
    next < rows.length && isNear(rows[next - 1], rows[next], true) && next - to <= loneRows(rows, to);
    next++
  ) {
    if ((rows[next]?.segments.length ?? 0) > 1 && next > from) {
      to = next + 1;
      while (to < rows.length && (rows[to]?.segments.length ?? 0) > 1 && isNear(rows[to - 1], rows[to], true))
        to++;
      next = to - 1;
    }
  }
  while (isRestOfCell(rows.slice(from, to), rows[to])) to++;
  const some = rows.slice(from, to);
  if (some.filter(({ segments }) => segments.length > 1).length < leastRows) return undefined;
  const segments = some.flatMap((row) => row.segments);
  const mean = segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length;
  const columns = columnsOf(segments);
  if (mean > longestCell || columns.length < 2 || columns.length > mostColumns) return undefined;
  if (segments.some(({ isTight }) => isTight) && (isList(some) || !areAligned(columns, segments)))
    return undefined;
  return some.map((row): Line & { cells: string[] } => {
    const cells = columns.map(() => "");
    for (const { text, left, right } of row.segments) {
      const at = columns.findIndex((column) => left < column.right && right > column.left);
      if (at >= 0) cells[at] = [cells[at], text].filter(Boolean).join(" ");
    }
    return { text: row.segments.map(({ text }) => text).join(" "), y: row.y, size: row.size, cells };
  });
}

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
function areAligned(columns: { left: number; right: number }[], segments: Segment[]): boolean {
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
function columnsOfProse(table: (Line & { cells: string[] })[]): Line[] | undefined {
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
  return before.y - row.y < (rowGap * Math.max(before.size, row.size)) / 2;
}

/** Segments that overlap horizontally form one column. */
function columnsOf(segments: Segment[]): { left: number; right: number }[] {
  const columns: { left: number; right: number }[] = [];
  for (const { left, right } of segments.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}
