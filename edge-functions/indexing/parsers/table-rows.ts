// Writes tables whose rows repeat the column names, so that a passage from the middle still says what its values mean. Knows no
// file format.
import { groupRows, type SheetLook } from "./sheet-groups.ts";
import { clipText, oneLine, type TextBuilder } from "./text-builder.ts";

/** The non-empty cells by column (from 0), in order. */
export type SparseRow = [column: number, text: string][];

export interface TableWords {
  /** The name of a column without one. */
  column: (index: number) => string;
  caption?: string;
  /** Of the rows, some of which may name others; without it none does. */
  looks?: Map<SparseRow, SheetLook>;
}

/** Maximum columns that a table's span names, more than people give a table. The cells of further columns are text like the others. */
export const mostColumns = 200;

/**
 * Writes rows. The first becomes the column names if it looks like a header.
 * @returns true if it did
 */
export function writeTable(
  out: TextBuilder,
  rows: SparseRow[],
  { column, caption, looks }: TableWords,
): boolean {
  const [first = [], ...rest] = rows;
  const used = new Set<number>();
  for (const row of rest) for (const [at] of row) used.add(at);
  const isHeaded =
    first.some(([at]) => used.has(at)) && (isHeader(first, rest[0]) || isRepeatingHeader(first, rest));
  const names = isHeaded ? namesOf(first) : new Map<number, string>();
  const nameOf = (at: number) => names.get(at) || column(at);
  for (const [at, text] of first) {
    // A remark beside the names, rather than the name of an empty column.
    if (isHeaded && !used.has(at) && text.trim().split(/\s+/).length >= leastRemark) out.block(oneLine(text));
    used.add(at);
  }
  const all = isHeaded ? rest : rows;
  const body = looks ? groupRows(all, looks) : { rows: all, groups: new Map<SparseRow, string>() };
  const named = [...used].sort((a, b) => a - b).map(nameOf);
  const columns = (body.groups.size > 0 ? ["", ...named] : named).slice(0, mostColumns);
  const close = out.open("table", { columns, records: true, ...(caption ? { caption } : {}) });
  for (const row of body.rows) {
    const cells = row.map(([at, text]) => `${nameOf(at)}: ${oneLine(text)}`);
    // A line without a column's name.
    const group = body.groups.get(row);
    out.block((group ? [oneLine(group), ...cells] : cells).join("\n"), { kind: "row" });
  }
  close(columns.filter(Boolean).join(" | "));
  return isHeaded;
}

/** Words. */
const leastRemark = 4;

/** The column names; a name that occurs again is counted: "Phone", "Phone 2". */
function namesOf(row: SparseRow): Map<number, string> {
  const counts = new Map<string, number>();
  return new Map(
    row.map(([at, text]) => {
      const name = columnName(text);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [at, count > 1 ? `${name} ${count}` : name];
    }),
  );
}

/** A colon inside a name would look like the one after it. */
const columnName = (text: string) => clipText(oneLine(text).replace(/\s*:(?=\s|$)/g, ""), 200);

/** A sign alone, such as "%", is a name. */
export const isFigure = (text: string) => /^[-+]?[\d\s.,%€$£]+$/.test(text.trim()) && /\d/.test(text);
const isYear = (text: string) => /^(?:19|20)\d\d$/.test(text.trim());

/** True when the cells are distinct and not numbers; years are names of columns when the row below has something else in them. */
export function isHeader(row: SparseRow, below: SparseRow = []): boolean {
  const names = row.map(([, text]) => text.trim());
  const values = new Map(below);
  const isYearName = ([at, text]: SparseRow[number]) =>
    isYear(text) && !names.every(isYear) && !isYear(values.get(at) ?? text);
  return (
    names.length > 0 &&
    new Set(names).size === names.length &&
    row.every((cell) => !isFigure(cell[1]) || isYearName(cell))
  );
}

/** Rows that are searched for the words of a name. */
const mostSearched = 50;

/** True for names of which some are the same, as in exports of contacts: mostly distinct, no numbers, and in no row below. */
export function isRepeatingHeader(row: SparseRow, rows: SparseRow[]): boolean {
  const names = new Set(row.map(([, text]) => text.trim()));
  return (
    rows.length > 1 &&
    names.size > row.length / 2 &&
    !row.some(([, text]) => isFigure(text)) &&
    !rows.slice(0, mostSearched).some((below) => below.some(([, text]) => names.has(text.trim())))
  );
}

const mostHeaderRows = 3;

/** True when the second row names the columns below names merged along the first, rather than being the first row of values. */
function areNamesBelow(
  [above = [], names = [], values = []]: SparseRow[],
  merged = new Map<number, number>(),
) {
  if (merged.size === 0 || !names.every(([, text]) => !isFigure(text) || isYear(text))) return false;
  const covered = new Set<number>();
  for (const [from, to] of merged)
    for (let at = from; at <= Math.min(to, from + mostColumns); at++) covered.add(at);
  const below = new Map(names);
  const single = above.filter(([at]) => !covered.has(at));
  // Below a name of a single column is nothing, or the name itself when it is merged down.
  if (single.some(([at, text]) => (below.get(at) ?? text) !== text)) return false;
  const isBeside = single.length > 0 || names.some(([at]) => !covered.has(at));
  return isBeside || values.some(([at, text]) => isFigure(text) && below.has(at));
}

/**
 * Joins column names that stand in several rows: "2025" above "Q1" and "Q2" becomes "2025 Q1" and "2025 Q2".
 * @param merged for each row, the last columns of the cells merged along it, by their first column
 */
export function joinHeaderRows(rows: SparseRow[], merged: Map<number, number>[] = []): SparseRow[] {
  const [first = [], second = []] = rows;
  let height = 1;
  while (height < mostHeaderRows && areNamesBelow(rows.slice(height - 1), merged[height - 1])) height++;
  // Without merged cells, only names that repeat show that they need those above.
  const names = second.map(([, text]) => text.trim());
  const repeats = new Set(names).size < names.length && !names.some(isFigure);
  const isLeftBlank = height === 1 && first.length > 1 && first.length < second.length && repeats;
  if (isLeftBlank) height = 2;
  if (height === 1 || rows.length <= height) return rows;
  const parts = new Map<number, Set<string>>();
  const last = Math.max(...rows.slice(0, height).flatMap((row) => row.map(([at]) => at)));
  rows.slice(0, height).forEach((row, y) => {
    row.forEach(([at, text], i) => {
      const next = row[i + 1]?.[0] ?? last + 1;
      const end = merged[y]?.get(at) ?? (isLeftBlank && y === 0 ? next - 1 : at);
      for (let column = at; column <= Math.min(end, next - 1); column++)
        parts.set(column, (parts.get(column) ?? new Set()).add(oneLine(text)));
    });
  });
  const header = [...parts]
    .sort(([a], [b]) => a - b)
    .map(([at, set]): SparseRow[number] => [at, [...set].join(" ")]);
  return isHeader(header, rows[height]) ? [header, ...rows.slice(height)] : rows;
}
