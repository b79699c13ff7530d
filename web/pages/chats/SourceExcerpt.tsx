// The text around a quote, with the quote marked, or its page of the PDF; what the reader sees when the document is gone.
import { useQuery } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { wordsOf } from "../../client/call-api.ts";
import { lazyPart } from "../../client/lazy-part.tsx";
import { Button } from "../../ui/Button.tsx";
import { DocumentText } from "../../ui/DocumentText.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { CitedWords } from "./CitedWords.tsx";
import { type Citation, type Evidence, evidenceOf } from "./chat.ts";
import type { QuotedPages } from "./PdfPage.tsx";

// pdf.js is larger than the rest of the app, so it loads with the first PDF that is cited.
const PdfPage = lazyPart(async () => (await import("./PdfPage.tsx")).PdfPage);

/** Maximum pages of a passage. */
const MOST_PAGES = 4;

/** What is shown: the PDF's page, the text, or the text because the page did not load. */
type View = "page" | "text" | "failed";

export type FoundPages = QuotedPages & { index: number };

interface SourceExcerptProps {
  chatId: string;
  messageId: string;
  citation: Citation;
  onFound(pages: FoundPages): void;
  /** Called when the document no longer exists. */
  onGone(index: number): void;
}

export function SourceExcerpt({ chatId, messageId, citation, onFound, onGone }: SourceExcerptProps) {
  const { t } = useTranslation("passages");
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>("page");
  const { data, error } = useQuery({
    queryKey: ["evidence", messageId, citation.index],
    queryFn: () => evidenceOf(chatId, messageId, citation.index),
    staleTime: Infinity,
  });
  // Scrolls a quote that is out of view into the upper third. Only the pane scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is there once it is the view
  useEffect(() => {
    const { current: area } = scroller;
    const quote = data && area?.querySelector("#quote");
    if (!area || !quote) return;
    const { top, bottom } = quote.getBoundingClientRect();
    const box = area.getBoundingClientRect();
    if (bottom > box.bottom) area.scrollTop += top - box.top - area.clientHeight / 3;
  }, [data, view]);
  const { index } = citation;
  const onPages = useCallback((pages: QuotedPages) => onFound({ ...pages, index }), [onFound, index]);
  const { page = null, lastPage = null } = data?.excerpt ?? {};
  useEffect(() => {
    if (page !== null && lastPage !== null) onPages({ page, lastPage });
  }, [page, lastPage, onPages]);
  const isGone = data?.state === "gone";
  useEffect(() => {
    if (isGone) onGone(index);
  }, [isGone, index, onGone]);
  if (error) {
    return (
      <div className="p-4 text-sm">
        <p role="alert" className="mb-3 text-bad">
          {wordsOf(error, t).title}
        </p>
        <CitedWords citation={citation} />
      </div>
    );
  }
  if (!data) {
    return (
      <div aria-busy="true" className="grid flex-1 content-start gap-2 p-4">
        {["w-2/3", "w-full", "w-full", "w-1/2"].map((width, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a skeleton
          <div key={at} className={`skeleton h-4 ${width}`} />
        ))}
      </div>
    );
  }
  const { excerpt, state, file } = data;
  const pages = pagesOf(excerpt?.page ?? null, citation.page ?? null);
  const hasPage = file !== null && pages.length > 0 && view !== "failed";
  return (
    <>
      {hasPage && <ViewSwitch view={view} onChange={setView} />}
      {hasPage && view === "page" ? (
        <Suspense fallback={<div aria-busy="true" className="skeleton m-4 h-24" />}>
          <PdfPage
            file={file}
            pages={pages}
            quote={citation.quote}
            onPages={onPages}
            onFailure={() => setView("failed")}
          />
        </Suspense>
      ) : (
        <ScrollArea
          ref={scroller}
          tabIndex={0}
          role="region"
          aria-label={t("evidence.excerpt")}
          className="min-h-0 flex-1 px-4 py-3 text-sm"
        >
          {view === "failed" && (
            <p role="status" className="mb-3 rounded-md bg-careful-soft px-3 py-2 text-careful">
              {t("evidence.noPage")}
            </p>
          )}
          {excerpt ? (
            <ExcerptText excerpt={excerpt} />
          ) : (
            <>
              <p className="mb-3 rounded-md bg-careful-soft px-3 py-2 text-careful">
                {t(`evidence.${state}`)}
              </p>
              <CitedWords citation={citation} />
            </>
          )}
        </ScrollArea>
      )}
    </>
  );
}

/** The choice between the PDF's page and its text. */
function ViewSwitch({ view, onChange }: { view: View; onChange(view: View): void }) {
  const { t } = useTranslation("passages");
  return (
    <fieldset aria-label={t("evidence.view")} className="flex gap-1 border-line border-b px-3 py-1.5">
      {(["page", "text"] as const).map((name) => (
        <Button
          variant="bare"
          key={name}
          type="button"
          aria-pressed={view === name}
          onClick={() => onChange(name)}
          className="h-7 rounded-md px-2 font-medium text-muted text-xs hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          {t(name === "page" ? "evidence.asPage" : "evidence.asText")}
        </Button>
      ))}
    </fieldset>
  );
}

function ExcerptText({ excerpt }: { excerpt: NonNullable<Evidence["excerpt"]> }) {
  const { t } = useTranslation("passages");
  const { text, spans, tables, quote, page } = excerpt;
  return (
    <>
      {excerpt.hasMoreBefore && <More />}
      {page !== null && !spans.some(({ kind }) => kind === "page") && (
        <p className="text-faint text-xs">{t("wholePage", { page })}</p>
      )}
      <DocumentText content={text} marks={spans} tables={tables} quote={quote} compact />
      {excerpt.hasMoreAfter && <More />}
    </>
  );
}

/**
 * Pages that may contain the quote: the one of the quote in the text, then those of the passage, which stores only its
 * first.
 */
function pagesOf(ofQuote: number | null, ofPassage: number | null): number[] {
  if (ofQuote === null) return [];
  const from = ofPassage ?? ofQuote;
  return [...new Set([ofQuote, ...Array.from({ length: MOST_PAGES }, (_, after) => from + after)])];
}

/** Marks that the document continues. */
function More() {
  return (
    <p aria-hidden className="text-center text-faint leading-4">
      ⋯
    </p>
  );
}
