// What a reply rests on, beside the conversation: each source in its document, and why the reply is what it is. Loaded when it is first
// opened.
import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useTranslation } from "#translations";
import type { ChatMessage, Citation } from "../../browser/chat.ts";
import type { EvidenceControl, EvidenceTab, ShownEvidence } from "../../browser/use-evidence.ts";
import { SourceInDocument } from "./SourceInDocument.tsx";
import { Why } from "./Why.tsx";

export interface EvidencePaneProps {
  /** The chat of the reply, for readers who may see its documents and why it is what it is; null for others. */
  explainIn: string | null;
  message: Pick<ChatMessage, "id" | "citations">;
  shown: ShownEvidence;
  control: EvidenceControl;
  documentHref(citation: Citation): string | null;
}

const TABS: EvidenceTab[] = ["sources", "why"];

export function EvidencePane({ explainIn, message, shown, control, documentHref }: EvidencePaneProps) {
  const { t } = useTranslation("passages");
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const tabs = explainIn ? TABS.filter((tab) => tab === "why" || message.citations.length > 0) : [];
  const { tab } = shown;

  // What was opened is what is read next; a step to another source leaves the focus on its button.
  const { messageId } = shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another reply's evidence is opened
  useEffect(() => heading.current?.focus({ preventScroll: true }), [messageId]);

  function onTabKey(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -TABS.length, End: TABS.length }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = Math.min(tabs.length - 1, Math.max(0, tabs.indexOf(tab) + step));
    const next = tabs[at];
    if (!next) return;
    control.show({ ...shown, tab: next });
    document.getElementById(`${id}-${next}`)?.focus();
  }

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-12 items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className={tabs.length > 1 ? "sr-only" : "flex-1 font-medium outline-none"}
        >
          {t(tabs.length > 1 ? "evidence.title" : tab === "why" ? "title" : "evidence.sources")}
        </h2>
        {tabs.length > 1 && (
          <div role="tablist" aria-label={t("evidence.title")} className="flex min-w-0 flex-1 gap-1">
            {tabs.map((name) => (
              <button
                key={name}
                id={`${id}-${name}`}
                type="button"
                role="tab"
                aria-selected={tab === name}
                aria-controls={`${id}-panel`}
                tabIndex={tab === name ? 0 : -1}
                onClick={() => control.show({ ...shown, tab: name })}
                onKeyDown={onTabKey}
                className="h-8 truncate rounded-md px-2.5 font-medium text-muted text-sm hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent-ink"
              >
                {t(name === "why" ? "title" : "evidence.sources")}
              </button>
            ))}
          </div>
        )}
        <button
          type="button"
          aria-label={t("evidence.close")}
          data-tooltip={t("evidence.close")}
          onClick={control.close}
          className="icon-button"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <div
        id={`${id}-panel`}
        className="flex min-h-0 flex-1 flex-col"
        {...(tabs.length > 1 ? { role: "tabpanel", "aria-labelledby": `${id}-${tab}` } : {})}
      >
        {tab === "why" && explainIn ? (
          <Why key={message.id} chatId={explainIn} messageId={message.id} />
        ) : (
          <SourceInDocument
            key={message.id}
            explainIn={explainIn}
            message={message}
            index={shown.index}
            onStep={(index) => control.show({ ...shown, index })}
            documentHref={documentHref}
          />
        )}
      </div>
    </div>
  );
}
