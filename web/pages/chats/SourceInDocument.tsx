// One source of a reply: its position, the text around the quote with the quote marked, and links to the previous and
// next source.
import { ArrowUpRight, ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "#translations";
import { Queries } from "../../client/queries.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { CitationAge } from "./CitationAge.tsx";
import { CitedWords } from "./CitedWords.tsx";
import type { ChatMessage, Citation } from "./chat.ts";
import { citedSources } from "./cited-sources.ts";
import { type FoundPages, SourceExcerpt } from "./SourceExcerpt.tsx";
import { usePlaceWords } from "./use-place-words.ts";

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
          <SourceExcerpt
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
