// One source of a reply: its position, the text around the quote with the quote marked, and links to the previous and
// next source.
import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { wordsOf } from "../../client/call-api.ts";
import { lazyPart } from "../../client/lazy-part.tsx";
import { Queries } from "../../client/queries.tsx";
import { Button } from "../../ui/Button.tsx";
import { DocumentText } from "../../ui/DocumentText.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { CitationAge } from "./CitationAge.tsx";
import { CitedWords } from "./CitedWords.tsx";
import { type ChatMessage, type Citation, evidenceOf } from "./chat.ts";
import { citedSources } from "./cited-sources.ts";
import type { QuotedPages } from "./PdfPage.tsx";
import { usePlaceWords } from "./use-place-words.ts";

// pdf.js is larger than the rest of the app, so it loads with the first PDF that is cited.
const PdfPage = lazyPart(async () => (await import("./PdfPage.tsx")).PdfPage);

/** Maximum pages of a passage. */
const MOST_PAGES = 4;

export interface SourceInDocumentProps {
  /** The chat, for readers who may see the document; null for others, who see only the quote. */
  explainIn: string | null;
  message: Pick<ChatMessage, "id" | "citations">;
  /** The shown citation; null for the first. */
  index: number | null;
  onStep(index: number): void;
  documentHref(citation: Citation): string | null;
}

export function SourceInDocument({ explainIn, message, index, onStep, documentHref }: SourceInDocumentProps) {
  const { t } = useTranslation("passages");
  const placeOf = usePlaceWords();
  const sources = citedSources(message.citations);
  const all = sources.flatMap((source) => source.citations.map((citation, at) => ({ source, citation, at })));
  const place = Math.max(
    0,
    all.findIndex(({ citation }) => citation.index === index),
  );
  const current = all[place];
  // Announced only after a step: when the pane opens, moving focus reads it.
  const [said, setSaid] = useState("");
  // Where a quote was found. Older replies name the page that its passage starts on.
  const [found, setFound] = useState<FoundPages | null>(null);
  const [gone, setGone] = useState<number | null>(null);
  if (!current) return null;
  const { source, citation, at } = current;
  const words = (one: typeof current) =>
    [
      t("evidence.source", { number: one.source.number, total: sources.length }),
      one.source.citations.length > 1
        ? t("evidence.passage", { number: one.at + 1, total: one.source.citations.length })
        : "",
    ]
      .filter(Boolean)
      .join(", ");
  function go(by: number) {
    const next = all[place + by];
    if (!next) return;
    setSaid(t("evidence.said", { place: words(next), title: next.citation.title }));
    onStep(next.citation.index);
  }
  function onKey(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(by);
  }
  const where = placeOf(found?.index === citation.index ? { ...source, ...found } : source);
  const href = (gone === citation.index ? null : documentHref(citation)) ?? citation.url;
  return (
    <>
      <div className="flex items-start gap-2 border-line border-b px-4 py-2.5">
        <span className="mt-0.5 min-w-5 shrink-0 rounded-sm bg-accent-soft px-1 text-center font-medium font-mono text-accent-ink text-xs leading-5">
          {source.number}
        </span>
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="truncate font-medium text-sm">
            {citation.title}
          </h3>
          {where && (
            <p dir="auto" className="text-muted text-xs [overflow-wrap:anywhere]">
              {where}
            </p>
          )}
          <p className="text-muted text-xs">{words({ source, citation, at })}</p>
          <CitationAge citation={citation} />
        </div>
        {all.length > 1 && (
          <fieldset aria-label={t("evidence.steps")} onKeyDown={onKey} className="flex">
            <IconButton label={t("evidence.previous")} aria-disabled={place === 0} onClick={() => go(-1)}>
              <ChevronLeft aria-hidden className="size-4" />
            </IconButton>
            <IconButton
              label={t("evidence.next")}
              aria-disabled={place === all.length - 1}
              onClick={() => go(1)}
            >
              <ChevronRight aria-hidden className="size-4" />
            </IconButton>
          </fieldset>
        )}
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
      {explainIn ? (
        <Queries>
          <Excerpt
            key={citation.index}
            chatId={explainIn}
            messageId={message.id}
            citation={citation}
            onFound={setFound}
            onGone={setGone}
          />
        </Queries>
      ) : (
        <ScrollArea tabIndex={0} className="min-h-0 flex-1 p-4 text-sm leading-6">
          <CitedWords citation={citation} />
        </ScrollArea>
      )}
      {href && (
        <div className="border-line border-t px-4 py-2.5">
          <a
            href={href}
            {...(href === citation.url ? { target: "_blank", rel: "noopener noreferrer" } : {})}
            className="inline-flex items-center gap-1 font-medium text-accent-ink text-sm hover:underline"
          >
            {t(href === citation.url ? "evidence.original" : "evidence.document")}
            <ArrowUpRight aria-hidden className="size-3.5" />
          </a>
        </div>
      )}
    </>
  );
}

type FoundPages = QuotedPages & { index: number };

interface ExcerptProps {
  chatId: string;
  messageId: string;
  citation: Citation;
  onFound(pages: FoundPages): void;
  /** Called when the document no longer exists. */
  onGone(index: number): void;
}

function Excerpt({ chatId, messageId, citation, onFound, onGone }: ExcerptProps) {
  const { t } = useTranslation("passages");
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<"page" | "text" | "failed">("page");
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
      {hasPage && (
        <fieldset aria-label={t("evidence.view")} className="flex gap-1 border-line border-b px-3 py-1.5">
          {(["page", "text"] as const).map((name) => (
            <Button
              variant="bare"
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
              className="h-7 rounded-md px-2 font-medium text-muted text-xs hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            >
              {t(name === "page" ? "evidence.asPage" : "evidence.asText")}
            </Button>
          ))}
        </fieldset>
      )}
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
        text()
      )}
    </>
  );

  function text() {
    return (
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
          <>
            {excerpt.hasMoreBefore && <More />}
            {excerpt.page !== null && !excerpt.spans.some(({ kind }) => kind === "page") && (
              <p className="text-faint text-xs">{t("wholePage", { page: excerpt.page })}</p>
            )}
            <DocumentText
              content={excerpt.text}
              marks={excerpt.spans}
              tables={excerpt.tables}
              quote={excerpt.quote}
              compact
            />
            {excerpt.hasMoreAfter && <More />}
          </>
        ) : (
          <>
            <p className="mb-3 rounded-md bg-careful-soft px-3 py-2 text-careful">{t(`evidence.${state}`)}</p>
            <CitedWords citation={citation} />
          </>
        )}
      </ScrollArea>
    );
  }
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
