// A document's text as it was read: headings and pages from its structure map, one passage marked. Server only: a long
// document ships no JavaScript.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Span {
  start: number;
  end: number;
}

export interface DocumentTextProps {
  content: string;
  /** Where things are in the content, in UTF-16 code units. */
  marks: (Span & { kind: string; level?: number; page?: number })[];
  /** The passage to mark and to open at. */
  quote: Span | null;
}

interface Block extends Span {
  heading?: number;
  page?: number;
}

/** Cuts the text at its headings and where pages begin. */
function blocks(content: string, marks: DocumentTextProps["marks"]): Block[] {
  const starts = marks
    .filter(
      ({ kind, start, end }) =>
        (kind === "heading" || kind === "page") && start <= end && end <= content.length,
    )
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
    else {
      found.push({ start, end, heading: level ?? 2 });
      at = end;
    }
  }
  text(content.length);
  return found;
}

/** A block's words, with the part of the passage that is in it marked. */
function words(content: string, block: Span, quote: Span | null, isFirst: boolean): ReactNode {
  const start = Math.max(block.start, quote?.start ?? content.length);
  const end = Math.min(block.end, quote?.end ?? 0);
  if (start >= end) return content.slice(block.start, block.end);
  return (
    <>
      {content.slice(block.start, start)}
      <mark
        id={isFirst ? "quote" : undefined}
        className="scroll-mt-24 rounded-sm bg-careful-soft text-ink ring-2 ring-careful-soft"
      >
        {content.slice(start, end)}
      </mark>
      {content.slice(end, block.end)}
    </>
  );
}

const headingLook = ["text-xl", "text-lg", "text-base", "text-base", "text-base", "text-base"];

export function DocumentText({ content, marks, quote }: DocumentTextProps) {
  const { t } = useTranslation("documents");
  const cut = blocks(content, marks);
  const shown = (block: Block) => (block.heading ? withoutMarks(content, block) : trimmed(content, block));
  const firstMarked = cut.find((block) => quote && overlaps(shown(block), quote));
  return (
    <div className="mt-6 text-base leading-7">
      {cut.map((block) => {
        const key = `${String(block.start)}-${String(block.end)}-${block.page ?? ""}`;
        if (block.page !== undefined) {
          return (
            <p key={key} className="mt-8 mb-3 border-line border-t pt-2 text-faint text-xs">
              {t("page", { page: block.page })}
            </p>
          );
        }
        if (block.heading !== undefined) {
          return (
            <h2
              key={key}
              className={`mt-6 mb-1 font-semibold ${headingLook[block.heading - 1] ?? "text-base"}`}
            >
              {words(content, shown(block), quote, block === firstMarked)}
            </h2>
          );
        }
        return (
          <div key={key} className="whitespace-pre-wrap break-words">
            {words(content, shown(block), quote, block === firstMarked)}
          </div>
        );
      })}
    </div>
  );
}

const overlaps = (a: Span, b: Span) => Math.max(a.start, b.start) < Math.min(a.end, b.end);

/** A Markdown heading without its leading signs. */
function withoutMarks(content: string, { start, end }: Span): Span {
  const [signs = ""] = /^#{1,6}\s+/.exec(content.slice(start, end)) ?? [];
  return { start: start + signs.length, end };
}

/** Without the empty lines around it, which the blocks' own space stands for. */
function trimmed(content: string, { start, end }: Span): Span {
  const text = content.slice(start, end);
  const from = start + (text.length - text.trimStart().length);
  return { start: Math.min(from, end), end: Math.max(from, start + text.trimEnd().length) };
}
