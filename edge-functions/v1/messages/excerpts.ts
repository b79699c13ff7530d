// Owns the excerpt of a document around a quote: its PDF page, its section, or its table rows. Pure; offsets are UTF-16 code units.
import { type TextTable, tablesOf } from "../../_shared/text/table-text.ts";
import type { StructureSpan } from "../../indexing/parsers/document.ts";

type Range = { start: number; end: number };

export type Excerpt = {
  /** A part of the document's content, and the part's offset in it. */
  text: string;
  offset: number;
  /** The quote's range in the excerpt. */
  quote: Range;
  /** Headings and pages in the excerpt, with offsets into it. */
  spans: StructureSpan[];
  /** Tables, likewise. A table that starts before the excerpt keeps its columns. */
  tables: TextTable[];
  /** The headings above the quote, outermost first, and its page. */
  headings: string[];
  page: number | null;
  /** The page on which the quote ends. */
  lastPage: number | null;
  /** Whether the document continues before and after the excerpt. */
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
};

/** Maximum characters on either side of the quote, if no boundary ends the excerpt sooner. */
const mostAround = 3_000;
/** Characters on either side of a short section, to show its context. */
const aroundSection = 600;
/** Maximum length of a page or section that is shown whole. */
const mostWhole = 8_000;
const rowsAround = 3;

/** @param spans ordered by start, a table before its rows */
export function excerptOf(content: string, spans: StructureSpan[], quote: Range): Excerpt {
  const inside = spans.filter(({ start, end }) => start >= 0 && start <= end && end <= content.length);
  const pages = inside.filter(({ kind }) => kind === "page");
  const page = pages.findLast(({ start }) => start <= quote.start);
  const path = headingsAbove(inside, quote.start);
  const range = rangeAround(content, inside, quote, page, pages);
  const shifted = inside.flatMap((span) => {
    const start = Math.max(span.start, range.start);
    const end = Math.min(span.end, range.end);
    // Drops rows and headings that the excerpt cuts.
    const isWhole = start === span.start && end === span.end;
    if (start > end || (!isWhole && span.kind !== "table") || (start === end && span.start !== span.end))
      return [];
    return [{ ...span, start: start - range.start, end: end - range.start }];
  });
  const text = content.slice(range.start, range.end);
  return {
    text,
    offset: range.start,
    quote: { start: quote.start - range.start, end: quote.end - range.start },
    spans: shifted.filter(({ kind }) => kind === "heading" || kind === "page"),
    tables: tablesOf(text, shifted),
    headings: path.map(({ label, start, end }) => label ?? content.slice(start, end).replace(/^#+\s+/, "")),
    page: page?.page ?? null,
    lastPage: (pages.findLast(({ start }) => start < quote.end) ?? page)?.page ?? null,
    hasMoreBefore: content.slice(0, range.start).trim() !== "",
    hasMoreAfter: content.slice(range.end).trim() !== "",
  };
}

function rangeAround(
  content: string,
  spans: StructureSpan[],
  quote: Range,
  page: StructureSpan | undefined,
  pages: StructureSpan[],
): Range {
  const table = spans.find(
    ({ kind, start, end, columns }) =>
      kind === "table" && columns && start <= quote.start && quote.end <= end,
  );
  if (table) return rowsOf(spans, table, quote);
  const section = page
    ? { start: page.start, end: pages.find(({ start }) => start > page.start)?.start ?? content.length }
    : withNeighbours(content, sectionOf(content, spans, quote));
  const whole = { start: Math.min(section.start, quote.start), end: Math.max(section.end, quote.end) };
  if (whole.end - whole.start <= mostWhole) return whole;
  return {
    start: Math.max(whole.start, lineBefore(content, quote.start - mostAround)),
    end: Math.min(whole.end, lineAfter(content, quote.end + mostAround)),
  };
}

/** From the heading above to the next one. */
function sectionOf(content: string, spans: StructureSpan[], quote: Range): Range {
  const headings = spans.filter(({ kind }) => kind === "heading");
  return {
    start: headings.findLast(({ start }) => start <= quote.start)?.start ?? 0,
    end: headings.find(({ start }) => start >= quote.end)?.start ?? content.length,
  };
}

function withNeighbours(content: string, { start, end }: Range): Range {
  return {
    start: lineBefore(content, start - aroundSection),
    end: lineAfter(content, end + aroundSection),
  };
}

/** The quoted rows with a few on either side. */
function rowsOf(spans: StructureSpan[], table: StructureSpan, quote: Range): Range {
  const rows = spans.filter(
    ({ kind, start, end }) => kind === "row" && start >= table.start && end <= table.end,
  );
  const first = rows.findIndex(({ end }) => end > quote.start);
  const last = rows.findLastIndex(({ start }) => start < quote.end);
  if (first < 0 || last < first)
    return { start: table.start, end: Math.min(table.end, Math.max(quote.end, table.start + mostWhole)) };
  const from = rows[Math.max(0, first - rowsAround)];
  const to = rows[Math.min(rows.length - 1, last + rowsAround)];
  const range = {
    start: first <= rowsAround ? table.start : (from?.start ?? table.start),
    end: to?.end ?? table.end,
  };
  const most = {
    start: Math.max(range.start, quote.start - mostAround),
    end: Math.min(range.end, quote.end + mostAround),
  };
  // Rows that are too long are cut at a row, or at the quote's boundaries.
  return {
    start: rows.find(({ start }) => start >= most.start && start <= quote.start)?.start ?? quote.start,
    end: rows.findLast(({ end }) => end <= most.end && end >= quote.end)?.end ?? quote.end,
  };
}

function headingsAbove(spans: StructureSpan[], at: number): StructureSpan[] {
  const path: StructureSpan[] = [];
  for (const span of spans) {
    if (span.kind !== "heading") continue;
    if (span.start > at) break;
    while ((path.at(-1)?.level ?? 0) >= (span.level ?? 1)) path.pop();
    path.push(span);
  }
  return path;
}

const lineBefore = (content: string, at: number) => (at <= 0 ? 0 : content.lastIndexOf("\n", at) + 1);
function lineAfter(content: string, at: number): number {
  const end = at >= content.length ? -1 : content.indexOf("\n", at);
  return end < 0 ? content.length : end;
}
