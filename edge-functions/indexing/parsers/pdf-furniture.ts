// Finds lines of a PDF that are not its own text: running headers and footers, page numbers, tables of contents, dot leaders. Pure.
import { either } from "../../_shared/language/rules.ts";
import type { Line } from "./pdf-lines.ts";

/** Lines at a page's top and bottom that may be furniture, and the minimum number and share of pages that repeat them. */
const edgeLines = 2;
const leastPages = 3;
const leastShare = 0.3;

const leader = /(?:\s?[.…·_]){4,}\s*(\d{1,4})?\s*$/;
const contentsTitle = new RegExp(
  String.raw`^\W*(?:${either(({ documents }) => documents?.contents)}|inhalt(?:sverzeichnis)?)\W*$`,
  "iu",
);

/** The pages without furniture. Returns them unchanged if little would be left, as with forms printed over and over. */
export function withoutFurniture(pages: Line[][]): Line[][] {
  const kept = withoutEdges(pages);
  const own = 2 * charsOf(kept) < charsOf(pages) ? pages : kept;
  const read = own.map((lines) => withoutContents(lines, pages.length));
  return charsOf(read) > 0 ? read : own;
}

const charsOf = (pages: Line[][]) => pages.flat().reduce((sum, { text }) => sum + text.length, 0);

function withoutEdges(pages: Line[][]): Line[][] {
  const pageCount = pages.length;
  const counts = new Map<string, number>();
  pages.forEach((lines, page) => {
    const keys = new Set(edgesOf(lines).flatMap((line) => keysOf(line, page)));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  const most = Math.max(leastPages, leastShare * pageCount);
  return pages.map((lines, page) => {
    const isFurniture = (line: Line) => keysOf(line, page).some((key) => (counts.get(key) ?? 0) >= most);
    const edges = new Set(edgesOf(lines).filter(isFurniture));
    return lines.filter((line) => !edges.has(line));
  });
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

/** Several lines with leaders to ascending page numbers are a table of contents; other dots are only dots. */
function withoutContents(lines: Line[], pageCount: number): Line[] {
  const led = lines.flatMap((line) => {
    const number = leader.exec(line.text)?.[1];
    return number ? [{ line, page: Number(number) }] : [];
  });
  const isAscending = led.every(({ page }, i) => i === 0 || page >= (led[i - 1]?.page ?? 0));
  const isContents = led.length >= 3 && isAscending && (led.at(-1)?.page ?? 0) <= 2 * pageCount + 20;
  const gone = new Set(isContents ? led.map(({ line }) => line) : []);
  return lines
    .filter((line) => !gone.has(line) && !(isContents && contentsTitle.test(line.text)))
    .map((line) =>
      /(?:\s?[.…·_]){4,}/.test(line.text) && !line.cells
        ? { ...line, text: line.text.replace(/(?:\s?[.…·_]){4,}\s*/g, " ").trim() }
        : line,
    );
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
