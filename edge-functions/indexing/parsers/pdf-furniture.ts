// Finds lines of a PDF that are not its own text: running headers and footers, page numbers. Pure geometry and text.
import type { Line } from "./pdf-lines.ts";
import { withoutContents } from "./table-of-contents.ts";

/** Lines at a page's top and bottom that may be furniture, and the minimum number and share of pages that repeat them. */
const edgeLines = 2;
const leastPages = 3;
const leastShare = 0.3;
/** Words. A running head has fewer. */
const leastOfSentence = 10;
/** Maximum characters of a running head, and its minimum distance from the text in type sizes. */
const longestEdge = 120;
const marginGap = 1.8;

/**
 * The pages without furniture and tables of contents. Keeps the furniture if less than half of the text would be left, as with a form
 * on every page, and a table of contents if nothing would be left.
 */
export function withoutFurniture(pages: Line[][]): Line[][] {
  const kept = withoutEdges(pages);
  const own = 2 * charsOf(kept) < charsOf(pages) ? pages : kept;
  const read = withoutContents(own);
  return charsOf(read) > 0 ? read : own;
}

const charsOf = (pages: Line[][]) => pages.flat().reduce((sum, { text }) => sum + text.length, 0);

function withoutEdges(pages: Line[][]): Line[][] {
  const repeated = repeatedEdges(pages);
  const margins = marginLines(pages);
  const isNumbered = numberedEdges(pages);
  const isPrinted = printedEdges(pages);
  const size = bodySize(pages.flat());
  return pages.map((lines, page) => {
    // The names of a table that goes on over pages are repeated, and its other rows are not.
    const goesOn = ({ table }: Line) =>
      table && lines.some((row) => row.table?.number === table.number && !repeated(row, page));
    const gone = new Set(
      edgesOf(lines).filter(
        (line) =>
          ((repeated(line, page) || margins.has(line)) && !goesOn(line)) ||
          isPrinted(line, page) ||
          (!line.cells && line.size <= size && isNumbered(line, page)),
      ),
    );
    return lines.filter((line) => !gone.has(line));
  });
}

type IsFurniture = (line: Line, page: number) => boolean;

/** Lines that many pages repeat at the same height. The first copy of a sentence, such as a note on every page, is none of them. */
function repeatedEdges(pages: Line[][]): IsFurniture {
  const counts = new Map<string, number>();
  const firsts = new Map<string, number>();
  pages.forEach((lines, page) => {
    const keys = new Set(edgesOf(lines).flatMap((line) => keysOf(line, page)));
    for (const key of keys) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (!firsts.has(key)) firsts.set(key, page);
    }
  });
  const most = Math.max(leastPages, leastShare * pages.length);
  return (line, page) => {
    const [same = "", ...counting] = keysOf(line, page);
    const isFirst = firsts.get(same) === page && isSentence(line);
    return !isFirst && [same, ...counting].some((key) => (counts.get(key) ?? 0) >= most);
  };
}

/** Lines that begin or end with the page's number: it differs from the page's position by as much as on most other pages. */
function numberedEdges(pages: Line[][]): IsFurniture {
  const counts = new Map<number, number>();
  const romans = new Map<number, number>();
  pages.forEach((lines, page) => {
    const edges = edgesOf(lines);
    for (const offset of new Set(edges.flatMap((line) => offsetsOf(line, page))))
      counts.set(offset, (counts.get(offset) ?? 0) + 1);
    for (const { text } of edges) {
      const roman = romanOf(text);
      if (roman) romans.set(roman - page, (romans.get(roman - page) ?? 0) + 1);
    }
  });
  const [offset, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [0, 0];
  const isUsual = count >= Math.max(leastPages, pages.length / 2);
  return (line, page) =>
    (isUsual && offsetsOf(line, page).includes(offset)) ||
    (romans.get((romanOf(line.text) ?? Number.NaN) - page) ?? 0) > 1;
}

const timeOfDay = /\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}[:h.]\d{2}\b/;
const address = /(?:^|\s)(?:https?|file|about):\S+/;

/**
 * What a browser prints around a page, of a single one too: its address and "1/2", "1 of 2" or "1 sur 2" on one of the lines at its edges,
 * the time on one of them.
 */
function printedEdges(pages: Line[][]): IsFurniture {
  const isOne = (text: string) =>
    text.length <= 2 * longestEdge && (timeOfDay.test(text) || address.test(text));
  return (line, page) => {
    const texts = edgesOf(pages[page] ?? [])
      .map(({ text }) => text)
      .filter(isOne);
    const counter = new RegExp(`(?<![\\d/])${page + 1}(?:/| \\p{L}+ )${pages.length}(?![\\d/])`, "u");
    return (
      isOne(line.text) &&
      texts.some((text) => timeOfDay.test(text)) &&
      texts.some((text) => address.test(text)) &&
      texts.some((text) => counter.test(text))
    );
  };
}

