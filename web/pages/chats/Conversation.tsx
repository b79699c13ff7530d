// The messages of a chat: the newest page first, older ones as the reader scrolls up, and the reply that is being
// written. Follows new text only while the reader is at the end.
import { ArrowDown } from "lucide-react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { Handover } from "./Handover.tsx";
import { PersonAnswer } from "./PersonAnswer.tsx";
import { Problem } from "./Problem.tsx";
import { Question } from "./Question.tsx";
import { Reply } from "./Reply.tsx";
import { isUnsent } from "./unstored-messages.ts";
import type { ChatState } from "./use-chat.ts";
import { usePrinting } from "./use-printing.ts";
import { useReadingPosition } from "./use-reading-position.ts";

export interface ConversationProps {
  agent: { name: string; greeting: string; suggestedPrompts: string[] };
  chat: ChatState;
  /** Whether the reader may see the passages behind each reply. */
  explains: boolean;
  /** Address for turning a reply into a test; absent for readers who may not. */
  testsAddress?: string;
  /** Another person's chat: read-only. */
  readOnly?: boolean;
  /** Whether to offer a handover to a person, when the team allows it. */
  offersPerson?: boolean;
}

/** Rows out of view cost no layout. The last rows are always laid out: an estimated height would move what is being read. */
const ROW = "[contain-intrinsic-size:auto_8rem]";
const LAID_OUT = 4;

export function Conversation(props: ConversationProps) {
  const { agent, chat, explains, testsAddress, readOnly = false, offersPerson } = props;
  const { t } = useTranslation("chat");
  const { messages, live, problem, hasOlder, loadOlder, send, stop, retry, rate } = chat;
  const { scroller, isAway, onScroll, toEnd, keepEnd } = useReadingPosition(messages, live);
  const older = useOlderPages(scroller, chat);
  const busy = live !== null;
  const wait = useWait(live, agent.name);
  const isPrinting = usePrinting(chat);

  useStopByEscape(busy, stop);

  const askAgain = useCallback((content: string, replaces: string) => void send(content, replaces), [send]);
  const askNext = useCallback((content: string) => void send(content), [send]);
  const last = messages.at(-1);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ScrollArea
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-label={t("title", { agentName: agent.name })}
        aria-busy={busy}
        onScroll={onScroll}
        className="min-h-0 flex-1 overscroll-contain px-4 py-6"
      >
        <div className="mx-auto flex max-w-2xl flex-col gap-6">
          {hasOlder && (
            <div ref={older} className="text-center">
              <Button type="button" variant="ghost" onClick={() => void loadOlder()}>
                {t(isPrinting ? "printing" : "older")}
              </Button>
              <p className="hidden text-muted text-sm noscript:block">{t("olderNeedScripts")}</p>
              <p className="hidden text-muted text-sm print:block">{t("notOnPaper")}</p>
            </div>
          )}
          {messages.length === 0 && !live && <Opening agent={agent} onAsk={askNext} />}
          {messages.map((message, at) => (
            <div
              key={message.id}
              data-message={message.id}
              className={at < messages.length - LAID_OUT ? `${ROW} [content-visibility:auto]` : ROW}
            >
              {message.role === "user" ? (
                <Question
                  id={message.id}
                  content={message.content}
                  isUnsent={isUnsent(message.id)}
                  onAskAgain={busy || readOnly ? undefined : askAgain}
                />
              ) : message.author ? (
                <PersonAnswer content={message.content} name={message.author.name} />
              ) : (
                <Reply
                  content={message.content}
                  citations={message.citations}
                  message={message}
                  onRate={readOnly ? undefined : rate}
                  onRetry={!busy && !readOnly && message === last ? retry : undefined}
                  onAsk={!busy && !readOnly && message === last ? askNext : undefined}
                  isExplained={problem !== null && message === last}
                  explains={explains}
                  testsAddress={testsAddress}
                />
              )}
            </div>
          ))}
          {live && <LiveReply live={live} wait={wait} />}
          {offersPerson && chat.chatId && <Handover chatId={chat.chatId} chat={chat} onShown={keepEnd} />}
        </div>
      </ScrollArea>
      {/* Outside the log, which is silent while a reply is written and would otherwise announce this again. */}
      <p role="status" className="sr-only">
        {wait}
      </p>
      {problem && (
        <div className="px-4 pb-3">
          <div className="mx-auto max-w-2xl">
            <Problem problem={problem} onRetry={() => void retry()} />
          </div>
        </div>
      )}
      {isAway && (
        <IconButton
          label={t("toEnd")}
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full border border-line bg-raised shadow-popover"
        >
          <ArrowDown aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  );
}

/** Loads older messages before the reader comes to the first one. Returns the ref of the mark above it. */
function useOlderPages(
  scroller: RefObject<HTMLElement | null>,
  { messages, hasOlder, loadOlder }: ChatState,
) {
  const older = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer reports at once when the mark is still in view, so the next page loads
  useEffect(() => {
    const { current: mark } = older;
    if (!mark || !hasOlder) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void loadOlder(), {
      root: scroller.current,
      rootMargin: "600px 0px 0px",
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, [hasOlder, loadOlder, messages.length, scroller]);
  return older;
}

function useStopByEscape(isBusy: boolean, stop: ChatState["stop"]): void {
  useEffect(() => {
    if (!isBusy) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) void stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isBusy, stop]);
}

/** What stands in a chat before its first question. */
function Opening({ agent, onAsk }: Pick<ConversationProps, "agent"> & { onAsk: (content: string) => void }) {
  const { t } = useTranslation("chat");
  return (
    <div className="pt-4">
      <p dir="auto" className="font-medium text-lg">
        {agent.greeting || t("greeting", { agentName: agent.name })}
      </p>
      <ul className="mt-5 flex flex-wrap gap-2">
        {agent.suggestedPrompts.map((prompt) => (
          <li key={prompt}>
            <Button variant="chip" type="button" dir="auto" onClick={() => onAsk(prompt)}>
              {prompt}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How long nothing may come of a reply before the reader is told that it takes long. */
const SLOW_MS = 15_000;

/** What a reader waits for, in words; undefined while the reply is being written. */
function useWait(live: ChatState["live"], agentName: string): string | undefined {
  const { t } = useTranslation("chat");
  const [isSlow, setSlow] = useState(false);
  const phase = live?.phase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new word starts the wait anew
  useEffect(() => {
    setSlow(false);
    if (phase !== "searching" && phase !== "writing") return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [phase, live?.content]);
  if (!phase) return undefined;
  if (isSlow) return t("slow");
  return phase === "writing" ? undefined : t(phase, { agentName });
}

/** The reply that is being written, and what the reader waits for. */
function LiveReply({ live, wait }: { live: NonNullable<ChatState["live"]>; wait: string | undefined }) {
  return (
    <div data-live>
      {live.content && <Reply content={live.content} citations={live.citations} />}
      {wait ? (
        <p
          aria-hidden
          className={`animate-pulse text-muted motion-reduce:animate-none ${live.content && "mt-2"}`}
        >
          {wait}
        </p>
      ) : (
        // Reserves the space of the reply's actions, so that nothing moves when it ends.
        live.content && <div className="mt-2 h-8" />
      )}
    </div>
  );
}
