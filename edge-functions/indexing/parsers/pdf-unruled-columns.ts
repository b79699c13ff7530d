// Finds the columns of a ruled PDF table between which no rule stands: figures beside each other in one cell, line after line. Pure geometry.
import { cutRun, type TextRun } from "./pdf-lines.ts";
import { cellGap } from "./pdf-rows.ts";
import type { Cell, Grid } from "./pdf-ruled-tables.ts";
import { type CellLine, isFigure, linesIn, placeBetween } from "./pdf-unruled-rows.ts";

/** Lines with several figures. */
const leastLines = 3;
/** A column in fewer of the lines is none. */
const leastFilled = 0.5;
const mostOfOne = 8;

interface Span {
  left: number;
  right: number;
}

/** A table with a column for each column of figures. A name over several of them is in each. */
export function withUnruledColumns(grid: Grid, cells: Cell[]): { grid: Grid; cells: Cell[] } {
  const xs = [grid.xs[0] ?? 0];
  /** For each ruled column the column that it begins at. */
  const starts: number[] = [];
  for (let column = 0; column < grid.xs.length - 1; column++) {
    starts.push(xs.length - 1);
    const own = cells.filter((cell) => cell.column === column && cell.toColumn === column + 1);
    xs.push(...edgesIn(own), grid.xs[column + 1] ?? 0);
  }
  starts.push(xs.length - 1);
  if (xs.length === grid.xs.length) return { grid, cells };
  const split = cells.flatMap((cell): Cell[] => {
    const [column, toColumn] = [starts[cell.column] ?? 0, starts[cell.toColumn] ?? 0];
    const isOne = cell.toColumn - cell.column > 1 || toColumn - column === 1;
    if (isOne) return [{ ...cell, column, toColumn }];
    return cutAtEdges({ ...cell, column, toColumn }, xs.slice(column, toColumn + 1));
  });
  return { grid: { ...grid, xs }, cells: split };
}

/** Where a column's figures leave room between them in every line. */
function edgesIn(cells: Cell[]): number[] {
  const lines = cells.flatMap(({ runs }) => linesIn(runs)).filter(hasFigures);
  if (lines.length < leastLines) return [];
  const columns: (Span & { lines: number })[] = [];
  for (const { left, right } of lines.flatMap(({ segments }) => segments).sort((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && left < last.right) {
      last.right = Math.max(last.right, right);
      last.lines++;
    } else columns.push({ left, right, lines: 1 });
  }
  const areFilled = columns.every((one) => one.lines >= leastFilled * lines.length);
  if (!areFilled || columns.length > mostOfOne) return [];
  return columns.slice(1).map(({ left }, i) => ((columns[i]?.right ?? left) + left) / 2);
}

/** True for figures beside each other, the first of which may be a name. Short words of justified prose are none. */
const hasFigures = ({ segments: [, ...others] }: CellLine) =>
  others.length > 0 &&
  others.every((one) => !one.isTight && isFigure(one) && (/\d/.test(one.text) || !/\p{L}/u.test(one.text)));

/** A cell as one for each of the columns between edges. Words that go on over an edge, or stand alone, are in each of them. */
function cutAtEdges(cell: Cell, edges: number[]): Cell[] {
  const lines = linesIn(cell.runs);
  return edges.slice(1).map((_, i): Cell => {
    const runs = lines.flatMap((line) => {
      const isAlone = edges.slice(1).some((edge, at) => isWithin(line, edges[at] ?? edge, edge));
      const isName = isAlone || edges.slice(1, -1).some((edge) => isOver(line, edge));
      if (isName && !line.segments.every(isFigure) && !hasFigures(line)) return line.runs;
      return line.runs
        .flatMap((run) => piecesOf(run, edges.slice(1, -1)))
        .filter((run) => placeBetween(edges, middleOf(run)) === i);
    });
    return { ...cell, column: cell.column + i, toColumn: cell.column + i + 1, runs };
  });
}

/** A run in the pieces that edges cut it into, from the left, where most of each piece is at its side of the edge. */
function piecesOf(run: TextRun, [edge, ...others]: number[]): TextRun[] {
  if (edge === undefined) return [run];
  const left = run.transform[4] ?? 0;
  const isAcross = left < edge && left + (run.width ?? 0) > edge;
  const [own, rest] = isAcross ? cutRun(run, edge) : [run];
  return rest && middleOf(own) < edge && middleOf(rest) > edge
    ? [own, ...piecesOf(rest, others)]
    : piecesOf(run, others);
}

const middleOf = ({ transform, width = 0 }: TextRun) => (transform[4] ?? 0) + width / 2;

const isWithin = ({ segments }: CellLine, from: number, to: number) =>
  (segments[0]?.left ?? to) >= from && (segments.at(-1)?.right ?? from) <= to;

/** True for a line with a word at the edge, or with words at both of its sides that are no farther apart than words are. */
function isOver({ runs, size }: CellLine, edge: number): boolean {
  const spans = runs.map(({ transform, width = 0 }) => {
    const left = transform[4] ?? 0;
    return { left, right: left + width };
  });
  const before = Math.max(...spans.filter(({ left }) => left < edge).map(({ right }) => right));
  const behind = Math.min(...spans.filter(({ left }) => left >= edge).map(({ left }) => left));
  return before > edge || behind - before < cellGap * size;
}
