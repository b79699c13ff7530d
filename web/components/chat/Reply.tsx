// One reply: its words with their marks, the passages under it, and what a reader can do with it.
import { Telescope } from "lucide-react";
import { lazy, memo, Suspense, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatMessage, Citation, Rating } from "../../browser/chat.ts";
import { Markdown } from "../Markdown.tsx";
import { ReplyActions } from "./ReplyActions.tsx";
import { Sources } from "./Sources.tsx";

// Few readers open it: its code comes with the first who does.
const Why = lazy(() => import("./Why.tsx").then(({ Why: component }) => ({ default: component })));

export interface ReplyProps {
  content: string;
  citations: Citation[];
  /** The stored reply; undefined while it is being written. */
  message?: ChatMessage;
  /** Makes the ids unique on the page. */
  prefix: string;
  documentHref(citation: Citation): string | null;
  onRate?(messageId: string, rating: Rating | null, comment?: string): Promise<void>;
  /** Asks the same question again; only the last reply has it. */
  onRetry?(): Promise<void>;
  /** The chat in which readers may see what the reply was made from; absent for those who may not. */
  explainIn?: string;
}

export const Reply = memo(function Reply(props: ReplyProps) {
  const { content, citations, message, prefix, documentHref, onRate, onRetry, explainIn } = props;
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState<number | null>(null);
  const [explained, setExplained] = useState(false);
  const copyCode = useMemo(() => ({ copy: t("copyCode"), copied: t("copied") }), [t]);
  const mark = useCallback(
    (index: number, key: string) => {
      const citation = citations.find((one) => one.index === index);
      if (!citation) return message ? null : <sup key={key}>{index}</sup>;
      return (
        <sup key={key} className="mx-0.5">
          <button
            type="button"
            aria-label={t("mark", { index, title: citation.title })}
            aria-controls={`${prefix}source-${String(index)}`}
            onClick={() => setOpen((now) => (now === index ? null : index))}
            className="min-w-5 rounded-sm bg-accent-soft px-1 font-medium font-mono text-accent-ink text-xs leading-5 hover:bg-accent hover:text-on-accent"
          >
            {index}
          </button>
        </sup>
      );
    },
    [citations, message, prefix, t],
  );
  const ended = message && message.status !== "streaming";
  return (
    <article aria-label={t("reply")} className="leading-6">
      <Markdown text={content} mark={mark} copyCode={copyCode} />
      {message?.status === "stopped" && <p className="mt-2 text-muted text-sm">{t("stopped")}</p>}
      {message?.status === "failed" && <p className="mt-2 text-bad text-sm">{t("broken")}</p>}
      {citations.length > 0 && (
        <Sources
          citations={citations}
          prefix={prefix}
          open={open}
          onToggle={setOpen}
          documentHref={documentHref}
        />
      )}
      {ended && (
        <ReplyActions
          content={content}
          feedback={message.feedback}
          onRate={onRate && ((rating, comment) => onRate(message.id, rating, comment))}
          onRetry={onRetry}
        >
          {explainIn && (
            <button
              type="button"
              aria-expanded={explained}
              onClick={() => setExplained(!explained)}
              className="flex h-8 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
            >
              <Telescope aria-hidden className="size-3.5" />
              {t("why")}
            </button>
          )}
        </ReplyActions>
      )}
      {ended && explained && explainIn && (
        <Suspense fallback={<div className="skeleton mt-2 h-24" />}>
          <Why chatId={explainIn} messageId={message.id} />
        </Suspense>
      )}
    </article>
  );
});
