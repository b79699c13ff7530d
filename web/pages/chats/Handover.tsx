// The handover from a chat to a person: offered prominently when the agent found nothing or did not help, and quietly
// otherwise; a form for the address and the consent; then its status. Polls while an answer may still arrive.
import { Mail, UserRound } from "lucide-react";
import { type FormEvent, useEffect, useId, useState } from "react";
import { useTranslation } from "#translations";
import type { AnswerOf } from "../../client/api-calls.ts";
import { getApi, refusedFields, sendApi, wordsOf } from "../../client/call-api.ts";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import type { ChatState } from "./use-chat.ts";

type State = AnswerOf<"GET", "/v1/chats/{chatId}/handover">;

const lookEveryMs = 15_000;
const FIELDS = ["email", "message"] as const;

export interface HandoverProps {
  chatId: string;
  chat: ChatState;
}

/** Stays mounted while a reply is written, and keeps its space then. */
export function Handover({ chatId, chat }: HandoverProps) {
  const { t } = useTranslation("chat");
  const [state, setState] = useState<State | null>(null);
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
  if (!state.isOffered || problem) return null;
  if (asking) {
    return (
      <HandoverForm
        chatId={chatId}
        needsEmail={state.needsEmail}
        onDone={(handover) => {
          stopAsking();
          setState({ ...state, handover });
        }}
        onCancel={stopAsking}
      />
    );
  }
  // As high as the offer that follows, so that nothing moves when the reply ends.
  if (live || !last) return <div className="min-h-16" />;
  const isPressing = last.support?.state === "notFound" || last.feedback?.rating === "down";
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
      <p className="text-sm">{t("handover.offer")}</p>
      {button}
    </div>
  );
}

interface HandoverFormProps {
  chatId: string;
  needsEmail: boolean;
  onDone(handover: NonNullable<State["handover"]>): void;
  onCancel(): void;
}

function HandoverForm({ chatId, needsEmail, onDone, onCancel }: HandoverFormProps) {
  const { t } = useTranslation("chat");
  const id = useId();
  const unsaved = unsavedText(`handover:${chatId}`);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ title: string; description: string } | null>(null);
  const [refused, setRefused] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const email = String(form.get("email") ?? "").trim();
    const message = String(form.get("message") ?? "").trim();
    const body = { consent: true as const, ...(email ? { email } : {}), ...(message ? { message } : {}) };
    setBusy(true);
    setFailure(null);
    setRefused({});
    try {
      onDone(await sendApi("POST", "/v1/chats/{chatId}/handover", { chatId }, body));
    } catch (error) {
      const errors = refusedFields(error, t, FIELDS);
      setRefused(errors ?? {});
      if (!errors) setFailure(wordsOf(error, t));
      setBusy(false);
    }
  }

  return (
    <form
      aria-label={t("handover.ask")}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onCancel();
      }}
      className="space-y-3 rounded-md border border-line bg-sunken p-4"
    >
      <p className="flex items-center gap-2 font-medium">
        <Mail aria-hidden className="size-4" />
        {t("handover.title")}
      </p>
      {needsEmail && (
        <Field id={`${id}email`} label={t("handover.email")} error={refused.email}>
          {(attributes) => (
            <Input
              {...attributes}
              name="email"
              type="email"
              autoComplete="email"
              required
              maxLength={254}
              autoFocus
            />
          )}
        </Field>
      )}
      <Field id={`${id}message`} label={t("handover.message")} error={refused.message}>
        {(attributes) => (
          <Textarea
            {...attributes}
            name="message"
            dir="auto"
            rows={3}
            maxLength={2000}
            defaultValue={unsaved.read() ?? undefined}
            onChange={({ target }) => unsaved.write(target.value)}
          />
        )}
      </Field>
      <label htmlFor={`${id}consent`} className="flex items-start gap-2.5 text-sm">
        <input id={`${id}consent`} type="checkbox" required className="mt-1" />
        <span>{t(needsEmail ? "handover.consent" : "handover.consentAccount")}</span>
      </label>
      {failure && (
        <p role="alert" className="text-bad text-sm">
          {failure.title} {failure.description}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" aria-disabled={busy}>
          {t("handover.send")}
        </Button>
        <Button type="button" variant="ghost" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
