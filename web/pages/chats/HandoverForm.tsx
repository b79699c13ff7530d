// Asks a person of the team: the address and the consent, and a message.
import { Mail } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { refusedFields, sendApi, wordsOf } from "../../client/call-api.ts";
import { unsavedText } from "../../client/unsaved-text.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import type { HandoverState } from "./Handover.tsx";

const FIELDS = ["email", "message"] as const;

export interface HandoverFormProps {
  chatId: string;
  needsEmail: boolean;
  onDone(handover: NonNullable<HandoverState["handover"]>): void;
  onCancel(): void;
}

export function HandoverForm({ chatId, needsEmail, onDone, onCancel }: HandoverFormProps) {
  const { t } = useTranslation("chat");
  const id = useId();
  const shown = useRef<HTMLFormElement>(null);
  // The form opens at the end of the chat, where the focus alone would leave its button below the edge.
  useEffect(() => {
    shown.current?.scrollIntoView({ block: "nearest" });
  }, []);
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
      ref={shown}
      aria-label={t("handover.ask")}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onCancel();
      }}
      className="scroll-my-4 space-y-3 rounded-md border border-line bg-sunken p-4"
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
            autoFocus={!needsEmail}
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
