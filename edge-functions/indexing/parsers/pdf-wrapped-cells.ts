// Joins the lines of a PDF table's rows whose cells are broken over several lines. Pure geometry.
import type { TableLine } from "./pdf-lines.ts";
import { type Row, type Segment, tooClose } from "./pdf-rows.ts";

/** In type sizes: lines of one cell are not further apart. */
const mostLeading = 1.7;
/** How much further apart rows are than the lines of a cell. */
const leastJump = 1.2;
export const mostLinesPerRow = 8;

/**
 * The rows of a table, where the lines between which there is less room are one row, or else those whose words go on. Returns the lines
 * unchanged if neither tells rows from lines, or if a row would then have two values in all of its columns.
 */
export function withWrappedCells(lines: TableLine[]): TableLine[] {
  const rows = rowsByDistance(lines) ?? rowsByWords(lines);
  return rows ? rows.map(joinLines) : lines;
}

/** True for rows, each of which is one. A header apart from rows that are close together gives two. */
const areRows = (rows: TableLine[][], isOne: (row: TableLine[]) => boolean) =>
  rows.length > 2 && rows.every(isOne);

function rowsByDistance(lines: TableLine[]): TableLine[][] | undefined {
  const gaps = lines.slice(1).map((line, i) => (lines[i]?.y ?? line.y) - line.y);
  const least = leastRowGap(gaps, Math.max(...lines.map(({ size }) => size)) / 2);
  if (least === undefined) return undefined;
  const rows: TableLine[][] = [];
  lines.forEach((line, i) => {
    const last = rows.at(-1);
    if (last && (gaps[i - 1] ?? least) < least) last.push(line);
    else rows.push([line]);
  });
  return areRows(rows, areSentences(rows) ? hasFewLines : isOneRow) ? rows : undefined;
}

/** The share of a column's longest line that a line fills before it is broken. A shorter one is a row of its own, such as a group's name. */
const leastFilled = 0.6;

/** A cell goes on where a line begins with a small letter, below a line that has no room for it. The other cells are at either line. */
function rowsByWords(lines: TableLine[]): TableLine[][] | undefined {
  const longest = (lines[0]?.cells ?? []).map((_, at) =>
    Math.max(...lines.map(({ cells }) => cells[at]?.length ?? 0)),
  );
  const columnsIn = ({ cells }: TableLine) => cells.flatMap((text, at) => (text ? [at] : []));
  const rows: TableLine[][] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    const before = last?.at(-1);
    const [only] = [line, before].flatMap((one) =>
      one && columnsIn(one).length === 1 ? columnsIn(one) : [],
    );
    const above = before?.cells[only ?? -1] ?? "";
    const isFull = above !== "" && above.length >= leastFilled * (longest[only ?? -1] ?? 0);
    if (last && isFull && /^\p{Ll}/u.test(line.cells[only ?? -1] ?? "")) last.push(line);
    else rows.push([line]);
  }
  // A line that stays alone names a group, and then one with a small letter may, too.
  const areFilled = rows.every((row) => new Set(row.flatMap(columnsIn)).size > 1);
  return areFilled && areRows(rows, isOneRow) ? rows : undefined;
}

/** The smallest distance between two rows, from the widest jump among the distances. */
function leastRowGap(gaps: number[], size: number): number | undefined {
  const sorted = gaps.toSorted((a, b) => a - b);
  let least: number | undefined;
  let widest = leastJump;
  sorted.forEach((gap, i) => {
    const before = sorted[i - 1];
    if (before === undefined || before <= 0 || before > mostLeading * size || gap / before < widest) return;
    widest = gap / before;
    least = gap;
  });
  return least;
}

const hasFewLines = (lines: TableLine[]) => lines.length <= mostLinesPerRow;

/** Characters of a line of a cell with a sentence, on average. */
const leastSentence = 10;

/** True when most lines behind the first of a row go on with a sentence: several columns may, and no line is a row of its own. */
function areSentences(rows: TableLine[][]): boolean {
  const behind = rows.flatMap((row) => row.slice(1)).flatMap(({ cells }) => cells.filter(Boolean));
  const goingOn = behind.filter((text) => /^\p{Ll}/u.test(text)).length;
  const chars = behind.reduce((sum, text) => sum + text.length, 0);
  return 5 * goingOn > 3 * behind.length && chars > leastSentence * behind.length;
}

/** True when one column is filled once, and at most one line fills most of the columns. */
function isOneRow(lines: TableLine[]): boolean {
  if (lines.length === 1) return true;
  if (!hasFewLines(lines)) return false;
  const columns = lines[0]?.cells ?? [];
  const countFilled = (line: TableLine) => line.cells.filter(Boolean).length;
  const isFilledOnce = columns.some((_, at) => lines.filter(({ cells }) => cells[at]).length === 1);
  return isFilledOnce && lines.filter((line) => 2 * countFilled(line) > columns.length).length <= 1;
}

function joinLines(lines: TableLine[]): TableLine {
  const [first, ...rest] = lines as [TableLine, ...TableLine[]];
  if (rest.length === 0) return first;
  const { y, size } = first;
  return {
    y,
    size,
    text: lines.map(({ text }) => text).join(" "),
    cells: first.cells.map((_, at) => joinCellLines(lines.map(({ cells }) => cells[at] ?? ""))),
  };
}

/** The lines of a cell as one. A word that is broken at its hyphen is put together. */
export const joinCellLines = (lines: string[]): string =>
  lines
    .filter(Boolean)
    .reduce((text, line) => (/[\p{L}\d]-$/u.test(text) ? text + line : `${text} ${line}`), "")
    .trim();

/** In type sizes: the lines of one row's cells are not further apart, from first to last. */
const highestRow = 4.5;

/**
 * The rows, where lines that are too close to be of one text are one row: a cell of one line is centred beside a cell of two. Columns of
 * prose at different heights are none: they go on.
 */
export function withCentredCells(rows: Row[]): Row[] {
  const bands: Row[][] = [];
  for (const row of rows) {
    const last = bands.at(-1);
    const before = last?.at(-1);
    const isOfSize = before && Math.abs(before.size - row.size) <= 1;
    if (isOfSize && before.y - row.y < (tooClose * row.size) / 2) last?.push(row);
    else bands.push([row]);
  }
  return bands.flatMap((lines) => {
    const [first, last] = [lines[0], lines.at(-1)];
    const size = Math.max(...lines.map((one) => one.size));
    if (!first || !last || lines.length === 1 || first.y - last.y > (highestRow * size) / 2) return lines;
    const segments: Segment[] = [];
    for (const one of lines.flatMap((line) => line.segments)) {
      const above = segments.find(({ left, right }) => one.left < right && one.right > left);
      if (!above) segments.push({ ...one });
      else {
        above.text = joinCellLines([above.text, one.text]);
        above.parts = undefined;
        [above.left, above.right] = [Math.min(above.left, one.left), Math.max(above.right, one.right)];
      }
    }
    segments.sort((a, b) => a.left - b.left);
    return segments.length > 1 ? [{ y: first.y, size, segments, lines }] : lines;
  });
}
