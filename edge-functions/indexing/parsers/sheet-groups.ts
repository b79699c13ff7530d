// Owns the rows of a sheet that name the rows below them, and writes the names into these. Pure.
import { type CellLook, type GroupRow, groupsOf, plainLook } from "./table-groups.ts";
import type { SparseRow } from "./table-rows.ts";

export interface SheetLook extends CellLook {
  /** The last columns of the cells merged along the row, by their first column. */
  merged: Map<number, number>;
}

export interface GroupedRows {
  rows: SparseRow[];
  /** The names of groups, by their rows. */
  groups: Map<SparseRow, string>;
}

/** A name with this would read like a cell of a record. */
const mark = ": ";
const longestName = 100;

/** The rows without those that only name others. A name to the left of its rows becomes a cell of each. */
export function groupRows(rows: SparseRow[], looks: Map<SparseRow, SheetLook>): GroupedRows {
  const first = rows.reduce((least, row) => Math.min(least, row[0]?.[0] ?? least), Number.POSITIVE_INFINITY);
  const last = rows.reduce((most, row) => Math.max(most, row.at(-1)?.[0] ?? most), 0);
  const filled = last > first ? withOutline(rows, first) : [];
  const names = groupsOf(filled.map((row) => groupRowOf(row, looks.get(row), first, last)));
  if (!names.some((name) => name !== ""))
    return { rows: filled.length > 0 ? filled : rows, groups: new Map() };
  return {
    rows: filled.filter((_row, at) => names[at] !== undefined),
    groups: new Map(
      filled.flatMap((row, at): [SparseRow, string][] => (names[at] ? [[row, names[at]]] : [])),
    ),
  };
}

function groupRowOf(row: SparseRow, look: SheetLook | undefined, first: number, last: number): GroupRow {
  const isLabelled = row[0]?.[0] === first;
  const label = isLabelled ? (row[0]?.[1] ?? "").trim() : "";
  if (label.includes(mark)) return { ...plainLook, label: mark, values: row.slice(1), isWhole: false };
  const isWhole = row.length === 1 && (look?.merged.get(first) ?? -1) >= last;
  const { isBold, indent } = look ?? plainLook;
  return { isBold, indent, label, values: isLabelled ? row.slice(1) : row, isWhole };
}

/** The rows with each name that stands alone to the left of them. */
function withOutline(rows: SparseRow[], first: number): SparseRow[] {
  let name = "";
  return rows.flatMap((row, at): SparseRow[] => {
    if (isInner(row, first)) return [name ? [[first, name], ...row] : row];
    const text = row.length === 1 && row[0]?.[0] === first ? row[0][1].trim() : "";
    name = text.length <= longestName && isInner(rows[at + 1], first) ? text.replace(/\s*[:：]$/, "") : "";
    return name ? [] : [row];
  });
}

const isInner = (row: SparseRow = [], first: number) => row.length > 1 && (row[0]?.[0] ?? first) > first;
