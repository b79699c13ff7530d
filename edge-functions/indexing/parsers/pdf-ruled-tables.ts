// Finds the tables of a PDF's page by the rules drawn around their cells, which tell the lines of a cell from rows, and merged cells. Pure
// geometry.
import type { Rule } from "./pdf-drawing.ts";
import { cutRun, type Line, type TextRun } from "./pdf-lines.ts";
import { gridsOfRows } from "./pdf-row-rules.ts";
import { rowsOf } from "./pdf-rows.ts";
import { withUnruledColumns } from "./pdf-unruled-columns.ts";
import { withUnruledRows } from "./pdf-unruled-rows.ts";
import { joinCellLines } from "./pdf-wrapped-cells.ts";
import { isHeader } from "./table-rows.ts";

/** In points: rules that are as close are one, and reach each other. */
const near = 2.5;
/** A page's frame or a box has fewer; a sheet of graph paper has more. */
const leastLines = 3;
const mostColumns = 40;
const mostRows = 200;
const leastFilledCells = 4;
const leastFilledShare = 0.3;

export interface Grid {
  /** The rules' places, from the left and from the top. */
  xs: number[];
  ys: number[];
  rules: Rule[];
  /** Rules stand between its rows alone. */
  isOfRows?: boolean;
}

/** A cell and those that no rule separates from it, as rows and columns of the grid. The ends are not included. */
export interface Cell {
  row: number;
  column: number;
  toRow: number;
  toColumn: number;
  runs: TextRun[];
}

/** Part of a page: the lines of a table, or runs that are in none, in the file's order. */
export type PagePart = { lines: Line[] } | { runs: TextRun[] };

interface Table {
  lines: Line[];
  inside: Set<TextRun>;
}

/** A page cut at its tables. Each stands where the file begins to write it. */
export function cutAtTables(runs: TextRun[], rules: Rule[]): PagePart[] {
  const tableOf = tablesOf(runs, rules);
  const parts: PagePart[] = [];
  const written = new Set<Table>();
  let open: TextRun[] = [];
  const end = () => {
    if (open.some(({ str }) => str.trim() !== "")) parts.push({ runs: open });
    open = [];
  };
  for (const run of runs) {
    const table = tableOf.get(run);
    if (!table) open.push(run);
    else if (!written.has(table)) {
      end();
      written.add(table);
      parts.push({ lines: table.lines });
    }
  }
  end();
  return parts;
}

/** The table of each run that is in one. Of tables within each other the inner one has its words. */
function tablesOf(runs: TextRun[], rules: Rule[]): Map<TextRun, Table> {
  const { grids, lone } = gridsOf(rules);
  const all = [...grids, ...gridsOfRows(lone, runs)].sort((a, b) => areaOf(a) - areaOf(b));
  const tableOf = new Map<TextRun, Table>();
  all.forEach((grid, number) => {
    const left = runs.filter((run) => !tableOf.has(run));
    for (const table of tableIn(grid, left, number + 1))
      for (const run of table.inside) tableOf.set(run, table);
  });
  return tableOf;
}

const areaOf = ({ xs, ys }: Grid) => ((xs.at(-1) ?? 0) - (xs[0] ?? 0)) * ((ys[0] ?? 0) - (ys.at(-1) ?? 0));

/** Rules that meet, each group with the places of its lines, and level rules that meet no other. */
function gridsOf(rules: Rule[]): { grids: Grid[]; lone: Rule[] } {
  const level = joinPieces(rules.filter(({ isLevel }) => isLevel));
  const upright = joinPieces(rules.filter(({ isLevel }) => !isLevel));
  const grids: Grid[] = [];
  const lone: Rule[] = [];
  const left = new Set([...level, ...upright]);
  for (const first of level) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const rule of group)
      for (const other of rule.isLevel ? upright : level)
        if (left.has(other) && meet(rule, other)) {
          left.delete(other);
          group.push(other);
        }
    if (group.length === 1) lone.push(first);
    const xs = placesOf(group, false);
    const ys = placesOf(group, true).reverse();
    const isTable =
      xs.length >= leastLines && ys.length >= leastLines && xs.length <= mostColumns && ys.length <= mostRows;
    if (isTable) grids.push({ xs, ys, rules: group });
  }
  return { grids, lone };
}

/** Pieces of one line as one rule: many programs draw each cell's sides. */
function joinPieces(rules: Rule[]): Rule[] {
  const sorted = rules.toSorted((a, b) => a.at - b.at || a.from - b.from);
  const lines: Rule[][] = [];
  for (const rule of sorted) {
    const last = lines.at(-1);
    if (last?.[0] && rule.at - last[0].at <= near) last.push(rule);
    else lines.push([rule]);
  }
  return lines.flatMap((line) => {
    const whole: Rule[] = [];
    for (const rule of line.toSorted((a, b) => a.from - b.from)) {
      const last = whole.at(-1);
      if (last && rule.from - last.to <= near) last.to = Math.max(last.to, rule.to);
      else whole.push({ ...rule });
    }
    return whole;
  });
}

