// What a reader can do with a reply: copy, ask again, rate with an optional word, see why.
import { Check, Copy, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "#translations";
import type { Feedback, Rating } from "../../browser/chat.ts";
import { showToast } from "../../browser/page.ts";

const action =
  "grid size-8 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink [&_svg]:size-3.5";

export interface ReplyActionsProps {
  content: string;
  feedback: Feedback | null;
  onRate?(rating: Rating | null, comment?: string): Promise<void>;
  onRetry?(): Promise<void>;
  /** Further actions. */
  children?: ReactNode;
}

export function ReplyActions({ content, feedback, onRate, onRetry, children }: ReplyActionsProps) {
  const { t } = useTranslation("chat");
  const [copied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(content);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }

  return (
    <div className="-ml-1.5 mt-2 flex flex-wrap items-center gap-0.5">
      <button
        type="button"
        className={action}
        aria-label={copied ? t("copied") : t("copy")}
        title={t("copy")}
        onClick={() => void copy()}
      >
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </button>
      {onRetry && (
        <button
          type="button"
          className={action}
          aria-label={t("retry")}
          title={t("retry")}
          onClick={() => void onRetry()}
        >
          <RotateCcw aria-hidden />
        </button>
      )}
      {onRate && <Thumbs feedback={feedback} onRate={onRate} good={t("good")} bad={t("bad")} />}
      {children}
    </div>
  );
}

export interface ThumbsProps {
  feedback: Feedback | null;
  onRate(rating: Rating | null, comment?: string): Promise<void>;
  /** What a thumb up and a thumb down say. */
  good: string;
  bad: string;
}

/** Thumbs, and room for a word after either. */
export function Thumbs({ feedback, onRate, good, bad }: ThumbsProps) {
  const { t } = useTranslation("chat");
  const [asking, setAsking] = useState(false);
  const rating = feedback?.rating ?? null;

  async function rate(next: Rating) {
    const value = rating === next ? null : next;
    setAsking(value !== null);
    await onRate(value);
    // What was said with it goes too.
    const comment = feedback?.comment;
    if (comment && rating) {
      showToast({ title: t("ratingRemoved"), undo: () => void onRate(rating, comment) });
    }
  }
  async function onComment(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const comment = String(new FormData(event.currentTarget).get("comment") ?? "").trim();
    setAsking(false);
    if (comment && rating) await onRate(rating, comment);
  }

  return (
    <>
      <button
        type="button"
        className={action}
        aria-label={good}
        title={good}
        aria-pressed={rating === "up"}
        onClick={() => void rate("up")}
      >
        <ThumbsUp aria-hidden />
      </button>
      <button
        type="button"
        className={action}
        aria-label={bad}
        title={bad}
        aria-pressed={rating === "down"}
        onClick={() => void rate("down")}
      >
        <ThumbsDown aria-hidden />
      </button>
      {asking && (
        <form
          onSubmit={(event) => void onComment(event)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            setAsking(false);
          }}
          className="order-last mt-1 flex w-full max-w-md gap-2 pl-1.5"
        >
          <input
            name="comment"
            dir="auto"
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
    </>
  );
}
