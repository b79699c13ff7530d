// Writes tables of any format as Markdown, which people and models read alike. A cell merged over rows is repeated in each of them, and
// several header rows become one name per column.

import { type CellLook, groupsOf, plainLook } from "./table-groups.ts";
import { type SpreadTable, widthOf, withoutLayoutColumns } from "./table-layout-columns.ts";
import {
  isFigure,
  isHeader,
  isRepeatingHeader,
  joinHeaderRows,
  mostColumns,
  type SparseRow,
} from "./table-rows.ts";
import { clipText, oneLine, type TextBuilder } from "./text-builder.ts";

export interface GridCell extends Partial<CellLook> {
  text: string;
  isHeader?: boolean;
  /** The number of columns and rows that the cell spans; 1 if absent. */
  columns?: number;
  rows?: number;
}

export interface Grid {
  rows: GridCell[][];
  caption?: string;
}

/** A merged cell may claim far more rows than there are. */
const mostRowsMerged = 1000;
const mostHeaderRows = 3;

/** Writes a table. A single row or column is written as text. */
export function writeGrid(out: TextBuilder, { rows, caption = "" }: Grid): void {
  const { headerRows, ...whole } = spread(rows);
  const { cells, merged, groups } = takeGroups(whole, Math.max(1, headerRows));
  const width = widthOf(cells);
  const [[first, ...others] = []] = rows;
  const title = oneLine(first?.text ?? "");
  const isTitle =
    title !== "" && others.length === 0 && merged[0]?.get(0) === width - 1 && !(Number(first?.rows) > 1);
  if (isTitle && !caption && rows.length > 2) {
    out.block(title);
    writeGrid(out, { rows: rows.slice(1), caption: clipText(title, 300) });
    return;
  }
  const { header, body } = withNamesBelow(splitHeader(cells, headerRows, merged));
  if (width < 2 || body.length + header.length < 2) {
    for (const row of [...header, ...body]) out.block(row.filter(Boolean).join(", "));
    return;
  }
  const names = Array.from({ length: width }, (_, i) =>
    clipText([...new Set(header.map((row) => row[i] ?? "").filter(Boolean))].join(" "), 200),
  );
  const columns = groups.size > 0 ? ["", ...names] : names;
  const close = out.open("table", {
    columns: columns.slice(0, mostColumns),
    ...(caption ? { caption } : {}),
  });
  out.block(`${line(columns)}\n|${" --- |".repeat(columns.length)}`);
  for (const row of body) {
    const filled = Array.from({ length: width }, (_, i) => row[i] ?? "");
    const all = groups.size > 0 ? [groups.get(row) ?? "", ...filled] : filled;
    out.block(line(all), { kind: "row", separator: "\n" });
  }
  close(columns.filter(Boolean).join(" | "));
}

/** The table without the rows that name those below them. @returns also the names by their rows */
function takeGroups(
  { cells, merged, looks }: SpreadTable & { looks: CellLook[] },
  from: number,
): SpreadTable & { groups: Map<string[], string> } {
  const width = widthOf(cells);
  if (width < 2) return { cells, merged, groups: new Map() };
  const names = groupsOf(
    cells.slice(from).map(([label = "", ...row], i) => ({
      label,
      values: row.flatMap((text, at): SparseRow => (text === "" ? [] : [[at, text]])),
      isWhole: merged[from + i]?.get(0) === width - 1,
      ...(looks[from + i] ?? plainLook),
    })),
  );
  const isKept = (_row: unknown, at: number) => at < from || names[at - from] !== undefined;
  return {
    cells: cells.filter(isKept),
    merged: merged.filter(isKept),
    groups: new Map(
      cells.slice(from).flatMap((row, i): [string[], string][] => (names[i] ? [[row, names[i]]] : [])),
    ),
  };
}

