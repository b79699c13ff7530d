// A document's text as indexed: headings, tables and pages from its structure map, with one passage marked. A whole
// document is rendered on the server and ships no JavaScript; an island shows an excerpt.
import { Fragment, type ReactNode } from "react";
import { boldWords, linkWords, struckWords } from "#edge-functions/_shared/text/inline-markup.ts";
import { useTranslation } from "#translations";
import { InlineText } from "./InlineText.tsx";

interface Span {
  start: number;
  end: number;
}

interface TextTable extends Span {
  columns: string[];
  rows: (Span & { cells: string[] })[];
}

export interface DocumentTextProps {
  content: string;
  /** Positions in the content, in UTF-16 code units. */
  marks: (Span & { kind: string; level?: number; page?: number })[];
  tables: TextTable[];
  /** The passage to mark and scroll to. */
  quote: Span | null;
  /** An excerpt in a narrow column. */
  compact?: boolean;
}

interface Block extends Span {
  heading?: number;
  page?: number;
  table?: TextTable;
}

/** Splits the text at its headings, tables and page starts. */
function blocks({ content, marks, tables }: DocumentTextProps): Block[] {
  const tableAt = new Map(tables.map((table) => [table.start, table]));
  const starts = [
    ...marks.filter(({ kind }) => kind === "heading" || kind === "page"),
    ...tables.map(({ start, end }): DocumentTextProps["marks"][number] => ({ kind: "table", start, end })),
  ]
    .filter(({ start, end }) => start <= end && end <= content.length)
    .sort((a, b) => a.start - b.start || (a.kind === "page" ? -1 : 1));
  const found: Block[] = [];
  let at = 0;
  const text = (end: number) => {
    if (end > at) found.push({ start: at, end });
    at = Math.max(at, end);
  };
  for (const { kind, start, end, level, page } of starts) {
    if (start < at) continue;
    text(start);
    if (kind === "page") found.push({ start, end: start, page });
    else if (kind === "table") {
      found.push({ start, end, table: tableAt.get(start) });
      at = end;
    } else {
      found.push({ start, end, heading: level ?? 2 });
      at = end;
    }
  }
  text(content.length);
  return found;
}

interface Look {
  isBold: boolean;
  isStruck: boolean;
}

type Run = Span & Look;

const markup = new RegExp(
  `(?<bold>${boldWords.source})|(?<struck>${struckWords.source})|(?<link>${linkWords.source})`,
  "gu",
);
const ordinary: Look = { isBold: false, isStruck: false };

/** A part of the text in runs, without the signs around bold and struck words and the addresses of links. */
function runsIn(content: string, { start, end }: Span, look = ordinary): Run[] {
  const runs: Run[] = [];
  let at = start;
  for (const { index, 0: marked, groups } of content.slice(start, end).matchAll(markup)) {
    const from = start + index;
    runs.push({ start: at, end: from, ...look });
    at = from + marked.length;
    const isBold = groups?.bold !== undefined;
    const isStruck = groups?.struck !== undefined;
    const inner =
      isBold || isStruck
        ? { start: from + 2, end: at - 2 }
        : { start: from + marked.indexOf("[") + 1, end: from + marked.indexOf("](") };
    runs.push(
      ...runsIn(content, inner, { isBold: look.isBold || isBold, isStruck: look.isStruck || isStruck }),
    );
  }
  return [...runs, { start: at, end, ...look }].filter((run) => run.start < run.end);
}

/** A block's text, with its bold words bold, its struck words struck, its links as words, and its part of the passage marked. */
function words(content: string, block: Span, quote: Span | null, isFirst: boolean): ReactNode {
  const runs = runsIn(content, block);
  const first = isFirst && quote ? runs.find((run) => overlaps(run, quote)) : undefined;
  return runs.map((run) => {
    const Bold = run.isBold ? "strong" : Fragment;
    const Struck = run.isStruck ? "s" : Fragment;
    return (
      <Bold key={run.start}>
        <Struck>{markRun(content, run, quote, run === first)}</Struck>
      </Bold>
    );
  });
}

