// A conversation with an agent: in the playground, on its public page, wherever one is shown.
import { Pencil } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatMessage, Citation } from "../browser/chat.ts";
import { useChat } from "../browser/use-chat.ts";
import { Composer } from "../components/chat/Composer.tsx";
import { Reply } from "../components/chat/Reply.tsx";

export interface ChatProps {
  agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] };
  /** The chat to go on with; null begins one with the first question. */
  chatId: string | null;
  channel: "web" | "playground";
  messages: ChatMessage[];
  /** Address of this page for a chat, with {chatId} in its place; null where the page has none for it. */
  address: string | null;
  /** Address of a team's source, with {sourceId} in its place; null for readers outside the team. */
  sourceAddress: string | null;
}

Chat.namespaces = ["chat", "errors"];

// The server cannot lay out; it would warn of an effect that it never runs.
const useBrowserLayoutEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;
const NEAR_END_PX = 80;

export function Chat({ agent, chatId, channel, messages: stored, address, sourceAddress }: ChatProps) {
  const { t } = useTranslation("chat");
  const onStart = useCallback(
    (id: string) => {
      if (address) history.replaceState(history.state, "", address.replace("{chatId}", id));
    },
    [address],
  );
  const chat = useChat({ agentId: agent.id, chatId, channel, messages: stored, onStart });
  const { messages, live, problem, stop } = chat;
  const [draft, setDraft] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);

  const documentHref = useCallback(
    ({ sourceId, documentId, quote }: Citation) =>
      sourceAddress && sourceId
        ? `${sourceAddress.replace("{sourceId}", sourceId)}/documents/${documentId}?${new URLSearchParams({ quote })}#quote`
        : null,
    [sourceAddress],
  );

  function send(text: string) {
    following.current = true;
    setDraft("");
    void chat.send(text);
  }

  // Scrolls with the reader: only somebody who is at the end is taken along.
  useBrowserLayoutEffect(() => {
    const element = scroller.current;
    if (element && following.current) element.scrollTop = element.scrollHeight;
  }, [messages, live]);

  const busy = live !== null;
  useEffect(() => {
    if (!busy) return;
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && void stop();
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [busy, stop]);

  const lastReply = messages.findLast(({ role }) => role === "assistant");
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-busy={busy}>
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label={t("conversation", { agentName: agent.name })}
        aria-busy={busy}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          following.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-6"
      >
        <div className="mx-auto flex max-w-2xl flex-col gap-6">
          {messages.length === 0 && !live && (
            <div className="pt-4">
              <p className="font-medium text-lg">
                {agent.greeting || t("greeting", { agentName: agent.name })}
              </p>
              <ul className="mt-5 flex flex-wrap gap-2">
                {agent.suggestedPrompts.map((prompt) => (
                  <li key={prompt}>
                    <button
                      type="button"
                      onClick={() => send(prompt)}
                      className="rounded-md border border-line bg-raised px-3 py-1.5 text-left text-sm transition-colors hover:bg-hover"
                    >
                      {prompt}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {messages.map((message) =>
            message.role === "user" ? (
              <Question key={message.id} content={message.content} onEdit={busy ? undefined : setDraft} />
            ) : (
              <div key={message.id} className="[content-visibility:auto] [contain-intrinsic-size:auto_12rem]">
                <Reply
                  content={message.content}
                  citations={message.citations}
                  message={message}
                  prefix={`${message.id}-`}
                  documentHref={documentHref}
                  onRate={chat.rate}
                  onRetry={!busy && message === lastReply ? chat.retry : undefined}
                />
              </div>
            ),
          )}
          {live && (
            <div data-live>
              {live.phase !== "writing" && (
                <p className="animate-pulse text-muted motion-reduce:animate-none" role="status">
                  {t(live.phase, { agentName: agent.name })}
                </p>
              )}
              {live.content && (
                <Reply
                  content={live.content}
                  citations={live.citations}
                  prefix="live-"
                  documentHref={documentHref}
                />
              )}
            </div>
          )}
          {problem && (
            <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft px-3 py-2">
              <p className="font-medium text-bad">{t(`errors:${problem}.title`)}</p>
              <button type="button" onClick={() => void chat.retry()} className="mt-1 text-sm underline">
                {t("retry")}
              </button>
            </div>
          )}
        </div>
      </div>
      <div className="mx-auto w-full max-w-2xl px-4 pb-4">
        <Composer
          agentName={agent.name}
          busy={busy}
          value={draft}
          onChange={setDraft}
          onSend={() => send(draft)}
          onStop={() => void stop()}
        />
      </div>
    </div>
  );
}

function Question({ content, onEdit }: { content: string; onEdit?(content: string): void }) {
  const { t } = useTranslation("chat");
  return (
    <div className="group flex items-start justify-end gap-1">
      {onEdit && (
        <button
          type="button"
          aria-label={t("edit")}
          onClick={() => onEdit(content)}
          className="mt-1 grid size-7 place-items-center rounded-md text-faint opacity-0 transition-opacity hover:bg-hover focus-visible:opacity-100 group-hover:opacity-100"
        >
          <Pencil aria-hidden className="size-3.5" />
        </button>
      )}
      <p className="max-w-[85%] whitespace-pre-wrap break-words rounded-lg bg-hover px-3.5 py-2 leading-6">
        {content}
      </p>
    </div>
  );
}
