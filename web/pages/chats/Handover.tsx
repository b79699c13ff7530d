// The handover from a chat to a person: offered prominently when the agent found nothing or did not help, and quietly
// otherwise; a form, which loads then; then its status. Polls while an answer may still arrive.
import { UserRound } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "#translations";
import type { AnswerOf } from "../../client/api-calls.ts";
import { getApi } from "../../client/call-api.ts";
import { lazyPart } from "../../client/lazy-part.tsx";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import type { ChatState } from "./use-chat.ts";

export type HandoverState = AnswerOf<"GET", "/v1/chats/{chatId}/handover">;

const HandoverForm = lazyPart(async () => (await import("./HandoverForm.tsx")).HandoverForm);

const lookEveryMs = 15_000;

export interface HandoverProps {
  chatId: string;
  chat: ChatState;
  /** Called once it is known what is offered, which then stands below the last message. */
  onShown(): void;
}

/** Stays mounted while a reply is written, and keeps its space then. */
export function Handover({ chatId, chat, onShown }: HandoverProps) {
  const { t } = useTranslation("chat");
  const [state, setState] = useState<HandoverState | null>(null);
  const [asking, setAsking] = useState(false);
  const opener = useFocusReturn(asking);
  const unsaved = unsavedText(`handover:${chatId}`);
  const stopAsking = () => {
    unsaved.drop();
    setAsking(false);
  };
  // A message whose writing a reload or another page interrupted.
  useEffect(() => {
    if (unsavedText(`handover:${chatId}`).read() !== null) setAsking(true);
  }, [chatId]);
  const { messages, live, problem, refresh } = chat;
  const last = messages.findLast(({ role, author }) => role === "assistant" && !author);

  useEffect(() => {
    let isOver = false;
    // When loading fails, nothing is offered.
    const read = async () => {
      const now = await getApi("/v1/chats/{chatId}/handover", { chatId }).catch(() => null);
      if (!isOver && now) setState(now);
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [chatId]);

  const isKnown = state !== null;
  useEffect(() => {
    if (isKnown) onShown();
  }, [isKnown, onShown]);

  const status = state?.handover?.status;
  const isWaiting = status === "open" || status === "answered";
  useEffect(() => {
    if (!isWaiting) return;
    const look = async () => {
      if (document.hidden) return;
      try {
        await refresh();
        setState(await getApi("/v1/chats/{chatId}/handover", { chatId }));
      } catch {
        // The next poll may succeed again.
      }
    };
    const timer = setInterval(() => void look(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isWaiting, chatId, refresh]);

  if (!state || (!last && !live)) return null;
  if (status === "open") {
    // The log around it announces it.
    return (
      <p className="flex items-start gap-2.5 rounded-md bg-accent-soft px-4 py-3 text-sm">
        <UserRound aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {state.handover?.email
            ? t("handover.openWithMail", { email: state.handover.email })
            : t("handover.open")}
        </span>
      </p>
    );
  }
  const closed = status === "closed" && !state.handover?.answeredAt && (
    <p className="text-sm">{t("handover.closed")}</p>
  );
  if (!state.isOffered || problem) return closed || null;
  if (asking) {
    return (
      <Suspense fallback={<div className="min-h-16" />}>
        <HandoverForm
          chatId={chatId}
          needsEmail={state.needsEmail}
          onDone={(handover) => {
            stopAsking();
            setState({ ...state, handover });
          }}
          onCancel={stopAsking}
        />
      </Suspense>
    );
  }
  // As high as the offer that follows, so that nothing moves when the reply ends.
  if (live || !last) return <div className="min-h-16" />;
  const isPressing = closed || last.support?.state === "notFound" || last.feedback?.rating === "down";
  const button = (
    <Button
      ref={opener}
      type="button"
      onClick={() => setAsking(true)}
      icon={<UserRound aria-hidden className="size-4" />}
    >
      {t("handover.ask")}
    </Button>
  );
  if (!isPressing) return <div className="flex min-h-16 items-start">{button}</div>;
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-4 py-3">
      {closed || <p className="text-sm">{t("handover.offer")}</p>}
      {button}
    </div>
  );
}
