// The sources of a reply by document, each with its section. Each opens next to the chat.
import { FileText } from "lucide-react";
import { useTranslation } from "#translations";
import { Button } from "../../ui/Button.tsx";
import { InlineText } from "../../ui/InlineText.tsx";
import { type CitedSource, groupByDocument } from "./cited-sources.ts";
import { useEvidence } from "./use-evidence.ts";
import { usePlaceWords } from "./use-place-words.ts";

export interface SourcesProps {
  /** The stored reply; undefined while it is being written, when nothing can be opened yet. */
  messageId: string | undefined;
  sources: CitedSource[];
}

export function Sources({ messageId, sources }: SourcesProps) {
  const { t } = useTranslation("chat");
  const placeOf = usePlaceWords();
  const { shown, show } = useEvidence();
  const isShown = ({ citations }: CitedSource) =>
    shown !== null &&
    shown.messageId === messageId &&
    shown.tab === "sources" &&
    citations.some(({ index }) => index === shown.index);
  const button = (source: CitedSource, words: string) => (
    <Button
      variant="bare"
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isShown(source)}
      disabled={!messageId}
      aria-label={[t("mark", { index: source.number, title: source.title }), placeOf(source)]
        .filter(Boolean)
        .join(", ")}
      onClick={({ currentTarget }) =>
        messageId &&
        show({ messageId, tab: "sources", index: source.citations[0]?.index ?? null }, currentTarget)
      }
      className="flex w-full min-w-0 items-baseline gap-2 rounded-sm px-2 py-1 text-left text-sm hover:bg-hover aria-expanded:bg-accent-soft"
    >
      <span className="min-w-5 shrink-0 rounded-sm bg-accent-soft px-1 text-center font-medium font-mono text-accent-ink text-xs leading-5">
        {source.number}
      </span>
      <span dir="auto" className="min-w-0 truncate">
        <InlineText text={words} />
      </span>
    </Button>
  );
  return (
    <section aria-label={t("sources")} className="mt-3 rounded-md border border-line p-1.5">
      <ul className="grid gap-1">
        {groupByDocument(sources).map(({ documentId, title, sources: own }) => {
          return (
            <li key={documentId} className="min-w-0">
              <p dir="auto" className="flex items-center gap-2 px-2 pt-0.5 font-medium text-sm">
                <FileText aria-hidden className="size-3.5 shrink-0 text-muted" />
                <span className="truncate">{title}</span>
              </p>
              <ul className="mt-0.5 grid gap-px">
                {own.map((source) => (
                  <li key={source.number} className="min-w-0 text-muted">
                    {button(source, placeOf(source) || firstWords(source))}
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Distinguishes a source without a section. */
const firstWords = ({ citations: [first] }: CitedSource): string =>
  (first?.table?.rows[0]?.filter(Boolean).join(" · ") ?? first?.quote ?? "").slice(0, 200);