/** The value of a Roman numeral in small letters, alone on its line as on a book's first pages; undefined for other texts. */
function romanOf(text: string): number | undefined {
  if (!/^(?:x{0,3})(?:ix|iv|v?i{0,3})$/.test(text) || text === "") return undefined;
  const values = [...text].map((letter) => ({ x: 10, v: 5 })[letter] ?? 1);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}

function offsetsOf({ text }: Line, page: number): number[] {
  if (text.length > longestEdge) return [];
  const found = [/^\W*(\d{1,4})(?![\d.,:%€$£])/, /(?<![\d.,:/])(\d{1,4})\W*$/].flatMap(
    (one) => one.exec(text)?.[1] ?? [],
  );
  return [...new Set(found.map((number) => Number(number) - page))];
}

/**
 * Lines in the margin, apart from the text and in type no larger than the text's, at the same height on at least half of the pages. That
 * is both pages of two, and at least three of more. Of those, the lines that another page has too, and those that name a heading, as a chapter's running head does.
 */
function marginLines(pages: Line[][]): Set<Line> {
  const size = bodySize(pages.flat());
  const least = pages.length === 2 ? 2 : Math.max(leastPages, pages.length / 2);
  const headings = new Set(pages.flat().flatMap((line) => (line.size > size ? lettersOf(line.text) : [])));
  const gone = new Set<Line>();
  for (const side of [1, -1]) {
    const places = new Map<number, { line: Line; page: number }[]>();
    pages.forEach((lines, page) => {
      const [edge, next] = lines.toSorted((a, b) => side * (b.y - a.y));
      const isApart = edge && next && Math.abs(edge.y - next.y) > marginGap * (next.size / 2);
      if (!edge || !isApart || edge.size > size || edge.text.length > longestEdge) return;
      const place = Math.round(edge.y / 6);
      places.set(place, [...(places.get(place) ?? []), { line: edge, page }]);
    });
    for (const some of places.values()) {
      if (some.length < least) continue;
      const counts = new Map<string, number>();
      for (const { line, page } of some)
        for (const key of new Set(keysOf(line, page))) counts.set(key, (counts.get(key) ?? 0) + 1);
      const seen = new Set<string>();
      for (const { line, page } of some) {
        const words = lettersOf(line.text);
        const isHeading = words.length > 0 && words.every((word) => headings.has(word));
        const [same = "", ...numbered] = keysOf(line, page);
        const isShared = (key: string) => (counts.get(key) ?? 0) > 1;
        // Two pages are not enough to distinguish a running head from a title, so the first page's is kept.
        const isRepeated =
          isShared(same) && (pages.length > 2 || page > 0) && (seen.has(same) || !isSentence(line));
        seen.add(same);
        if (isHeading || isRepeated || numbered.some(isShared)) gone.add(line);
      }
    }
  }
  return gone;
}

const isSentence = ({ text }: Line) => lettersOf(text).length >= leastOfSentence;

const lettersOf = (text: string) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** The size of most of the text. */
function bodySize(lines: Line[]): number {
  const chars = new Map<number, number>();
  for (const { size, text } of lines) chars.set(size, (chars.get(size) ?? 0) + text.length);
  return [...chars].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function edgesOf(lines: Line[]): Line[] {
  const inOrder = lines.toSorted((a, b) => b.y - a.y);
  return [...new Set([...inOrder.slice(0, edgeLines), ...inOrder.slice(-edgeLines)])];
}

/** The keys that repeated lines share: the same words at the same height, and at most one number that grows by one per page. */
function keysOf({ text, y }: Line, page: number): string[] {
  // A lone page number may be at another height where a chapter begins.
  const place = /^\W*\d{1,4}\W*$/.test(text) ? "" : `${Math.round(y / 6)} `;
  const numbers = [...text.matchAll(/\d{1,4}/g)].slice(0, 4);
  const counting = numbers.map(
    ({ 0: number, index }) =>
      `${place}${text.slice(0, index)}#${Number(number) - page}#${text.slice(index + number.length)}`,
  );
  return [`${place}${text}`, ...counting];
}

/** Every word of the pages, to tell a hyphenated line end from a hyphenated word. */
export function wordsOf(pages: Line[][]): Set<string> {
  const words = new Set<string>();
  for (const { text } of pages.flat())
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)*(?!\p{L}|-$)/gu)) words.add(word);
  return words;
}

/** Joins two lines of a paragraph. A word split at the line end is rejoined unless it occurs with a hyphen elsewhere. */
export function joinLines(before: string, line: string, words: ReadonlySet<string>): string {
  const first = /(\p{L}+)[-\u00ad\u2010]$/u.exec(before);
  const rest = /^\p{Ll}\p{L}*/u.exec(line)?.[0];
  if (!first?.[1] || !rest) return `${before}\n${line}`;
  const isHyphened =
    words.has(`${first[1]}-${rest}`.toLowerCase()) && !words.has(`${first[1]}${rest}`.toLowerCase());
  return `${isHyphened ? before : before.slice(0, -1)}${line}`;
}