function splitHeader(cells: string[][], headerRows: number, merged: Map<number, number>[]) {
  const sparse = cells
    .slice(0, mostHeaderRows + 2)
    .map((row) => row.flatMap((text, i): SparseRow => (text === "" ? [] : [[i, text]])));
  const isFilled = (row: string[]) => row.some((text) => text !== "");
  const joined = headerRows < 2 ? joinHeaderRows(sparse, merged) : sparse;
  if (joined.length < sparse.length) {
    const names = new Map(joined[0]);
    const header = Array.from({ length: Math.max(...names.keys()) + 1 }, (_, i) => names.get(i) ?? "");
    return { header: [header], body: cells.slice(1 + sparse.length - joined.length).filter(isFilled) };
  }
  const body = cells.slice(headerRows).filter(isFilled);
  const [top = [], ...others] = body
    .slice(0, mostSearched)
    .map((row) => row.map((text, i): SparseRow[number] => [i, text]));
  const [second = []] = others;
  // Names over the columns of values alone leave the first ones empty.
  const names = top.slice(top.findIndex(([, text]) => text !== ""));
  const isRepeated = names.length > 2 && isOverFigures(top, others) && isRepeatingHeader(names, others);
  const usesFirst =
    headerRows === 0 &&
    body.length > 1 &&
    (isHeader(top, second) || (names.length > 1 && isHeader(names, second)) || isRepeated);
  return { header: usesFirst ? [body.shift() ?? []] : cells.slice(0, headerRows), body };
}

const mostSearched = 50;

const isOverFigures = (names: SparseRow, [first = [], second = []]: SparseRow[]) =>
  names.some(([at, text]) => text !== "" && [first, second].every((row) => isFigure(row[at]?.[1] ?? "")));

/** The names with the rows below that continue them, as a page wraps names: words above figures, below other words. */
function withNamesBelow({ header, body }: { header: string[][]; body: string[][] }) {
  const names = header.at(-1);
  const most = names ? mostHeaderRows - header.length : 0;
  for (let count = most; names && count > 0; count--) {
    const all = [names, ...body.slice(0, count)];
    const values = body.slice(count, count + 2);
    if (values.length === 2 && all.every((row, i) => i === 0 || goesOn(row, all.slice(0, i), values)))
      return { header: [...header, ...body.slice(0, count)], body: body.slice(count) };
  }
  return { header, body };
}

function goesOn(row: string[], above: string[][], values: string[][]): boolean {
  const places = row.flatMap((text, at) => (text === "" || text === above.at(-1)?.[at] ? [] : [at]));
  return (
    // A lone first cell names the rows below it.
    places.some((at) => at > 0) &&
    places.every((at) => {
      const text = row[at] ?? "";
      const isName = !/\d/.test(text) && /\p{L}|^[%€$£]+$/u.test(text);
      const first = above.find((one) => (one[at] ?? "") !== "")?.[at];
      return isName && first && !isFigure(first) && values.every((one) => isFigure(one[at] ?? ""));
    })
  );
}

const line = (cells: string[]) => `| ${cells.map((cell) => cell.replace(/\|/g, "\\|")).join(" | ")} |`;

/**
 * A value merged down a column is repeated in every row. One merged along a row is written once, except in a header, where it names
 * each of its columns.
 */
function spread(rows: GridCell[][]) {
  const cells: string[][] = rows.map(() => []);
  const merged = rows.map(() => new Map<number, number>());
  const looks = rows.map((row): CellLook => {
    const { isHeader = false, isBold = isHeader, indent = 0 } = row.find(({ text }) => text !== "") ?? {};
    return { isBold, indent };
  });
  let headerRows = 0;
  rows.forEach((row, y) => {
    const isHead = row.length > 0 && row.every((cell) => cell.isHeader);
    const isName = row.length > 1 || y === 0;
    if (isHead && isName && headerRows === y && y < Math.min(mostHeaderRows, rows.length - 1))
      headerRows = y + 1;
    let x = 0;
    for (const cell of row) {
      const text = oneLine(cell.text);
      while (cells[y]?.[x] !== undefined) x++;
      const wide = Math.min(Math.max(1, cell.columns ?? 1), Math.max(1, mostColumns - x));
      const high = Math.min(Math.max(1, cell.rows ?? 1), rows.length - y, mostRowsMerged);
      if (wide > 1 && text !== "") merged[y]?.set(x, x + wide - 1);
      for (let down = 0; down < high; down++) {
        for (let along = 0; along < wide; along++) {
          const target = cells[y + down];
          if (target) target[x + along] = along === 0 || isHead ? text : "";
        }
      }
      x += wide;
    }
  });
  // Fills places without a cell.
  const filled = cells.map((row) => Array.from(row, (text) => text ?? ""));
  return { ...withoutLayoutColumns({ cells: filled, merged }), looks, headerRows };
}
