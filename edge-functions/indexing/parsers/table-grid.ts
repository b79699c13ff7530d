// Writes tables of cells as Markdown, which people and models read alike, whatever format they come from: merged cells are
// spread over their places, rows of a header become one name for each column.
import { isHeader, mostColumns } from "./table-rows.ts";
import { clipped, oneLine, type TextBuilder } from "./text-builder.ts";

export interface GridCell {
  text: string;
  isHeader?: boolean;
  /** How many columns and rows it takes; 1 where absent. */
  columns?: number;
  rows?: number;
}

export interface Grid {
  rows: GridCell[][];
  caption?: string;
}

/** A merged cell may claim far more than there is. */
const mostRowsMerged = 1000;
const mostHeaderRows = 3;

/** Writes a table; one of a single row or column is no table, and is written as text. */
export function writeGrid(out: TextBuilder, { rows, caption }: Grid): void {
  const { cells, headerRows } = spread(rows);
  const width = Math.max(0, ...cells.map((row) => row.length));
  const body = cells.slice(headerRows).filter((row) => row.some((text) => text !== ""));
  const usesFirst =
    headerRows === 0 && body.length > 1 && isHeader((body[0] ?? []).map((text, i) => [i, text]));
  const header = usesFirst ? [body.shift() ?? []] : cells.slice(0, headerRows);
  if (width < 2 || body.length + header.length < 2) {
    for (const row of [...header, ...body]) out.block(row.filter(Boolean).join(", "));
    return;
  }
  const columns = Array.from({ length: width }, (_, i) =>
    clipped([...new Set(header.map((row) => row[i] ?? "").filter(Boolean))].join(" "), 200),
  );
  const close = out.open("table", {
    columns: columns.slice(0, mostColumns),
    ...(caption ? { caption } : {}),
  });
  out.block(`${line(columns)}\n|${" --- |".repeat(width)}`);
  for (const row of body) {
    out.block(line(Array.from({ length: width }, (_, i) => row[i] ?? "")), { kind: "row", separator: "\n" });
  }
  close(columns.filter(Boolean).join(" | "));
}

const line = (cells: string[]) => `| ${cells.map((cell) => cell.replace(/\|/g, "\\|")).join(" | ")} |`;

/**
 * A value merged down its column holds for every row; one merged along a row stands once, but for a header, which names
 * each of its columns.
 */
function spread(rows: GridCell[][]): { cells: string[][]; headerRows: number } {
  const cells: string[][] = rows.map(() => []);
  let headerRows = 0;
  rows.forEach((row, y) => {
    const isHead = row.length > 0 && row.every((cell) => cell.isHeader);
    if (isHead && headerRows === y && y < Math.min(mostHeaderRows, rows.length - 1)) headerRows = y + 1;
    let x = 0;
    for (const cell of row) {
      const text = oneLine(cell.text);
      while (cells[y]?.[x] !== undefined) x++;
      const wide = Math.min(Math.max(1, cell.columns ?? 1), mostColumns);
      const high = Math.min(Math.max(1, cell.rows ?? 1), rows.length - y, mostRowsMerged);
      for (let down = 0; down < high; down++) {
        for (let along = 0; along < wide; along++) {
          const target = cells[y + down];
          if (target) target[x + along] = along === 0 || isHead ? text : "";
        }
      }
      x += wide;
    }
  });
  // Places that no cell claimed.
  return { cells: cells.map((row) => Array.from(row, (text) => text ?? "")), headerRows };
}
