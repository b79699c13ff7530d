// Groups the runs of a PDF's page into level rows, and each row into segments that gaps separate: words, or cells of a table. Pure geometry.
import type { TextRun } from "./pdf-lines.ts";

/** A run of text on one line, in points. */
export interface Segment {
  text: string;
  left: number;
  right: number;
  /** Of its largest type, in half points. */
  size: number;
  /** True behind a gap that justified prose has too. */
  isTight?: boolean;
  /** Its words as the file writes them, in order. Absent in a segment that was joined from several. */
  parts?: Part[];
}

/** A piece of a line as the file writes it, in points. */
export interface Part {
  text: string;
  left: number;
  right: number;
  y: number;
  size: number;
}

export interface Row {
  y: number;
  /** The largest of its segments' sizes. */
  size: number;
  segments: Segment[];
  /** The lines of a row whose cells have different numbers of them. */
  lines?: Row[];
}

/** In type sizes: a wider gap separates segments, of tables alone if it is no wider than `proseGap`; lines closer than this are one line. */
const wideGap = 1.1;
const proseGap = 1.3;
const sameLine = 0.4;
/** In type sizes: a narrower gap is one between words, whatever is in line with it. */
export const cellGap = 0.45;
/** Points between edges that are in line, and the rows above and below in which others are looked for. */
const inLine = 1;
const rowsInSight = 3;
/** In type sizes: the lines of one text are not as close. */
export const tooClose = 0.8;
/** The maximum distance of a table's rows, in type sizes. */
export const rowGap = 3.2;
/** Parts of a row that are compared with those of others. A program that writes word by word writes fewer. */
const mostParts = 200;
/** Stands in front of an item of a list, not in a cell of its own. */
const bullet = /^\s*[•●○◦▪■‣]\s*$/u;
/** Of its length first: a regular expression copies a text that was put together from pieces, at each piece of a long row. */
const isBullet = (text: string) => text.length <= longestBullet && bullet.test(text);
const longestBullet = 8;
/** The level lines of runs, from the top, in segments that wide gaps separate. */
export function rowsOf(runs: TextRun[]): Row[] {
  const placed = runs.flatMap(({ str, height, width = 0, transform }): Part[] => {
    const [, , c = 0, d = 0, x = 0, y = 0] = transform;
    const size = height || Math.hypot(c, d);
    // Rotated text is in no row; that of a scan may be askew.
    const isLevel = Math.abs(transform[1] ?? 0) < 0.01 * Math.max(1, size);
    return str.trim() === "" || !isLevel ? [] : [{ text: str, left: x, right: x + width, y, size }];
  });
  placed.sort((a, b) => b.y - a.y || a.left - b.left);
  const rows: { y: number; size: number; parts: Part[] }[] = [];
  for (const part of placed) {
    const last = rows.at(-1);
    if (last && last.y - part.y < sameLine * Math.max(part.size, last.size)) last.parts.push(part);
    else rows.push({ y: part.y, size: part.size, parts: [part] });
  }
  for (const { parts } of rows) parts.sort((a, b) => a.left - b.left);
  const starts = cellStarts(rows);
  return rows.map(({ y, parts }) => {
    const segments: Segment[] = [];
    // A bullet is larger than its text in many files, which makes no heading of the line.
    const words = parts.filter(({ text }) => !isBullet(text));
    const size = Math.max(...(words.length > 0 ? words : parts).map((part) => part.size));
    for (const part of parts) {
      const { text, left, right, size: own } = part;
      const last = segments.at(-1);
      const halves = Math.round(2 * own);
      const gap = last ? left - last.right : 0;
      const isApart = gap > wideGap * size || starts.has(part);
      if (!last || (isApart && !(segments.length === 1 && isBullet(last.text))))
        segments.push({
          text,
          left,
          right,
          size: halves,
          isTight: last !== undefined && gap <= proseGap * size,
          parts: [part],
        });
      else {
        last.size = isBullet(last.text) ? halves : Math.max(last.size, halves);
        append(last, part, size);
      }
    }
    for (const segment of segments) segment.text = segment.text.replace(/\s+/g, " ").trim();
    return { y, size: Math.round(2 * size), segments };
  });
}

/** Adds the next part to a segment. @param size of the type, in points */
export function append(segment: Segment, part: Part, size: number): void {
  const before = segment.parts?.at(-1)?.text ?? "";
  const isWord = part.left - segment.right > 0.15 * size && !/\s$/.test(before) && !/^\s/.test(part.text);
  segment.text += `${isWord ? " " : ""}${part.text}`;
  segment.right = Math.max(segment.right, part.right);
  segment.parts?.push(part);
}

/** The parts that begin a cell behind a gap that words have too: parts of two more rows near by are in line with them. */
function cellStarts(rows: { y: number; size: number; parts: Part[] }[]): Set<Part> {
  /** The first part of each row, and those behind a gap. */
  const apart = rows.map(({ size, parts }) =>
    parts
      .slice(0, mostParts)
      .filter((part, i) => i === 0 || part.left - (parts[i - 1]?.right ?? part.left) > cellGap * size),
  );
  const isNear = (one: number, other: number) =>
    Math.abs((rows[one]?.y ?? 0) - (rows[other]?.y ?? 0)) <
    rowGap * Math.abs(one - other) * (rows[one]?.size ?? 0);
  const starts = new Set<Part>();
  // A line of a cell that is centred beside others is no row of its own.
  const isBetween = (row: number) =>
    apart[row]?.length === 1 &&
    [row - 1, row].some(
      (at) => (rows[at]?.y ?? 0) - (rows[at + 1]?.y ?? 0) < tooClose * (rows[row]?.size ?? 0),
    );
  const own = apart.flatMap((_, row) => (isBetween(row) ? [] : [row]));
  own.forEach((row, at) => {
    const [from, to] = [own[at - rowsInSight] ?? 0, own[at + rowsInSight] ?? apart.length - 1];
    for (const part of apart[row]?.slice(1) ?? []) {
      let others = 0;
      for (let other = from; other <= to && others < 2; other++)
        if (other !== row && isNear(row, other) && apart[other]?.some((one) => areInLine(part, one)))
          others++;
      if (others === 2) starts.add(part);
    }
  });
  return starts;
}

const areInLine = (one: Part, other: Part) =>
  Math.abs(one.left - other.left) <= inLine ||
  Math.abs(one.right - other.right) <= inLine ||
  Math.abs(one.left + one.right - other.left - other.right) <= 2 * inLine;
