// Finds columns of prose by the order in which a file writes them: down one, then up to the top of the next. Pure geometry.
import type { TextRun } from "./pdf-lines.ts";

/** In points, as all that follows. The origin of a page may be in its middle. */
interface Sides {
  left: number;
  right: number;
}

/** A line as the file writes it. */
interface Written extends Sides {
  runs: TextRun[];
  text: string;
  y: number;
  size: number;
}

/** A page of prose has fewer lines; one of more is a drawing with words. */
const mostLines = 2000;
/** Lines of the column that is written first, and of the other. */
const leastInFirst = 4;
const leastInOther = 2;
/** Lines in both, and in two that are beside a third. Cells of a table have fewer. */
const leastInBoth = { onPage: 12, inColumn: 8 };
/** Characters of a line of prose. Values are shorter. */
const shortestProse = 18;
/** In type sizes: how far the next column begins above the end of the one before. */
const leastJump = 2;
/** In type sizes: how far apart the tops of columns may be, one of which may have a heading. */
const sameTop = 1.5;
/** In type sizes. */
const cellGap = 1.1;
const sameBaseline = 0.1;

export interface Block {
  runs: TextRun[];
  isColumn: boolean;
}

/** A page in blocks: what stands above columns, each column, and what stands below. All of it is one block if it has no columns. */
export function blocksOf(runs: TextRun[]): Block[] {
  const lines = linesAsWritten(runs);
  return lines.length > mostLines ? [{ runs, isColumn: false }] : blocksOfLines(lines, false);
}

function blocksOfLines(lines: Written[], isColumn: boolean): Block[] {
  const blocks: Block[] = [];
  const least = isColumn ? leastInBoth.inColumn : leastInBoth.onPage;
  const add = (some: Written[]) => {
    if (some.length > 0) blocks.push({ runs: some.flatMap((line) => line.runs), isColumn });
  };
  let start = 0;
  for (let at = 1; at < lines.length; at++) {
    const columns = columnsAround(lines, at, { start, least });
    if (!columns) continue;
    add(lines.slice(start, columns.from));
    // Either may hold columns of its own: the other two of three, or two beside a box.
    for (const [from, to] of [
      [columns.from, at],
      [at, columns.to],
    ] as const)
      blocks.push(...blocksOfLines(lines.slice(from, to), true));
    start = columns.to;
    at = start;
  }
  add(lines.slice(start));
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

/** Two columns, the other of which begins at a line, as the lines from the first to behind the other; undefined when none does. */
function columnsAround(
  lines: Written[],
  at: number,
  { start, least }: { start: number; least: number },
): { from: number; to: number } | undefined {
  const [before, begins] = [lines[at - 1], lines[at]];
  if (!before || !begins || begins.y - before.y <= leastJump * Math.min(before.size, begins.size))
    return undefined;
  const isRight = begins.left > before.left;
  /** True for what stands beside others, at the side to which the file goes on. */
  const isBeside = (one: Sides, others: Sides) =>
    isRight ? one.left >= others.right : one.right <= others.left;
  const top = begins.y + sameTop * begins.size;
  let from = at;
  let first: Sides = before;
  while (from > start) {
    const line = lines[from - 1];
    if (!line || line.y > top || !isBeside(begins, line)) break;
    if (at - from >= leastInFirst && hasCellInFront(line, first)) break;
    first = { left: Math.min(first.left, line.left), right: Math.max(first.right, line.right) };
    from--;
  }
  let to = at;
  for (let line = lines[to]; line && isBeside(line, first); line = lines[to]) to++;
  const [one, other] = [lines.slice(from, at), lines.slice(at, to)];
  return areProse(one, other, least) && !areOneTable(one, other) && areAlone(lines, from, to)
    ? { from, to }
    : undefined;
}

/** True for a row of a table, in whose last cell the column is: another cell stands in front. */
function hasCellInFront({ runs, size }: Written, { left }: Sides): boolean {
  const leftEdge = ({ transform }: TextRun) => transform[4] ?? 0;
  const front = runs.filter((run) => run.str.trim() !== "" && leftEdge(run) < left);
  const end = Math.max(...front.map((run) => leftEdge(run) + (run.width ?? 0)));
  return front.length > 0 && end < left - cellGap * size;
}

const isProse = ({ text }: Written) => text.trim().length >= shortestProse;

function areProse(first: Written[], other: Written[], least: number): boolean {
  const all = [...first, ...other];
  if (first.length < leastInFirst || other.length < leastInOther || all.length < least) return false;
  const prose = all.filter(isProse);
  // Headings, formulas and lists have other lines, and a figure any number of them.
  if (2 * prose.length < Math.min(all.length, 2 * least)) return false;
  // Of a paragraph, all lines but the first go on with a sentence. Letters without case begin any line.
  return 4 * prose.filter(({ text }) => /^\s*[\p{Ll}\p{Lo}]/u.test(text)).length > prose.length;
}

/** True where one holds short values, on the lines of the other and from its top to its end: a table that is written column by column. */
const areOneTable = (first: Written[], other: Written[]) =>
  areKeysOf(first, other) || areKeysOf(other, first);

function areKeysOf(values: Written[], text: Written[]): boolean {
  if (2 * values.filter(isProse).length >= values.length) return false;
  const isOnLine = ({ y, size }: Written) => text.some((line) => Math.abs(line.y - y) <= sameBaseline * size);
  return 4 * values.filter(isOnLine).length > 3 * values.length && 2 * heightOf(values) > heightOf(text);
}

/** True when nothing else stands beside the columns, as the other cells of a table's row do. */
function areAlone(lines: Written[], from: number, to: number): boolean {
  const own = lines.slice(from, to);
  const [top, bottom] = [topOf(own), bottomOf(own)];
  return !lines.some(({ y }, i) => (i < from || i >= to) && y <= top && y > bottom);
}

const topOf = (lines: Written[]) => lines.reduce((most, { y }) => Math.max(most, y), -Infinity);
const bottomOf = (lines: Written[]) => lines.reduce((least, { y }) => Math.min(least, y), Infinity);
const heightOf = (lines: Written[]) => topOf(lines) - bottomOf(lines);
