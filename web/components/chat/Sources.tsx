// The passages a reply rests on. A mark [n] opens its passage here; "in the document" leads to the whole.
import { ArrowUpRight, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Citation } from "../../browser/chat.ts";

export interface SourcesProps {
  citations: Citation[];
  /** Makes the ids unique on the page. */
  prefix: string;
  /** Index of the passage that is open. */
  open: number | null;
  onToggle(index: number | null): void;
  /** Address of a cited document; null where the reader may not open it. */
  documentHref(citation: Citation): string | null;
}

export function Sources({ citations, prefix, open, onToggle, documentHref }: SourcesProps) {
  const { t } = useTranslation("chat");
  return (
    <section aria-label={t("sources")} className="mt-3">
      <ol className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {citations.map((citation) => {
          const { index, title, quote, url } = citation;
          const href = documentHref(citation) ?? url;
          const isOpen = open === index;
          return (
            <li
              key={index}
              id={`${prefix}source-${String(index)}`}
              className={isOpen ? "bg-accent-soft" : ""}
            >
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => onToggle(isOpen ? null : index)}
                className="flex w-full items-center gap-2 px-3 py-2 text-left text-sm hover:bg-hover"
              >
                <span className="font-mono text-muted text-xs">{index}</span>
                <span className="min-w-0 flex-1 truncate">{title}</span>
                <ChevronRight
                  aria-hidden
                  className={`size-4 text-faint transition-transform ${isOpen ? "rotate-90" : ""}`}
                />
              </button>
              {isOpen && (
                <div className="px-3 pb-3 pl-7 text-sm">
                  <blockquote className="whitespace-pre-wrap text-ink">{quote}</blockquote>
                  {href && (
                    <a
                      href={href}
                      {...(href === url ? { target: "_blank", rel: "noopener noreferrer" } : {})}
                      className="mt-2 inline-flex items-center gap-1 font-medium text-accent-ink hover:underline"
                    >
                      {t("openDocument")}
                      <ArrowUpRight aria-hidden className="size-3.5" />
                    </a>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
