// Finds the rows and columns of a ruled PDF table between which no rule stands: figures below each other, level with those beside them.
// Pure geometry.
import type { TextRun } from "./pdf-lines.ts";
import { rowsOf, type Segment } from "./pdf-rows.ts";
import type { Cell, Grid } from "./pdf-ruled-tables.ts";

/** In points. */
const near = 2.5;
/** Figures below each other: of one column beside any other, and of each of several columns. */
const leastOfOne = 3;
const leastOfEach = 2;
/** The share of a column's figures that stand beside a line of another cell. */
const leastLevel = 0.66;
const mostLinesOfName = 3;
/** Of all cells of a row. A page for people has fewer; each is compared with each. */
const mostLines = 2000;
/** A figure may have a unit or a mark. */
const mostLetters = 3;
const longestFigure = 24;
/** In type sizes. */
const sameLine = 0.4;

interface Level {
  y: number;
  /** In points. */
  size: number;
}

export interface CellLine extends Level {
  text: string;
  segments: Segment[];
  runs: TextRun[];
}

/** A table with a row for each line of figures, and with the cells of a row that has rules above and below it alone. */
export function withUnruledRows(grid: Grid, cells: Cell[]): { grid: Grid; cells: Cell[] } {
  const all = cells.flatMap((cell) => atColumns(cell, grid.xs));
  const ys = [grid.ys[0] ?? 0];
  /** For each ruled row the row that it begins at. */
  const starts: number[] = [];
  const split: Cell[] = [];
  for (let row = 0; row < grid.ys.length - 1; row++) {
    starts.push(ys.length - 1);
    const band = all.filter((cell) => cell.row === row && cell.toRow === row + 1);
    const beside = all.filter((cell) => cell.row <= row && cell.toRow > row && !band.includes(cell));
    const rows = beside.some(isLong) ? [] : rowsIn(band);
    for (const [i, { y, size }] of rows.slice(1).entries())
      ys.push(Math.min((ys.at(-1) ?? y) - near, y + Math.min(size, ((rows[i]?.y ?? y) - y) / 2)));
    ys.push(grid.ys[row + 1] ?? 0);
    if (rows.length > 1) split.push(...band.flatMap((cell) => cutAtRows(cell, rows, starts[row] ?? 0)));
    else split.push(...band.map((cell) => ({ ...cell, row: starts[row] ?? 0, toRow: ys.length - 1 })));
  }
  starts.push(ys.length - 1);
  const merged = all.filter(({ row, toRow }) => toRow > row + 1);
  const moved = merged.map((cell) => ({
    ...cell,
    row: starts[cell.row] ?? 0,
    toRow: starts[cell.toRow] ?? 0,
  }));
  return { grid: { ...grid, ys }, cells: [...split, ...moved].sort(inOrder) };
}

/** True for the words of a merged cell that are no name of its rows. */
const isLong = ({ runs }: Cell) => linesIn(runs).length > mostLinesOfName;

const inOrder = (one: Cell, other: Cell) => one.row - other.row || one.column - other.column;

/** A merged cell as one for each column, if its words stand in the columns, several of them on a line. */
function atColumns(cell: Cell, xs: number[]): Cell[] {
  if (cell.toColumn - cell.column === 1) return [cell];
  const columnOf = ({ left, right }: { left: number; right: number }) =>
    xs.findIndex((x, at) => left >= x - near && right <= (xs[at + 1] ?? x) + near);
  const lines = linesIn(cell.runs);
  const places = lines.map(({ segments }) => segments.map(columnOf));
  const areApart = places.every((some) => !some.includes(-1) && new Set(some).size === some.length);
  if (!areApart || !places.some((some) => some.length > 1)) return [cell];
  const edges = xs.slice(cell.column, cell.toColumn + 1);
  return edges.slice(1).map((_, i): Cell => {
    const runs = cell.runs.filter(({ transform }) => placeBetween(edges, (transform[4] ?? 0) + near) === i);
    return { ...cell, column: cell.column + i, toColumn: cell.column + i + 1, runs };
  });
}

/** Between which of the edges a place is, from 0; one outside is in the first or the last of the spaces. */
export const placeBetween = (edges: number[], at: number): number =>
  Math.min(
    edges.length - 2,
    Math.max(
      0,
      edges.findLastIndex((edge) => edge <= at),
    ),
  );

