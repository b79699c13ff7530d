// Finds the columns of a PDF's table that no rules tell, and the names that stand over them. Pure geometry.
import { append, cellGap, type Row, type Segment } from "./pdf-rows.ts";

export interface Column {
  left: number;
  right: number;
}

/** A table has more rows with several cells. */
export const leastRows = 3;
/** Rows of names above figures: one, or one for groups of columns and two for lines of names. */
const mostNames = 3;
/** Average characters. */
const longestFigure = 24;

/**
 * The columns of a table, with the number of its rows of names. A name may stand over several columns, which only the figures below it tell
 * apart.
 */
export function columnsOfTable(rows: Row[]): { columns: Column[]; names: number } {
  let best = { columns: withNames(columnsOf(rows.flatMap(({ segments }) => segments)), rows), names: 0 };
  for (let names = 1; names <= mostNames; names++) {
    const values = rows.slice(names).filter(({ segments }) => segments.length > 1);
    if (values.length < leastRows) break;
    const columns = columnsOf(values.flatMap(({ segments }) => segments));
    if (columns.length > best.columns.length && areOfFigures(columns, values)) best = { columns, names };
  }
  return best;
}

/** True when most rows have a value in each of the columns, and most of the columns behind the first have figures. */
function areOfFigures([first, ...others]: Column[], rows: Row[]): boolean {
  const segments = rows.flatMap((row) => row.segments);
  if (segments.reduce((sum, { text }) => sum + text.length, 0) > longestFigure * segments.length)
    return false;
  const valuesOf = (column: Column) => segments.filter((one) => overlaps(one, column));
  const isFilled = (column: Column) => 2 * valuesOf(column).length >= rows.length;
  const ofFigures = others.filter((column) => {
    const values = valuesOf(column);
    return 2 * values.filter(({ text }) => /\d/.test(text)).length >= values.length;
  });
  return first !== undefined && [first, ...others].every(isFilled) && 2 * ofFigures.length >= others.length;
}

const overlaps = (one: Column, other: Column) => one.left < other.right && one.right > other.left;

/** For each segment the first column that it is in, or the nearest, as the first and the last of a range. */
export const columnsBeside = (segments: Segment[], columns: Column[]): [number, number][] =>
  segments.map((one) => {
    const at = columns.findIndex((column) => overlaps(one, column));
    return at < 0 ? [nearestTo(one, columns), nearestTo(one, columns)] : [at, at];
  });

function nearestTo({ left, right }: Segment, columns: Column[]): number {
  const distances = columns.map((column) => Math.max(column.left - right, left - column.right));
  return distances.indexOf(Math.min(...distances));
}

/** The names in a segment, which is cut where the next word stands over another column. */
export function namesIn(segment: Segment, columns: Column[]): Segment[] {
  const names: Segment[] = [];
  const size = segment.size / 2;
  for (const part of segment.parts ?? []) {
    const last = names.at(-1);
    const isApart = last && part.left - last.right > cellGap * size;
    const isOver = (column: Column) => overlaps(part, column);
    if (!last || (isApart && columns.some((column) => isOver(column) && !overlaps(last, column))))
      names.push({ text: part.text, left: part.left, right: part.right, size: segment.size, parts: [part] });
    else append(last, part, size);
  }
  return names.length > 1 ? names : [segment];
}

/**
 * For each name the first and the last column that it stands over: those that have its middle in theirs, without a column of another name.
 * The first column has the names of the rows.
 */
export function columnsUnder(names: Segment[], columns: Column[]): [number, number][] {
  const own = names.map((name): [number, number] => {
    const under = columns.flatMap((column, at) => (overlaps(name, column) ? [at] : []));
    return [under[0] ?? nearestTo(name, columns), under.at(-1) ?? nearestTo(name, columns)];
  });
  return names.map((name, i) => {
    const [first, last] = own[i] ?? [0, 0];
    const before = Math.max(own[i - 1]?.[1] ?? -1, first === 0 ? -1 : 0);
    const behind = own[i + 1]?.[0] ?? columns.length;
    let best: [number, number] = [first, last];
    let least = Number.POSITIVE_INFINITY;
    for (let from = first; from > before || from === first; from--)
      for (let to = last; to < behind || to === last; to++) {
        const [left, right] = [columns[from]?.left ?? 0, columns[to]?.right ?? 0];
        const apart = Math.abs(left + right - name.left - name.right);
        if (apart < least) [best, least] = [[from, to], apart];
      }
    return best;
  });
}

/** The columns, where a name in the first row that is centred over narrower values, beside them, is in their column. */
function withNames(columns: Column[], [first, ...rows]: Row[]): Column[] {
  const isIn = (row: Row | undefined, { left, right }: Column) =>
    row?.segments.some((one) => one.left < right && one.right > left) ?? false;
  const isName = (column: Column) => isIn(first, column) && !rows.some((row) => isIn(row, column));
  const joined: Column[] = [];
  for (const column of columns) {
    const last = joined.at(-1);
    const isOne = last && ((isName(last) && !isIn(first, column)) || (isName(column) && !isIn(first, last)));
    if (isOne) last.right = column.right;
    else joined.push({ ...column });
  }
  return joined;
}

/** Segments that overlap horizontally form one column. */
export function columnsOf(segments: Segment[]): Column[] {
  const columns: Column[] = [];
  for (const { left, right } of segments.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}
