// A chat's summary: read, written by hand or by the model, and cleared.
import { Sparkles } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "#translations";
import { showToast } from "../../client/page.ts";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { type ChatDetails, setSummary, summariseChat } from "./chat-details.ts";

export interface ChatSummaryProps {
  chat: ChatDetails;
  /** Resolves to whether the change was saved. */
  change(work: () => Promise<Partial<ChatDetails>>): Promise<boolean>;
}

export function ChatSummary({ chat, change }: ChatSummaryProps) {
  const { t } = useTranslation("chat");
  const unsaved = unsavedText(`summary:${chat.id}`);
  const [editing, setEditing] = useState(() => unsaved.read() !== null);
  const [busy, setBusy] = useState(false);
  const { summary } = chat;
  const opener = useFocusReturn(`${editing} ${summary === null}`);
  const stopEditing = () => {
    unsaved.drop();
    setEditing(false);
  };

  async function run(work: () => Promise<Partial<ChatDetails>>) {
    if (busy) return;
    setBusy(true);
    const isSaved = await change(work);
    setBusy(false);
    if (isSaved) stopEditing();
  }
  async function onSave(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("summary") ?? "").trim();
    await run(async () => {
      if (text || summary !== null) await setSummary(chat, text || null);
      return { summary: text || null };
    });
  }
  async function clear(text: string) {
    await run(async () => {
      await setSummary(chat, null);
      showToast({ title: t("summaryCleared"), undo: () => void putBack(text) });
      return { summary: null };
    });
  }
  const putBack = (text: string) =>
    change(async () => {
      await setSummary(chat, text);
      return { summary: text };
    });
  const make = () => void run(async () => ({ summary: await summariseChat(chat) }));

  return (
    <section aria-label={t("summary")} aria-busy={busy} className="max-w-2xl pt-1 pb-2 text-sm">
      {editing ? (
        <form onSubmit={(event) => void onSave(event)}>
          <Textarea
            name="summary"
            dir="auto"
            autoFocus
            defaultValue={unsaved.read() ?? summary ?? ""}
            onChange={({ target }) => unsaved.write(target.value)}
            maxLength={10_000}
            rows={4}
            aria-label={t("summary")}
          />
          <div className="mt-2 flex gap-2">
            <Button variant="primary" aria-disabled={busy}>
              {t("save")}
            </Button>
            <Button type="button" variant="ghost" onClick={stopEditing}>
              {t("cancel")}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <p dir="auto" className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
            {summary ?? t("noSummary")}
          </p>
          <div className="-ml-2 mt-1 flex flex-wrap gap-1">
            <Button
              type="button"
              variant="ghost"
              aria-disabled={busy}
              onClick={make}
              icon={<Sparkles aria-hidden className="size-3.5" />}
            >
              {busy ? t("summarising") : summary === null ? t("summarise") : t("summariseAgain")}
            </Button>
            <Button
              ref={opener}
              type="button"
              variant="ghost"
              aria-disabled={busy}
              onClick={() => !busy && setEditing(true)}
            >
              {summary === null ? t("writeSummary") : t("editSummary")}
            </Button>
            {summary !== null && (
              <Button type="button" variant="ghost" aria-disabled={busy} onClick={() => void clear(summary)}>
                {t("clearSummary")}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  );
}