/** A run of text, with its part of the passage marked. */
function markRun(content: string, run: Span, quote: Span | null, isFirst: boolean): ReactNode {
  const start = Math.max(run.start, quote?.start ?? content.length);
  const end = Math.min(run.end, quote?.end ?? 0);
  if (start >= end) return content.slice(run.start, run.end);
  return (
    <>
      {content.slice(run.start, start)}
      <mark
        id={isFirst ? "quote" : undefined}
        className="scroll-mt-24 rounded-sm bg-careful-soft text-ink ring-2 ring-careful-soft"
      >
        {content.slice(start, end)}
      </mark>
      {content.slice(end, run.end)}
    </>
  );
}

/** A table, with the rows that the passage quotes marked. */
function Table({ table, quote, isFirst }: { table: TextTable; quote: Span | null; isFirst: boolean }) {
  const marked = table.rows.findIndex((row) => quote && overlaps(row, quote));
  const isHeaded = table.columns.some((name) => name !== "");
  return (
    <section
      className="scroll-x my-3"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={table.columns.find(Boolean)}
    >
      <table className="min-w-full border-collapse text-sm">
        {isHeaded && (
          <thead>
            <tr>
              {table.columns.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <th key={at} scope="col" className="border-line border-b px-3 py-1.5 text-left font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {table.rows.map((row, place) => {
            const isMarked = quote !== null && overlaps(row, quote);
            return (
              <tr
                key={row.start}
                id={isFirst && place === marked ? "quote" : undefined}
                className={isMarked ? "scroll-mt-24 bg-careful-soft" : undefined}
              >
                {row.cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={at} className="border-line border-b px-3 py-1.5 align-top">
                    {isMarked && cell ? (
                      <mark className="bg-transparent text-ink">
                        <InlineText text={cell} />
                      </mark>
                    ) : (
                      <InlineText text={cell} />
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const headingLook = ["text-xl", "text-lg", "text-base", "text-base", "text-base", "text-base"];

export function DocumentText(props: DocumentTextProps) {
  const { quote, compact = false } = props;
  const content = flowing(props.content);
  const { t } = useTranslation("passages");
  // An excerpt stands below a heading of its page.
  const Heading = compact ? "h3" : "h2";
  const cut = blocks(props);
  const visibleSpan = (block: Block) => (block.heading ? withoutMarks(content, block) : trim(content, block));
  const firstMarked = cut.find((block) => quote && overlaps(visibleSpan(block), quote));
  return (
    <div className={compact ? "text-sm leading-6 [&>:first-child]:mt-0" : "mt-6 text-base leading-7"}>
      {cut.map((block) => {
        const key = `${String(block.start)}-${String(block.end)}-${block.page ?? ""}`;
        if (block.page !== undefined) {
          return (
            <p key={key} className="mt-8 mb-3 border-line border-t pt-2 text-faint text-xs">
              {t("wholePage", { page: block.page })}
            </p>
          );
        }
        if (block.table) {
          return <Table key={key} table={block.table} quote={quote} isFirst={block === firstMarked} />;
        }
        if (block.heading !== undefined) {
          return (
            <Heading
              key={key}
              className={`mt-6 mb-1 font-semibold ${(!compact && headingLook[block.heading - 1]) || "text-base"}`}
            >
              {words(content, visibleSpan(block), quote, block === firstMarked)}
            </Heading>
          );
        }
        return (
          <div key={key} className="whitespace-pre-wrap break-words">
            {words(content, visibleSpan(block), quote, block === firstMarked)}
          </div>
        );
      })}
    </div>
  );
}

const overlaps = (a: Span, b: Span) => Math.max(a.start, b.start) < Math.min(a.end, b.end);

/** Replaces line wraps inside a sentence with a space, which keeps all offsets. */
function flowing(content: string): string {
  return content.replace(/(?<=[^\n]{50}[\p{L}\p{N},;)])\n(?=[\p{L}(«“"])/gu, " ");
}

/** A Markdown heading without its leading # signs. */
function withoutMarks(content: string, { start, end }: Span): Span {
  const [signs = ""] = /^#{1,6}\s+/.exec(content.slice(start, end)) ?? [];
  return { start: start + signs.length, end };
}

/** Without the empty lines around it, which the spacing of blocks replaces. */
function trim(content: string, { start, end }: Span): Span {
  const text = content.slice(start, end);
  const from = start + (text.length - text.trimStart().length);
  return { start: Math.min(from, end), end: Math.max(from, start + text.trimEnd().length) };
}
