// Owns where the tables of a sheet begin: below a title, or below an empty row. Pure.
import type { SheetLook } from "./sheet-groups.ts";
import { type CellLook, plainLook } from "./table-groups.ts";
import { isHeader, joinHeaderRows, type SparseRow } from "./table-rows.ts";
import { oneLine } from "./text-builder.ts";

export interface SheetRow {
  /** Its number in the sheet. */
  at: number;
  cells: SparseRow;
  /** The style of the first cell, and how its words look. */
  style: number;
  look?: CellLook;
  /** The last columns of the cells merged along the row, by their first column. */
  merged: Map<number, number>;
}

export interface SheetTable {
  /** Lines of a single cell above: a title or a remark. */
  above: string[];
  rows: SparseRow[];
  looks: Map<SparseRow, SheetLook>;
}

const mostTitleLines = 5;
const mostStarts = 10;

/**
 * The parts of a sheet with tables beside each other, which an empty column separates. Rows of one table would otherwise take in those of
 * the next. An empty column alone only groups a table's columns: a part begins where the names repeat, where names stand beside values, or
 * where texts name rows that go on below the end of the part before.
 */
export function partsOfSheet(rows: SheetRow[]): SheetRow[][] {
  const starts = blockStarts(rows);
  // A table with so many empty columns only groups its own, and each start takes a pass over the sheet.
  if (starts.length > mostStarts) return [rows];
  const parts: SheetRow[][] = [];
  let from = 0;
  starts.forEach((start, i) => {
    const before = rowsWithin(rows, from, start);
    const block = rowsWithin(rows, start, starts[i + 1] ?? Number.POSITIVE_INFINITY);
    if (!beginsBeside(before, block)) return;
    parts.push(before);
    from = start;
  });
  return parts.length === 0 ? [rows] : [...parts, rowsWithin(rows, from, Number.POSITIVE_INFINITY)];
}

/** The first columns behind empty ones. */
function blockStarts(rows: SheetRow[]): number[] {
  const used = new Set(rows.flatMap(({ cells }) => cells.map(([at]) => at)));
  const first = Math.min(...used);
  return [...used].filter((at) => at > first && !used.has(at - 1)).sort((a, b) => a - b);
}

const rowsWithin = (rows: SheetRow[], from: number, to: number): SheetRow[] =>
  rows.flatMap((row) => {
    const cells = row.cells.filter(([at]) => at >= from && at < to);
    const merged = new Map([...row.merged].filter(([at]) => at >= from && at < to));
    return cells.length === 0 ? [] : [{ ...row, cells, merged }];
  });

function beginsBeside(before: SheetRow[], block: SheetRow[]): boolean {
  const [names, below] = block;
  if (!names || !below || names.cells.length < 2 || before.length < 2) return false;
  if (!isHeader(names.cells, below.cells)) return false;
  // A column of the table before would have its name among the others.
  const namesBefore = before.find(({ cells }) => cells.length > 1);
  const isLower = namesBefore !== undefined && namesBefore.at < names.at && below.at - names.at === 1;
  if (isLower && (names.style !== below.style || haveFiguresBelow(names, below))) return true;
  const beside = before.find(({ at }) => at === names.at);
  if (!beside) return false;
  if (textOf(names) === textOf(beside)) return true;
  const labels = block.map(({ cells }) =>
    cells[0]?.[0] === names.cells[0]?.[0] ? (cells[0]?.[1] ?? "") : "",
  );
  const areNamed = labels.every((text) => /\p{L}/u.test(text)) && new Set(labels).size === labels.length;
  return areNamed && (block.at(-1)?.at ?? 0) > (before.at(-1)?.at ?? 0);
}

/** The tables of a sheet, one below the other. */
export function tablesOfSheet(rows: SheetRow[]): SheetTable[] {
  const tables: SheetTable[] = [];
  let from = 0;
  let header: SheetRow | undefined;
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    if (header && before && row.at - before.at > 1 && beginsTable(rows, i, header, before)) {
      tables.push(tableOf(rows.slice(from, i)));
      from = i;
      header = undefined;
    }
    if (row.cells.length > 1) header ??= row;
  });
  if (rows.length > 0) tables.push(tableOf(rows.slice(from)));
  return tables;
}

/**
 * True when the rows below an empty one have column names of their own. Otherwise the empty row only groups a table's rows.
 * @param header the names of the table above @param last its last row
 */
function beginsTable(rows: SheetRow[], from: number, header: SheetRow, last: SheetRow): boolean {
  let at = from;
  while (at - from < mostTitleLines && rows[at]?.cells.length === 1) at++;
  const [names, below] = [rows[at], rows[at + 1]];
  if (!names || !below || names.cells.length < 2 || below.at - names.at > 1) return false;
  if (names.merged.size > 0 && header.merged.size > 0) return true;
  if (!isHeader(names.cells, below.cells)) return false;
  if (header.style !== last.style && names.style === last.style) return false;
  if (header.style !== last.style && names.style === header.style) return true;
  if (textOf(names) === textOf(header)) return true;
  return haveFiguresBelow(names, below);
}

/** True when words stand above a figure, as no words of the same column do. */
function haveFiguresBelow(names: SheetRow, below: SheetRow): boolean {
  const figures = new Map(below.cells.map(([column, text]) => [column, !/\p{L}/u.test(text)]));
  return names.cells.some(([column, text]) => figures.get(column) && /\p{L}/u.test(text));
}

const textOf = ({ cells }: SheetRow) => cells.map(([, text]) => text).join("\n");

/** The table begins at the first line with several columns, or with a name for several. */
function tableOf(rows: SheetRow[]): SheetTable {
  const from = rows.findIndex(({ cells, merged }, i) => {
    const isName = merged.size > 0 && (cells[0]?.[0] ?? 0) > (rows[i + 1]?.cells[0]?.[0] ?? 0);
    return cells.length > 1 || isName;
  });
  const lines = rows.slice(0, Math.max(0, from));
  const below = rows.slice(lines.length);
  const first = Math.min(...below.slice(0, 2).map(({ cells }) => cells[0]?.[0] ?? 0));
  const used = new Set(below.flatMap(({ cells }) => cells.map(([at]) => at)));
  // Without an empty row below it, a line above another column than the first may be that column's name.
  const isTitled = lines.every(({ at, cells: [cell] }, i) => {
    const column = cell?.[0] ?? 0;
    return column === first || !used.has(column) || (rows[i + 1]?.at ?? 0) - at > 1;
  });
  const own = isTitled ? below : rows;
  const looks = new Map(rows.map(({ cells, merged, look = plainLook }) => [cells, { ...look, merged }]));
  const table = joinHeaderRows(
    own.map(({ cells }) => cells),
    own.map(({ merged }) => merged),
  );
  if (!isTitled || !isHeader(table[0] ?? [], table[1]))
    return { above: [], rows: rows.map(({ cells }) => cells), looks };
  return { above: lines.flatMap(({ cells }) => cells.map(([, text]) => oneLine(text))), rows: table, looks };
}
