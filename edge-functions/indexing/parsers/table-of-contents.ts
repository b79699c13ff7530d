// Finds tables of contents in the lines of a document, and dot leaders. Pure.
import { either } from "../../_shared/language/rules.ts";
import type { ParsedDocument, StructureSpan } from "./document.ts";
import type { Line } from "./pdf-lines.ts";

const leader = /(?<![.…·_]\s?)(?:\s?[.…·_]){4,}\s*(?:(\d{1,4})\s*)?$/;
const contentsTitle = new RegExp(
  String.raw`^\W*(?:${either(({ documents }) => documents?.contents)}|inhalt(?:sverzeichnis)?)\W*$`,
  "iu",
);

/** The pages without tables of contents and dot leaders. */
export const withoutContents = (pages: Line[][]): Line[][] =>
  withoutList(pages).map((lines) => withoutLeaders(lines, pages.length));

/**
 * The indices of the paragraphs of a document's typed table of contents: its title, and the entries that occur elsewhere too. Without a title
 * dot leaders tell it.
 */
export function contentsAmong(paragraphs: string[]): Set<number> {
  const isTitled = paragraphs.some((text) => contentsTitle.test(text));
  const isLed = (text: string) => leader.exec(text)?.[1] !== undefined;
  if (!isTitled && paragraphs.filter(isLed).length < 3) return new Set();
  const lines = paragraphs.map((text) => ({ text, y: 0, size: 0 }));
  const kept = new Set(isTitled ? withoutList([lines]).flat() : lines.filter(({ text }) => !isLed(text)));
  const names = new Set([...kept].map(({ text }) => nameOf(text)));
  const isListed = (line: Line) =>
    !kept.has(line) && (contentsTitle.test(line.text) || names.has(nameOf(line.text)));
  const listed = lines.flatMap((line, i) => (isListed(line) ? [i] : []));
  return new Set(listed.length < 3 ? [] : listed);
}

export const isContentsTitle = (text: string) => contentsTitle.test(text);

/** The structure without headings of lists of contents that stand over most of the text. Their words stay. */
export function withoutContentsHeadings({ text, structure }: ParsedDocument): StructureSpan[] {
  const headings = structure.filter(({ kind }) => kind === "heading");
  const over = headings.filter(({ label = "", level = 1, start }, at) => {
    if (!isContentsTitle(label)) return false;
    const next = headings.slice(at + 1).find((heading) => (heading.level ?? 1) <= level);
    return (next?.start ?? text.length) - start > text.length / 2;
  });
  return over.length === 0 ? structure : structure.filter((span) => !over.includes(span));
}

/**
 * The pages without the list of their headings below a title such as "Contents": lines with ascending numbers. At least three of them,
 * and more than a third, must occur elsewhere too, because a list of parts may be called contents and names no headings.
 */
function withoutList(pages: Line[][]): Line[][] {
  const counts = new Map<string, number>();
  for (const { text } of pages.flat()) {
    const name = nameOf(text);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const gone = new Set<Line>();
  let isOpen = false;
  for (const lines of pages.slice(0, mostContentsPages)) {
    const title: number = isOpen ? -1 : lines.findIndex(({ text }) => contentsTitle.test(text));
    if (title === -1 && !isOpen) continue;
    const listed = listFrom(lines, title + 1);
    const named = listed.filter(({ text }) => entry.test(text) && (counts.get(nameOf(text)) ?? 0) > 1);
    const isList = named.length >= 3 && named.length > listed.length / 3;
    if (isList) for (const line of lines.slice(Math.max(0, title), title + 1 + listed.length)) gone.add(line);
    // Its page's number may follow.
    isOpen = isList && title + 1 + listed.length >= lines.length - 1;
  }
  return pages.map((lines) => lines.filter((line) => !gone.has(line)));
}

/** An entry's name and page; some files have the page first. A long name takes a line of its own before. */
const entry = /\S.*?\s(\d{1,4})\s*$|^[.\s]*(\d{1,4})(?=\p{L})/u;
const mostContentsPages = 30;

function listFrom(lines: Line[], from: number): Line[] {
  let until = from;
  let before = 0;
  for (let at = from; at < lines.length && at - until < 2; at++) {
    const found = entry.exec(lines[at]?.text ?? "");
    const page = Number(found?.[1] ?? found?.[2] ?? Number.NaN);
    if (!(page >= before)) continue;
    before = page;
    until = at + 1;
  }
  return lines.slice(from, until);
}

/** A heading's words: an entry and the heading that it names have the same. */
const nameOf = (text: string) => (text.toLowerCase().match(/\p{L}+/gu) ?? []).join(" ");

/** Several lines with leaders to ascending page numbers are a table of contents; other dots are only dots. */
function withoutLeaders(lines: Line[], pageCount: number): Line[] {
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
