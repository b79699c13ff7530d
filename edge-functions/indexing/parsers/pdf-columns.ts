// Finds columns of prose by the order in which a file writes them: down one, then up to the top of the next. Pure geometry.
import type { TextRun } from "./pdf-lines.ts";

/** A line as the file writes it, in points. */
interface Written {
  runs: TextRun[];
  text: string;
  left: number;
  right: number;
  y: number;
  size: number;
}

/** Lines of the first column, of the last, which may end early, and of all. Cells of a table have fewer. */
const leastInFirst = 4;
const leastInLast = 2;
const leastInAll = 12;
/** Average characters of a line. Values are shorter. */
const leastProse = 18;
/** In type sizes: how far the next column begins above the end of the one before. */
const leastJump = 2;
/** In type sizes: how far in front of its last line a column may begin. */
const mostIndent = 4;
/** In type sizes: how far apart the tops of columns may be, one of which may have a heading. */
const sameTop = 1.5;

export interface Block {
  runs: TextRun[];
  isColumn: boolean;
}

/** A page in blocks: what stands above columns, each column, and what stands below. All of it is one block if it has no columns. */
export function blocksOf(runs: TextRun[]): Block[] {
  const lines = linesAsWritten(runs);
  const blocks: Block[] = [];
  const add = (from: number, to: number, isColumn: boolean) => {
    if (to > from) blocks.push({ runs: lines.slice(from, to).flatMap((line) => line.runs), isColumn });
  };
  let start = 0;
  for (let at = 1; at < lines.length; at++) {
    const columns = columnsAround(lines, at, start);
    if (!columns) continue;
    add(start, columns[0]?.[0] ?? at, false);
    for (const [from, to] of columns) add(from, to, true);
    start = columns.at(-1)?.[1] ?? at;
    at = start;
  }
  if (start === 0) return [{ runs, isColumn: false }];
  add(start, lines.length, false);
  return blocks;
}

/** Includes the empty runs, which end lines. */
function linesAsWritten(runs: TextRun[]): Written[] {
  const lines: Written[] = [];
  let open: Written | undefined;
  for (const run of runs) {
    const [, , c = 0, d = 0, left = 0, y = 0] = run.transform;
    if (!open && run.str.trim() === "") {
      lines.at(-1)?.runs.push(run);
      continue;
    }
    const size = run.height || Math.hypot(c, d);
    open ??= { runs: [], text: "", left, right: left, y, size };
    open.runs.push(run);
    open.text += run.str;
    if (run.str.trim() !== "") {
      open.left = Math.min(open.left, left);
      open.right = Math.max(open.right, left + (run.width ?? 0));
      open.size = Math.max(open.size, size);
    }
    if (!run.hasEOL) continue;
    lines.push(open);
    open = undefined;
  }
  return open ? [...lines, open] : lines;
}

/** The columns whose second begins at a line, as ranges of lines; undefined when none does. */
function columnsAround(lines: Written[], at: number, start: number): [number, number][] | undefined {
  const [before, begins] = [lines[at - 1], lines[at]];
  if (!before || !begins || !jumps(before, begins)) return undefined;
  const top = begins.y + sameTop * begins.size;
  const left = before.left - mostIndent * begins.size;
  let first = at - 1;
  while (
    first > start &&
    isAbove(lines[first - 1], lines[first], top) &&
    isWithin(lines[first - 1], left, begins.left)
  )
    first--;
  const columns: [number, number][] = [[first, at]];
  for (let from = at, edge = rightOf(lines.slice(first, at)); from < lines.length; ) {
    let end = from;
    while (isBehind(lines[end], edge) && (end === from || !rises(lines[end - 1], lines[end]))) end++;
    if (end === from) break;
    columns.push([from, end]);
    const next = lines[end];
    if (!next || !jumps(lines[end - 1], next) || next.y > top) break;
    edge = rightOf(lines.slice(from, end));
    from = end;
  }
  return areProse(lines, columns) && areAlone(lines, columns) ? columns : undefined;
}

// The origin of a page may be in its middle, or at its top.
const rightOf = (lines: Written[]) => lines.reduce((most, { right }) => Math.max(most, right), -Infinity);

const isBehind = (line: Written | undefined, edge: number) => line !== undefined && line.left >= edge;

const rises = (before: Written | undefined, line: Written | undefined) =>
  before !== undefined && line !== undefined && line.y > before.y + 0.5 * line.size;

/** True where a line stands well above the one before, and behind it. */
const jumps = (before: Written | undefined, line: Written | undefined) =>
  before !== undefined &&
  line !== undefined &&
  line.y - before.y > leastJump * Math.min(before.size, line.size) &&
  line.left > before.left;

/** True for a line of the first column: above the next one, and not above the top of the second column. */
const isAbove = (line: Written | undefined, next: Written | undefined, top: number) =>
  line !== undefined && !rises(line, next) && line.y <= top;

const isWithin = (line: Written | undefined, left: number, right: number) =>
  line !== undefined && line.left >= left && line.right < right;

function areProse(lines: Written[], columns: [number, number][]): boolean {
  const counts = columns.map(([from, to]) => to - from);
  if (counts.slice(0, -1).some((count) => count < leastInFirst) || (counts.at(-1) ?? 0) < leastInLast)
    return false;
  const all = columns.flatMap(([from, to]) => lines.slice(from, to));
  const chars = all.reduce((sum, { text }) => sum + text.trim().length, 0);
  // Most lines go on with a sentence. Letters without case begin any line.
  const going = all.filter(({ text }) => /^\s*[\p{Ll}\p{Lo}]/u.test(text)).length;
  return all.length >= leastInAll && chars >= leastProse * all.length && 3 * going > all.length;
}

/** True when nothing else stands beside the columns, as the other cells of a table's row do. */
function areAlone(lines: Written[], columns: [number, number][]): boolean {
  const [from, to] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[1] ?? 0];
  const own = lines.slice(from, to);
  const top = own.reduce((most, { y }) => Math.max(most, y), -Infinity);
  const bottom = own.reduce((least, { y }) => Math.min(least, y), top);
  return !lines.some(({ y }, i) => (i < from || i >= to) && y <= top && y > bottom);
}
