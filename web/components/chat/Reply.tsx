// One reply: its words with their marks, the passages under it, and what a reader can do with it.
import { Check, Copy, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { type FormEvent, memo, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatMessage, Citation, Rating } from "../../browser/chat.ts";
import { Markdown } from "../Markdown.tsx";
import { Sources } from "./Sources.tsx";

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
}

export const Reply = memo(function Reply(props: ReplyProps) {
  const { content, citations, message, prefix, documentHref } = props;
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState<number | null>(null);
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
  return (
    <article aria-label={t("reply")} className="group leading-6">
      <Markdown text={content} mark={mark} />
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
      {message && <ReplyActions {...props} message={message} />}
    </article>
  );
});

const action =
  "grid size-7 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink [&_svg]:size-3.5";

function ReplyActions({ content, message, onRate, onRetry }: ReplyProps & { message: ChatMessage }) {
  const { t } = useTranslation("chat");
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const rating = message.feedback?.rating ?? null;

  async function copy() {
    await navigator.clipboard.writeText(content);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  async function rate(next: Rating) {
    const value = rating === next ? null : next;
    setAsking(value !== null);
    await onRate?.(message.id, value);
  }
  async function onComment(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const comment = String(new FormData(event.currentTarget).get("comment") ?? "").trim();
    setAsking(false);
    if (comment && rating) await onRate?.(message.id, rating, comment);
  }

  return (
    <div className="mt-2">
      <div className="-ml-1.5 flex items-center gap-0.5">
        <button
          type="button"
          className={action}
          aria-label={copied ? t("copied") : t("copy")}
          onClick={() => void copy()}
        >
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        </button>
        {onRetry && (
          <button type="button" className={action} aria-label={t("retry")} onClick={() => void onRetry()}>
            <RotateCcw aria-hidden />
          </button>
        )}
        {onRate && (
          <>
            <button
              type="button"
              className={action}
              aria-label={t("good")}
              aria-pressed={rating === "up"}
              onClick={() => void rate("up")}
            >
              <ThumbsUp aria-hidden />
            </button>
            <button
              type="button"
              className={action}
              aria-label={t("bad")}
              aria-pressed={rating === "down"}
              onClick={() => void rate("down")}
            >
              <ThumbsDown aria-hidden />
            </button>
          </>
        )}
      </div>
      {asking && (
        <form onSubmit={(event) => void onComment(event)} className="mt-1 flex max-w-md gap-2">
          <input
            name="comment"
            aria-label={t("comment")}
            placeholder={t("comment")}
            maxLength={2000}
            className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-ground px-2.5 text-sm"
          />
          <button
            type="submit"
            className="h-8 rounded-md border border-line px-3 font-medium text-sm hover:bg-hover"
          >
            {t("sendComment")}
          </button>
        </form>
      )}
    </div>
  );
}
