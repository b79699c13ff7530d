// What a reader can do with a reply: copy, ask again, rate with an optional word, see why.
import { RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "#translations";
import type { Feedback, Rating } from "../../browser/chat.ts";
import { showToast } from "../../browser/page.ts";
import { Button } from "../Button.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { IconButton } from "../IconButton.tsx";
import { Input } from "../Input.tsx";

const look = "aria-pressed:bg-accent-soft aria-pressed:text-accent-ink [&_svg]:size-3.5";

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
  return (
    <div className="-ml-1.5 mt-2 flex flex-wrap items-center gap-0.5">
      <CopyButton text={content} label={t("copy")} copied={t("copied")} className="[&_svg]:size-3.5" />
      {onRetry && (
        <IconButton label={t("retry")} onClick={() => void onRetry()} className={look}>
          <RotateCcw aria-hidden />
        </IconButton>
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
      <IconButton
        label={good}
        aria-pressed={rating === "up"}
        onClick={() => void rate("up")}
        className={look}
      >
        <ThumbsUp aria-hidden />
      </IconButton>
      <IconButton
        label={bad}
        aria-pressed={rating === "down"}
        onClick={() => void rate("down")}
        className={look}
      >
        <ThumbsDown aria-hidden />
      </IconButton>
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
          <Input
            name="comment"
            dir="auto"
            aria-label={t("comment")}
            placeholder={t("comment")}
            maxLength={2000}
            className="h-8 min-w-0 flex-1"
          />
          <Button>{t("sendComment")}</Button>
        </form>
      )}
    </>
  );
}
