// Writes tables whose rows repeat the column names, so that a passage from the middle still says what its values mean. Knows no
// file format.
import { clipText, oneLine, type TextBuilder } from "./text-builder.ts";

/** The non-empty cells by column (from 0), in order. */
export type SparseRow = [column: number, text: string][];

export interface TableWords {
  /** The name of a column without one. */
  column: (index: number) => string;
  caption?: string;
}

/** More columns than people give a table; further ones become text without cells. */
export const mostColumns = 200;

/**
 * Writes rows. The first becomes the column names if it looks like a header.
 * @returns true if it did
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

/** A colon inside a name would look like the one after it. */
const columnName = (text: string) => clipText(oneLine(text).replace(/\s*:(?=\s|$)/g, ""), 200);

/** True when the cells are distinct and not numbers. */
export function isHeader(row: SparseRow): boolean {
  const names = row.map(([, text]) => text.trim());
  const numeric = names.filter((name) => /^[-+]?[\d\s.,%€$£]+$/.test(name)).length;
  return names.length > 0 && numeric === 0 && new Set(names).size === names.length;
}