const meet = (one: Rule, other: Rule) =>
  other.at >= one.from - near &&
  other.at <= one.to + near &&
  one.at >= other.from - near &&
  one.at <= other.to + near;

/** The places of a group's lines, the open sides of a table included: rules go on beyond its outermost line. */
function placesOf(group: Rule[], isLevel: boolean): number[] {
  const across = group.filter((rule) => rule.isLevel !== isLevel);
  const own = group.filter((rule) => rule.isLevel === isLevel).map(({ at }) => at);
  const ends = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))];
  const places: number[] = [];
  for (const at of [...own, ...ends].sort((a, b) => a - b))
    if (places.length === 0 || at - (places.at(-1) ?? at) > 2 * near) places.push(at);
  return places;
}

/** @returns nothing if the rules are no table's */
function tableIn(grid: Grid, runs: TextRun[], number: number): Table[] {
  const cells = cellsOf(grid);
  if (!cells) return [];
  const cellAt = (x: number, y: number) => {
    const column = grid.xs.findLastIndex((at) => at <= x);
    const row = grid.ys.findLastIndex((at) => at >= y);
    return cells.find((one) => isIn(one, row, column));
  };
  const inside = new Set<TextRun>();
  let before: Cell | undefined;
  for (const run of runs) {
    if (run.str.trim() === "") {
      // The space or the line's end behind a cell's word.
      if (before) inside.add(run);
      continue;
    }
    const pieces = piecesOf(run, grid.xs, cellAt);
    before = pieces.at(-1)?.cell;
    if (!pieces.every(({ cell }) => cell)) continue;
    inside.add(run);
    for (const { cell, run: piece } of pieces) cell?.runs.push(piece);
  }
  const filled = cells.filter((cell) => cell.runs.length > 0);
  if (filled.length < leastFilledCells || filled.length < leastFilledShare * cells.length) return [];
  const wide = withUnruledColumns(grid, cells);
  const whole = withUnruledRows(wide.grid, wide.cells);
  const own = whole.cells.filter((cell) => cell.runs.length > 0);
  if (own.some(holdsRows) || hasUnruledRows(whole.grid, own)) return [];
  if (!filled.every((cell) => hasRoom(grid, cell))) return [];
  return [{ lines: linesOf(whole.grid, whole.cells, number), inside }];
}

const isIn = (cell: Cell, row: number, column: number) =>
  row >= cell.row && row < cell.toRow && column >= cell.column && column < cell.toColumn;

/** The cells of a grid, from the top left; undefined when one of them is no rectangle. */
function cellsOf({ xs, ys, rules }: Grid): Cell[] | undefined {
  const isRuled = (isLevel: boolean, at: number, middle: number) =>
    rules.some(
      (rule) =>
        rule.isLevel === isLevel &&
        Math.abs(rule.at - at) <= 2 * near &&
        rule.from <= middle &&
        rule.to >= middle,
    );
  const middle = (places: number[], at: number) => ((places[at] ?? 0) + (places[at + 1] ?? 0)) / 2;
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  const taken = new Set<number>();
  const cells: Cell[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (taken.has(row * columns + column)) continue;
      let toColumn = column + 1;
      while (toColumn < columns && !isRuled(false, xs[toColumn] ?? 0, middle(ys, row))) toColumn++;
      let toRow = row + 1;
      while (toRow < rows && !isRuled(true, ys[toRow] ?? 0, middle(xs, column))) toRow++;
      for (let down = row; down < toRow; down++)
        for (let along = column; along < toColumn; along++) {
          if (taken.has(down * columns + along)) return undefined;
          taken.add(down * columns + along);
        }
      cells.push({ row, column, toRow, toColumn, runs: [] });
    }
  return cells;
}

/** The cells that a run stands in, which is cut at the rules between them. */
function piecesOf(
  run: TextRun,
  xs: number[],
  cellAt: (x: number, y: number) => Cell | undefined,
): { cell: Cell | undefined; run: TextRun }[] {
  const { str, width = 0, transform } = run;
  const [, , c = 0, d = 0, left = 0, y = 0] = transform;
  const middle = y + (run.height || Math.hypot(c, d)) / 4;
  const cell = cellAt(left + Math.min(width, near) / 2, middle);
  const edge = cell && xs[cell.toColumn];
  if (edge === undefined || left + width <= edge + near || str.trim() === "")
    return [{ cell: cell ?? cellAt(left + width / 2, middle), run }];
  const [own, rest] = cutRun(run, edge);
  return [{ cell, run: own }, ...(rest ? piecesOf(rest, xs, cellAt) : [])];
}

/** True for a merged cell that is a table itself, whose rows and columns no rule separates. */
function holdsRows({ column, toColumn, runs }: Cell): boolean {
  if (toColumn - column === 1) return false;
  const lines = rowsOf(runs).filter(({ segments }) => segments.filter(({ isTight }) => !isTight).length > 1);
  return lines.length >= leastUnruled.ofAny;
}

