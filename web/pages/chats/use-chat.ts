// The chat of an island: asks, retries and stops, and has what it shows. Components decide the appearance; follow-reply.ts reads replies.
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { CallFailure, callAsVisitor, failureToast } from "../../client/call-api.ts";
import { showToast } from "../../client/page.ts";
import { type ChatMessage, isOpenToAll, PAGE_OF_MESSAGES, startChat, stopReply } from "./chat.ts";
import { endWait, followReply, hasArrived, problemOf, resumeReply, stopEarly } from "./follow-reply.ts";
import { type ChatProblem, type ChatStart, useOpenChat } from "./open-chat.ts";
import type { LiveReply } from "./read-reply.ts";
import {
  isUnsent,
  messagesBeforeQuestion,
  PENDING,
  pendingQuestion,
  withoutUnread,
} from "./unstored-messages.ts";
import { type StoredMessages, useStoredMessages } from "./use-stored-messages.ts";

/** The chat cannot be continued from this browser; its agent answers in another one. */
export const CHAT_ENDED = "CHAT_ENDED";
/** Failures after which the question is typed again rather than retried. */
const UNSENT = ["NOT_AUTHENTICATED", CHAT_ENDED];

export interface ChatState extends StoredMessages {
  chatId: string | null;
  messages: ChatMessage[];
  live: LiveReply | null;
  problem: ChatProblem | null;
  /** @param replaces a question of this chat that it replaces, with everything after it */
  send(content: string, replaces?: string): Promise<void>;
  stop(): Promise<void>;
  /** Sends the last question again, in its own place. */
  retry(): Promise<void>;
}

export function useChat(start: ChatStart): ChatState {
  const { t } = useTranslation("errors");
  const { open, messages, live, problem, unfinished } = useOpenChat(start);
  const { given, chat, unread, lastAsked, toReplace, connection, onceStored } = open;
  const { setMessages, setLive, setProblem } = open;
  const [chatId, setChatId] = useState(start.chatId);

  /** Reports a failure that is not the question's: a retry would ask that again. */
  const report = useCallback((error: unknown) => showToast(failureToast(error, t)), [t]);
  const onOlder = useCallback(
    (page: ChatMessage[]) => {
      lastAsked.current ??= page.findLast(({ role }) => role === "user");
    },
    [lastAsked],
  );
  const hasOlder = start.hasOlder ?? start.messages.length >= PAGE_OF_MESSAGES;
  const kept = useStoredMessages({ chat, shown: open.shown, setMessages, hasOlder, onOlder, report });

  useEffect(() => {
    connection.current = new AbortController();
    if (unfinished.current) resumeReply(open, unfinished.current.content);
    return () => connection.current?.abort();
  }, [open, connection, unfinished]);

  /**
   * A visitor has no account to log in to: once their cookie or token is no longer valid, their next question starts
   * another chat, as it does after the chat was deleted.
   */
  const judge = useCallback(
    async (failed: ChatProblem, agentId: string): Promise<ChatProblem> => {
      const isVisitor = !("person" in document.documentElement.dataset);
      const isRefused = failed.code === "NOT_AUTHENTICATED" && isVisitor;
      if (isRefused) callAsVisitor(null);
      const isLost = failed.code === "NOT_FOUND" || isRefused;
      if (!isLost || !chat.current || !(await isOpenToAll(agentId))) return failed;
      chat.current = null;
      return { ...failed, code: CHAT_ENDED };
    },
    [chat],
  );

  const busy = live !== null;
  const send = useCallback(
    async (text: string, replaces?: string) => {
      const content = text.trim();
      if (!content || busy) return;
      setProblem(null);
      unread.current = null;
      onceStored.current = null;
      setLive({ content: "", citations: [], phase: "searching" });
      const asked = pendingQuestion(content);
      lastAsked.current = asked;
      toReplace.current = replaces;
      setMessages((now) => [...messagesBeforeQuestion(now, content, replaces), asked]);
      const controller = new AbortController();
      connection.current = controller;
      const { agentId, channel, draft, onStart, onToken } = given.current;
      try {
        if (!chat.current) {
          chat.current = await startChat(agentId, channel, onToken);
          setChatId(chat.current);
          onStart?.(chat.current);
          if (controller.signal.aborted) return;
        }
        const stored = replaces && isUnsent(replaces) ? undefined : replaces;
        const question = { content, replaces: stored, draft: draft?.() };
        await followReply(open, chat.current, question, controller.signal);
      } catch (error) {
        if (controller.signal.aborted) return;
        const failed = await judge(problemOf(error), agentId);
        endWait(open, failed);
        if (!UNSENT.includes(failed.code) || lastAsked.current?.id !== PENDING) return;
        setMessages((now) => now.filter(({ id }) => id !== PENDING));
        given.current.onUnsent?.(content);
      }
    },
    [
      busy,
      judge,
      open,
      chat,
      connection,
      given,
      lastAsked,
      onceStored,
      toReplace,
      unread,
      setLive,
      setMessages,
      setProblem,
    ],
  );

  const stop = useCallback(async () => {
    const { current: id } = chat;
    const { current: question } = lastAsked;
    if (question?.id === PENDING) return stopEarly(open, () => void stop());
    if (!id || !question) return;
    try {
      await stopReply(id, question.id);
    } catch (error) {
      // The reply ended on its own in the meantime.
      if (!(error instanceof CallFailure && error.code === "CONFLICT")) report(error);
    }
  }, [open, chat, lastAsked, report]);

  const retry = useCallback(async () => {
    const { current: question } = lastAsked;
    if (!question) return;
    if (unread.current !== null) {
      // The server may have completed the reply in the meantime.
      setProblem(null);
      setMessages(withoutUnread);
      setLive({ content: unread.current, citations: [], phase: "reconnecting" });
      return resumeReply(open, unread.current);
    }
    if (question.id !== PENDING) return await send(question.content, question.id);
    setProblem(null);
    setLive({ content: "", citations: [], phase: "searching" });
    const controller = new AbortController();
    connection.current = controller;
    const arrived = await hasArrived(open);
    if (controller.signal.aborted) return;
    if (arrived) return resumeReply(open, "");
    await send(question.content, toReplace.current);
  }, [send, open, connection, lastAsked, toReplace, unread, setLive, setMessages, setProblem]);

  const isOffline = problem?.code === "OFFLINE";
  useEffect(() => {
    if (!isOffline) return;
    const again = () => void retry();
    addEventListener("online", again, { once: true });
    return () => removeEventListener("online", again);
  }, [isOffline, retry]);

  return { chatId, messages, live, problem, send, stop, retry, ...kept };
}
