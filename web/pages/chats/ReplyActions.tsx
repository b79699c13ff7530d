// The actions of a reply: copy, ask again, rate with an optional comment, see why.
import { RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { showToast } from "../../client/page.ts";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Input } from "../../ui/Input.tsx";
import type { Feedback, Rating } from "./chat.ts";

const look = "aria-pressed:bg-accent-soft aria-pressed:text-accent-ink [&_svg]:size-3.5";

export interface ReplyActionsProps {
  messageId: string;
  content: string;
  feedback: Feedback | null;
  /** Resolves to whether the rating was saved. */
  onRate?(rating: Rating | null, comment?: string): Promise<boolean>;
  onRetry?(): Promise<void>;
  /** Further actions. */
  children?: ReactNode;
}

export function ReplyActions({ messageId, content, feedback, onRate, onRetry, children }: ReplyActionsProps) {
  const { t } = useTranslation("chat");
  return (
    <div data-off-paper className="-ml-1.5 mt-2 flex flex-wrap items-center gap-0.5">
      <CopyButton text={content} label={t("copy")} copied={t("copied")} className="[&_svg]:size-3.5" />
      {onRetry && (
        <IconButton label={t("retry")} onClick={() => void onRetry()} className={look}>
          <RotateCcw aria-hidden />
        </IconButton>
      )}
      {onRate && (
        <Thumbs about={messageId} feedback={feedback} onRate={onRate} good={t("good")} bad={t("bad")} />
      )}
      {children}
    </div>
  );
}

export interface ThumbsProps {
  /** The id of the rated chat or message. */
  about: string;
  feedback: Feedback | null;
  onRate(rating: Rating | null, comment?: string): Promise<boolean>;
  /** The labels of thumbs up and thumbs down. */
  good: string;
  bad: string;
}

/** Thumbs, and a field for a comment after either. */
export function Thumbs({ about, feedback, onRate, good, bad }: ThumbsProps) {
  const { t } = useTranslation("chat");
  const [asking, setAsking] = useState(false);
  const unsaved = unsavedText(`comment:${about}`);
  const stopAsking = () => {
    unsaved.drop();
    setAsking(false);
  };
  // A comment whose writing a reload or another page interrupted.
  useEffect(() => {
    if (unsavedText(`comment:${about}`).read() !== null) setAsking(true);
  }, [about]);
  const rating = feedback?.rating ?? null;
  const thumb = useFocusReturn(asking);

  async function rate(next: Rating) {
    const value = rating === next ? null : next;
    setAsking(value !== null);
    await onRate(value);
    // Removing the rating removes its comment too.
    const comment = feedback?.comment;
    if (comment && rating) {
      showToast({ title: t("ratingRemoved"), undo: () => void onRate(rating, comment) });
    }
  }
  async function onComment(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const comment = String(new FormData(event.currentTarget).get("comment") ?? "").trim();
    if (!comment || !rating || (await onRate(rating, comment))) stopAsking();
  }

  return (
    <>
      <IconButton
        ref={rating === "up" ? thumb : undefined}
        label={good}
        aria-pressed={rating === "up"}
        onClick={() => void rate("up")}
        className={look}
      >
        <ThumbsUp aria-hidden />
      </IconButton>
      <IconButton
        ref={rating === "down" ? thumb : undefined}
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
            stopAsking();
          }}
          className="order-last mt-1 flex w-full max-w-md gap-2 pl-1.5"
        >
          <Input
            name="comment"
            dir="auto"
            aria-label={t("comment")}
            placeholder={t("comment")}
            maxLength={2000}
            defaultValue={unsaved.read() ?? undefined}
            onChange={({ target }) => unsaved.write(target.value)}
            className="h-8 min-w-0 flex-1"
          />
          <Button>{t("sendComment")}</Button>
        </form>
      )}
    </>
  );
}