/** False for words on lines that are closer together than words are high, as those of a sheet of music. */
function hasRoom({ ys }: Grid, { row, toRow, runs }: Cell): boolean {
  const size = Math.max(...rowsOf(runs).map((one) => one.size)) / 2;
  return (ys[row] ?? 0) - (ys[toRow] ?? 0) >= leastHeight * size;
}

/** In type sizes. */
const leastHeight = 0.9;
/** Lines of a cell beside those of another: fewer are one row's; of a table that is ruled between rows alone, and of any other. */
const leastUnruled = { ofRows: 2, ofAny: 3 };
/** The share of a cell's lines that end for want of room, in prose; a few may end so in a list of values. */
const leastForced = { ofFew: 0.5, ofMany: 0.8 };
const many = 6;

/**
 * True for a table whose rows have no rule between them: lines of several cells are level with each other, and break where there was room
 * for another word.
 */
function hasUnruledRows({ xs, isOfRows }: Grid, cells: Cell[]): boolean {
  const least = isOfRows ? leastUnruled.ofRows : leastUnruled.ofAny;
  const heights = new Map<number, number>();
  let breaks = 0;
  let forced = 0;
  for (const cell of cells) {
    const lines = rowsOf(cell.runs).map(({ y, segments }) => ({
      y: Math.round(y),
      left: segments[0]?.left ?? 0,
      right: segments.at(-1)?.right ?? 0,
      text: segments.map(({ text }) => text).join(" "),
    }));
    if (lines.length < least) continue;
    const from = xs[cell.column] ?? 0;
    const margin = Math.min(...lines.map(({ left }) => left - from));
    const room = (xs[cell.toColumn] ?? 0) - from - 2 * margin;
    lines.forEach(({ y, left, right, text }, i) => {
      heights.set(y, (heights.get(y) ?? 0) + 1);
      const next = /^\S+/.exec(lines[i + 1]?.text ?? "")?.[0];
      if (next === undefined) return;
      breaks++;
      const letter = (right - left) / Math.max(1, text.length);
      if (right - left + (1 + next.length) * letter > room - letter) forced++;
    });
  }
  const shared = [...heights.values()].filter((count) => count > 1).length;
  return shared >= least && forced < (shared < many ? leastForced.ofFew : leastForced.ofMany) * breaks;
}

/** A line of the page for each row with text. */
function linesOf({ xs, ys }: Grid, cells: Cell[], number: number): Line[] {
  const table = { number, edges: xs };
  const texts = new Map(cells.map((cell) => [cell, textOf(cell.runs)]));
  return ys.slice(1).flatMap((bottom, row): Line[] => {
    const own = cells.filter((cell) => cell.row === row);
    const runs = own.flatMap((cell) => cell.runs);
    const size = Math.max(0, ...rowsOf(runs).map((one) => one.size));
    const cellTexts = own.map((cell) => texts.get(cell) ?? "");
    return [
      {
        text: cellTexts.filter(Boolean).join(" "),
        y: bottom,
        size,
        cells: cellTexts,
        table,
        spans: own.map(({ column, toColumn, toRow }) => ({ columns: toColumn - column, rows: toRow - row })),
      },
    ];
  });
}

const textOf = (runs: TextRun[]) =>
  joinCellLines(rowsOf(runs).map(({ segments }) => segments.map(({ text }) => text).join(" ")));

/** The pages, where a table that goes on at the top of the next has its header there too, unless the file repeats it. */
export function withHeaders(pages: Line[][]): Line[][] {
  /** The rows of the table at the end of the page before. */
  let above: Line[] = [];
  return pages.map((lines) => {
    const [first] = lines;
    const headers = above.slice(0, Math.max(1, ...(above[0]?.spans ?? []).map(({ rows }) => rows)));
    const [header] = headers;
    const second = above[headers.length];
    const lacksHeader =
      first &&
      header &&
      second &&
      haveSameColumns(first, header) &&
      (headers.length > 1 || isHeader(sparse(header), sparse(second))) &&
      header.text !== first.text;
    const own = lacksHeader
      ? [...headers.map((one) => ({ ...one, ...(first.table ? { table: first.table } : {}) })), ...lines]
      : lines;
    const end = own.at(-1)?.table;
    above = end ? own.filter(({ table }) => table?.number === end.number) : [];
    return own;
  });
}

const sparse = ({ cells = [] }: Line) =>
  cells.flatMap((text, i): [number, string][] => (text === "" ? [] : [[i, text]]));

const haveSameColumns = ({ table: one }: Line, { table: other }: Line) =>
  one !== undefined &&
  one.edges.length === other?.edges.length &&
  one.edges.every((edge, i) => Math.abs(edge - (other.edges[i] ?? 0)) <= near);
