// The header of a chat: its title, its summary, and its feedback. Each can be edited in place. The summary loads when it is opened.
import { AlignLeft, Pencil } from "lucide-react";
import { type FormEvent, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { failureToast } from "../../client/call-api.ts";
import { lazyPart } from "../../client/lazy-part.tsx";
import { showToast } from "../../client/page.ts";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Input } from "../../ui/Input.tsx";
import { ChatTop, type ChatTopProps } from "./ChatTop.tsx";
import type { Rating } from "./chat.ts";
import { type ChatDetails, nameChat, rateChat, readDetails } from "./chat-details.ts";
import { Thumbs } from "./ReplyActions.tsx";

const ChatSummary = lazyPart(async () => (await import("./ChatSummary.tsx")).ChatSummary);

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
  const { chat, change } = useDetails(chatId, details, firstQuestion);
  const [isNaming, setNaming] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const renamer = useFocusReturn(isNaming);
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

  async function rate(rating: Rating | null, comment?: string) {
    if (!chat) return false;
    return await change(async () => {
      await rateChat(chat, rating, comment);
      return { feedback: rating && { rating, comment: comment ?? null } };
    });
  }

  const title = isNaming ? (
    <TitleForm chat={chat} change={change} onEnd={() => setNaming(false)} />
  ) : (
    <h2
      dir="auto"
      className={`truncate text-left text-sm ${top ? "text-muted" : "min-w-0 flex-[1_1_5rem] font-medium"}`}
    >
      {chat.title || t("untitled")}
    </h2>
  );
  const actions = (
    <>
      {!isNaming && (
        <IconButton ref={renamer} label={t("rename")} onClick={() => setNaming(true)}>
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      <Button
        type="button"
        variant="ghost"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        icon={<AlignLeft aria-hidden className="size-3.5" />}
        className="shrink-0 aria-expanded:bg-hover aria-expanded:text-ink"
      >
        <span className="@max-md:sr-only">{t("summary")}</span>
      </Button>
      {!readOnly && (
        <Thumbs
          feedback={chat.feedback}
          good={t("goodChat")}
          bad={t("badChat")}
          about={chat.id}
          onRate={rate}
        />
      )}
    </>
  );
  const summary = isOpen && (
    <Suspense>
      <ChatSummary chat={chat} change={change} />
    </Suspense>
  );
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
    <div className="@container px-4 pb-1">
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

/** @returns whether the change was saved; a failure is told. */
type Change = (save: () => Promise<Partial<ChatDetails>>) => Promise<boolean>;

/** A chat's details, read when the server sent none or another question may have named the chat, and how to change them. */
function useDetails(chatId: string, details: ChatDetails | null, firstQuestion: string | undefined) {
  const { t } = useTranslation("chat");
  const [chat, setChat] = useState(details);
  const [named] = useState(firstQuestion);
  useEffect(() => {
    // Ids grow: an earlier page of the chat brings smaller ones.
    if (details && (firstQuestion ?? "") <= (named ?? "")) return;
    let isCurrent = true;
    readDetails(chatId)
      .then((read) => isCurrent && setChat(read))
      // The chat works without its details.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [chatId, details, firstQuestion, named]);

  const change: Change = async (save) => {
    try {
      const part = await save();
      setChat((now) => now && { ...now, ...part });
      return true;
    } catch (error) {
      showToast(failureToast(error, t));
      return false;
    }
  };
  return { chat, change };
}

function TitleForm({ chat, change, onEnd }: { chat: ChatDetails; change: Change; onEnd: () => void }) {
  const { t } = useTranslation("chat");
  const unsaved = unsavedText(`title:${chat.id}`);
  const stop = () => {
    unsaved.drop();
    onEnd();
  };
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title") ?? "").trim();
    const isNew = title && title !== chat.title;
    if (!isNew || (await change(async () => ({ title: await nameChat(chat, title) })))) stop();
  }
  return (
    <form onSubmit={(event) => void onSubmit(event)} className="flex min-w-0 flex-1 gap-2">
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
          stop();
        }}
        className="h-8 min-w-0 flex-1"
      />
      <Button>{t("save")}</Button>
    </form>
  );
}