/**
 * The lines of the cells beside each other, from the top, if they are rows: most cells have several, and figures are level with others, of
 * which one has words unless the figures are many. Otherwise none.
 */
function rowsIn(cells: Cell[]): Level[] {
  const lines = cells.map(({ runs }) => linesIn(runs)).filter((some) => some.length > 0);
  const isMany = lines.reduce((sum, some) => sum + some.length, 0) > mostLines;
  if (isMany || 2 * lines.filter((some) => some.length > 1).length < lines.length) return [];
  const areFigures = (some: CellLine[]) =>
    some.every(isFigure) && 2 * some.filter(({ text }) => /\d/.test(text)).length > some.length;
  const figures = lines.filter((some) => some.length >= leastOfEach && areFigures(some));
  const names = lines.filter((some) => !some.every(isFigure));
  const areRows = (some: CellLine[], others: CellLine[][]) =>
    some.filter((line) => others.some((other) => other !== some && other.some((one) => areLevel(line, one))))
      .length >=
    leastLevel * some.length;
  const level = figures.filter((some) => areRows(some, lines));
  const longest = level.toSorted((a, b) => b.length - a.length)[0];
  if (!longest || (level.length === 1 && longest.length < leastOfOne)) return [];
  const areNamed = names.length === 0 || names.some((some) => areRows(longest, [some]));
  if (!areNamed && (level.length === 1 || longest.length < leastOfOne)) return [];
  const rows: CellLine[] = [];
  for (const line of lines
    .filter((some) => some.length > 1)
    .flat()
    .sort((a, b) => b.y - a.y)) {
    const above = rows.at(-1);
    if (above && (areLevel(above, line) || goesOn(line, lines))) continue;
    rows.push(line);
  }
  return rows;
}

const areLevel = (one: Level, other: Level) =>
  Math.abs(one.y - other.y) <= sameLine * Math.max(one.size, other.size);

/** True for a number with its unit, a mark, or what stands for a number that is not known. */
export const isFigure = ({ text }: { text: string }) =>
  text.length <= longestFigure && (text.match(/\p{L}/gu)?.length ?? 0) <= mostLetters;

/** True for a line that goes on with the one above it in its cell, with nothing beside it. */
const goesOn = (line: CellLine, cells: CellLine[][]) =>
  /^\p{Ll}/u.test(line.text) &&
  cells.every((lines) => lines.includes(line) || !lines.some((other) => areLevel(other, line)));

/** A cell as one for each of the rows. A single line in their middle, or beside none, names all of them. */
function cutAtRows(cell: Cell, rows: Level[], from: number): Cell[] {
  const lines = linesIn(cell.runs);
  const [only, ...others] = lines;
  const [first, last] = [rows[0], rows.at(-1)];
  const middle = ((first?.y ?? 0) + (last?.y ?? 0)) / 2;
  const isMiddle = (line: CellLine) =>
    rows.length >= leastOfOne && Math.abs(line.y - middle) < (first?.size ?? 0) / 2;
  if (only && others.length === 0 && (isMiddle(only) || !rows.some((row) => areLevel(row, only))))
    return [{ ...cell, row: from, toRow: from + rows.length }];
  const rowOf = (line: CellLine) => rows.findLastIndex(({ y, size }) => y >= line.y - sameLine * size);
  return rows.map(
    (_, i): Cell => ({
      ...cell,
      row: from + i,
      toRow: from + i + 1,
      runs: lines.filter((line) => Math.max(0, rowOf(line)) === i).flatMap(({ runs }) => runs),
    }),
  );
}

/** The lines of a cell from the top, each with its runs. */
export function linesIn(runs: TextRun[]): CellLine[] {
  const lines = rowsOf(runs).map(({ y, size, segments }): CellLine => {
    const text = segments.map((one) => one.text).join(" ");
    return { y, size: size / 2, text, segments, runs: [] };
  });
  const yOf = ({ transform }: TextRun) => transform[5] ?? 0;
  const written = runs.filter(({ str }) => str.trim() !== "").sort((a, b) => yOf(b) - yOf(a));
  let at = 0;
  for (const run of written) {
    const distance = (line: CellLine | undefined) =>
      Math.abs((line?.y ?? Number.POSITIVE_INFINITY) - yOf(run));
    while (distance(lines[at + 1]) < distance(lines[at])) at++;
    lines[at]?.runs.push(run);
  }
  return lines;
}
