// The evidence of a reply, next to the chat: each source in its document, and the passages behind the reply. Loaded
// when it is first opened.
import { X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "#translations";
import { IconButton } from "../../ui/IconButton.tsx";
import { TabList, tabPanel } from "../../ui/TabList.tsx";
import type { ChatMessage, Citation } from "./chat.ts";
import { SourceInDocument } from "./SourceInDocument.tsx";
import type { EvidenceControl, EvidenceTab, ShownEvidence } from "./use-evidence.ts";
import { Why } from "./Why.tsx";

export interface EvidencePaneProps {
  /** The reply's chat, for readers who may see its documents and passages; null for others. */
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

  // Opening the pane moves focus to it; stepping to another source keeps focus on its button.
  const { messageId } = shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another reply's evidence is opened
  useEffect(() => heading.current?.focus({ preventScroll: true }), [messageId]);

  const panelId = `${id}-panel`;
  const labels = { why: t("title"), sources: t("evidence.sources") };

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-12 items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className={tabs.length > 1 ? "sr-only" : "flex-1 font-medium outline-none"}
        >
          {tabs.length > 1 ? t("evidence.title") : labels[tab]}
        </h2>
        {tabs.length > 1 && (
          <TabList
            label={t("evidence.title")}
            tabs={tabs.map((name) => ({ name, label: labels[name] }))}
            chosen={tab}
            onChoose={(name) => control.show({ ...shown, tab: name })}
            panelId={panelId}
            className="min-w-0 flex-1"
          />
        )}
        <IconButton label={t("evidence.close")} onClick={control.close}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div className="flex min-h-0 flex-1 flex-col" {...(tabs.length > 1 ? tabPanel(panelId, tab) : {})}>
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
