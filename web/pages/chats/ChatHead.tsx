// The header of a chat: its title, its summary, and its feedback. Each can be edited in place.
import { AlignLeft, Pencil, Sparkles } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { failureToast } from "../../client/call-api.ts";
import { showToast } from "../../client/page.ts";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Input } from "../../ui/Input.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { ChatTop, type ChatTopProps } from "./ChatTop.tsx";
import type { Rating } from "./chat.ts";
import {
  type ChatDetails,
  nameChat,
  rateChat,
  readDetails,
  setSummary,
  summariseChat,
} from "./chat-details.ts";
import { Thumbs } from "./ReplyActions.tsx";

export interface ChatHeadProps {
  chatId: string;
  /** The server's details; null for a chat that has just started. */
  details: ChatDetails | null;
  /** The id of the first question. Another one may have named the chat, so the details are read again. */
  firstQuestion: string | undefined;
  /** Another person's chat: it can be named and summarised, but not rated. */
  readOnly: boolean;
  /** The header that contains it; absent when it is a header of its own. */
  top?: ChatTopProps;
  /** Content before and after its own row. */
  before?: ReactNode;
  after?: ReactNode;
}

export function ChatHead({ chatId, details, firstQuestion, readOnly, top, before, after }: ChatHeadProps) {
  const { t } = useTranslation("chat");
  const [chat, setChat] = useState(details);
  const [named] = useState(firstQuestion);
  const [naming, setNaming] = useState(false);
  const [open, setOpen] = useState(false);
  const renamer = useFocusReturn(naming);

  useEffect(() => {
    // Ids grow: an earlier page of the chat brings smaller ones.
    if (details && (firstQuestion ?? "") <= (named ?? "")) return;
    let current = true;
    readDetails(chatId)
      .then((read) => current && setChat(read))
      // The chat works without its details.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [chatId, details, firstQuestion, named]);
  const id = chat?.id;
  // A title or a summary whose writing a reload, a login or another page interrupted.
  useEffect(() => {
    if (!id) return;
    if (unsavedText(`title:${id}`).read() !== null) setNaming(true);
    if (unsavedText(`summary:${id}`).read() !== null) setOpen(true);
  }, [id]);
  if (!chat) {
    return top ? (
      <ChatTop {...top}>
        {before}
        {after}
      </ChatTop>
    ) : null;
  }

  /** @returns whether the change was saved */
  async function change(work: () => Promise<Partial<ChatDetails>>): Promise<boolean> {
    try {
      const part = await work();
      setChat((now) => now && { ...now, ...part });
      return true;
    } catch (error) {
      showToast(failureToast(error, t));
      return false;
    }
  }
  async function rate(rating: Rating | null, comment?: string) {
    if (!chat) return false;
    return await change(async () => {
      await rateChat(chat, rating, comment);
      return { feedback: rating && { rating, comment: comment ?? null } };
    });
  }
  const unsaved = unsavedText(`title:${chat.id}`);
  const stopNaming = () => {
    unsaved.drop();
    setNaming(false);
  };
  async function onName(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title") ?? "").trim();
    const isNew = chat && title && title !== chat.title;
    if (!isNew || (await change(async () => ({ title: await nameChat(chat, title) })))) stopNaming();
  }

  const title = naming ? (
    <form onSubmit={(event) => void onName(event)} className="flex min-w-0 flex-1 gap-2">
      <Input
        name="title"
        dir="auto"
        autoFocus
        defaultValue={unsaved.read() ?? chat.title}
        onChange={({ target }) => unsaved.write(target.value)}
        maxLength={200}
        aria-label={t("titleLabel")}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // Outside the field Escape stops a reply.
          event.preventDefault();
          stopNaming();
        }}
        className="h-8 min-w-0 flex-1"
      />
      <Button>{t("save")}</Button>
    </form>
  ) : (
    <h2
      dir="auto"
      className={`truncate text-left text-sm ${top ? "text-muted" : "min-w-0 flex-[1_1_7rem] font-medium"}`}
    >
      {chat.title || t("untitled")}
    </h2>
  );
  const actions = (
    <>
      {!naming && (
        <IconButton ref={renamer} label={t("rename")} onClick={() => setNaming(true)}>
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      <Button
        type="button"
        variant="ghost"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        icon={<AlignLeft aria-hidden className="size-3.5" />}
        className="shrink-0 aria-expanded:bg-hover aria-expanded:text-ink"
      >
        <span className="max-sm:sr-only">{t("summary")}</span>
      </Button>
      {!readOnly && (
        <Thumbs
          feedback={chat.feedback}
          good={t("goodChat")}
          bad={t("badChat")}
          about={chat.id}
          onRate={(rating, comment) => rate(rating, comment)}
        />
      )}
    </>
  );
  const summary = open && <Summary chat={chat} change={change} />;
  if (top) {
    return (
      <>
        <ChatTop {...top} line={title}>
          {before}
          {actions}
          {after}
        </ChatTop>
        {summary && <div className="border-line border-b px-4">{summary}</div>}
      </>
    );
  }
  return (
    <div className="px-4 pb-1">
      <div className="flex flex-wrap items-center gap-x-1">
        {before}
        {title}
        {actions}
        {after}
      </div>
      {summary}
    </div>
  );
}

interface SummaryProps {
  chat: ChatDetails;
  /** Resolves to whether the change was saved. */
  change(work: () => Promise<Partial<ChatDetails>>): Promise<boolean>;
}

function Summary({ chat, change }: SummaryProps) {
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
