// Writes tables whose every row repeats the column names, so that a passage cut out of the middle still says what its
// values mean. Knows no file format.
import { clipped, oneLine, type TextBuilder } from "./text-builder.ts";

/** The cells that hold something, by their column (from 0), in order. */
export type SparseRow = [column: number, text: string][];

export interface TableWords {
  /** What a column without a name is called. */
  column: (index: number) => string;
  caption?: string;
}

/** More columns than people give a table; what stands in further ones is text and no cells. */
export const mostColumns = 200;

/**
 * Writes rows; the first is taken for column names where it looks like it.
 * @returns whether it did
 */
export function writeTable(out: TextBuilder, rows: SparseRow[], { column, caption }: TableWords): boolean {
  const [first = [], ...rest] = rows;
  const isHeaded = rest.length > 0 && isHeader(first);
  const names = new Map(isHeaded ? first.map(([at, text]) => [at, columnName(text)]) : []);
  const nameOf = (at: number) => names.get(at) || column(at);
  const used = new Set<number>();
  for (const row of rows) for (const [at] of row) used.add(at);
  const columns = [...used]
    .sort((a, b) => a - b)
    .slice(0, mostColumns)
    .map(nameOf);
  const close = out.open("table", { columns, records: true, ...(caption ? { caption } : {}) });
  for (const row of isHeaded ? rest : rows) {
    const cells = row.map(([at, text]) => `${nameOf(at)}: ${oneLine(text)}`);
    out.block(cells.join("\n"), { kind: "row" });
  }
  close(columns.join(" | "));
  return isHeaded;
}

/** A colon inside a name would read as the one behind it. */
const columnName = (text: string) => clipped(oneLine(text).replace(/\s*:(?=\s|$)/g, ""), 200);

/** Names differ from one another and are no numbers. */
export function isHeader(row: SparseRow): boolean {
  const names = row.map(([, text]) => text.trim());
  const numeric = names.filter((name) => /^[-+]?[\d\s.,%€$£]+$/.test(name)).length;
  return names.length > 0 && numeric === 0 && new Set(names).size === names.length;
}
