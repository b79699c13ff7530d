// The state of one chat in an island. After a lost connection it continues from the stored reply, so nothing that the
// server has sent is lost. Components decide the appearance.
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { CallFailure, failureToast } from "../../client/call-api.ts";
import type { Refused } from "../../client/failure-words.ts";
import { showToast } from "../../client/page.ts";
import {
  type AgentDraft,
  ask,
  type ChatChannel,
  type ChatMessage,
  isOpenToAll,
  messagesAfter,
  messagesBefore,
  PAGE_OF_MESSAGES,
  type Question,
  startChat,
  stopReply,
} from "./chat.ts";
import { type LiveReply, readReply } from "./read-reply.ts";
import {
  isStored,
  isUnsent,
  messagesBeforeQuestion,
  PENDING,
  pendingQuestion,
  storedQuestion,
  unreadReply,
  withoutUnread,
} from "./unstored-messages.ts";
import { type StoredMessages, useStoredMessages } from "./use-stored-messages.ts";

/** The chat cannot be continued from this browser; its agent answers in another one. */
export const CHAT_ENDED = "CHAT_ENDED";
/** Failures after which the question is typed again rather than retried. */
const UNSENT = ["NOT_AUTHENTICATED", CHAT_ENDED];

/** The failure of the last question. */
export type ChatProblem = Refused;

export interface ChatStart {
  agentId: string;
  chatId: string | null;
  channel: ChatChannel;
  /** The newest page of the chat's messages. */
  messages: ChatMessage[];
  /** True when there are older messages than these; by default their number tells. */
  hasOlder?: boolean;
  /** Settings to answer with, read when a question is sent. */
  draft?: () => AgentDraft | undefined;
  /** Called with the id of a chat that has just started. */
  onStart?(chatId: string): void;
  /** Called with a visitor's token when no cookie stores it. */
  onToken?(token: string): void;
  /** Called when the server has stored a question. */
  onStored?(): void;
  /** Called with a question that cannot be sent until its author has logged in again. */
  onUnsent?(content: string): void;
}

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

/** Layout of a long reply is expensive: beyond this length it is shown in larger steps. */
const LONG_REPLY = 20_000;
const LONG_REPLY_STEP_MS = 150;

const problemOf = (error: unknown): ChatProblem =>
  error instanceof CallFailure
    ? error
    : { code: navigator.onLine ? "UNAVAILABLE" : "OFFLINE", message: "", details: [] };

export function useChat(start: ChatStart): ChatState {
  const { t } = useTranslation("errors");
  const { messages: stored } = start;
  const given = useRef(start);
  given.current = start;
  const unfinished = useRef(stored.at(-1)?.status === "streaming" ? stored.at(-1) : undefined);
  const [messages, setMessages] = useState(() => (unfinished.current ? stored.slice(0, -1) : stored));
  const shown = useRef(messages);
  shown.current = messages;
  const [live, setLive] = useState<LiveReply | null>(() => {
    const { current: reply } = unfinished;
    return reply ? { content: reply.content, citations: reply.citations, phase: "reconnecting" } : null;
  });
  const [problem, setProblem] = useState<ChatProblem | null>(null);
  const [chatId, setChatId] = useState(start.chatId);
  const chat = useRef(start.chatId);
  /** What the reader has seen of a reply that is not read to its end. */
  const unread = useRef<string | null>(null);
  const lastAsked = useRef<ChatMessage | undefined>(stored.findLast(({ role }) => role === "user"));
  const toReplace = useRef<string | undefined>(undefined);
  const connection = useRef<AbortController | null>(null);

  /** Reports a failure that is not the question's: a retry would ask that again. */
  const report = useCallback((error: unknown) => showToast(failureToast(error, t)), [t]);

  const onOlder = useCallback((page: ChatMessage[]) => {
    lastAsked.current ??= page.findLast(({ role }) => role === "user");
  }, []);
  const hasOlder = start.hasOlder ?? stored.length >= PAGE_OF_MESSAGES;
  const kept = useStoredMessages({ chat, shown, setMessages, hasOlder, onOlder, report });

  const settle = useCallback((reply: ChatMessage) => {
    setMessages((now) => [...now.filter(({ id }) => id !== reply.id), reply]);
    setLive(null);
  }, []);

  /** Ends the wait for a reply. What the reader has seen of it stays. */
  const end = useCallback((failed: ChatProblem) => {
    const { current: content } = unread;
    setLive(null);
    setProblem(failed);
    if (content) setMessages((now) => [...now, unreadReply(content)]);
  }, []);

  /** Reads the stored reply to its end. */
  const readOn = useCallback(
    async (signal: AbortSignal, seen: string) => {
      const { current: id } = chat;
      const { current: question } = lastAsked;
      if (!id || !question || question.id === PENDING) return void setLive(null);
      const read = async () =>
        (await messagesAfter(id, question.id)).find(({ role }) => role === "assistant");
      unread.current = seen;
      const reply = await readReply(
        read,
        seen,
        (part) => {
          unread.current = part.content ?? unread.current;
          setLive((now) => now && { ...now, ...part });
        },
        signal,
      );
      if (signal.aborted) return;
      unread.current = null;
      if (reply) settle(reply);
      else setLive(null);
      return reply?.status;
    },
    [settle],
  );

  /** Continues to read a reply, after a reload or when the service did not respond for long. */
  const resume = useCallback(
    (seen: string) => {
      const controller = new AbortController();
      connection.current = controller;
      readOn(controller.signal, seen).catch((error) => end(problemOf(error)));
    },
    [readOn, end],
  );

  useEffect(() => {
    connection.current = new AbortController();
    if (unfinished.current) resume(unfinished.current.content);
    return () => connection.current?.abort();
  }, [resume]);

  const noteStored = useCallback((question: ChatMessage) => {
    lastAsked.current = question;
    given.current.onStored?.();
    setMessages((now) => now.map((message) => (message.id === PENDING ? question : message)));
  }, []);

  /** Whether the last question has arrived all the same. It is not asked again then: its reply is read. */
  const hasArrived = useCallback(async () => {
    const { current: id } = chat;
    const { current: question } = lastAsked;
    if (!id || !question) return false;
    const last = shown.current.findLast(isStored)?.id;
    const newer = await (last ? messagesAfter(id, last) : messagesBefore(id)).catch(() => []);
    const found = storedQuestion(newer, question.content, toReplace.current);
    if (found) noteStored(found);
    return found !== undefined;
  }, [noteStored]);

  const follow = useCallback(
    async (id: string, question: Question, signal: AbortSignal) => {
      let text = "";
      let shown = 0;
      let frame = 0;
      let failure: ChatProblem | undefined;
      const flush = () => {
        frame = 0;
        if (text.length > LONG_REPLY && performance.now() - shown < LONG_REPLY_STEP_MS) {
          frame = requestAnimationFrame(flush);
          return;
        }
        shown = performance.now();
        const content = text;
        setLive((now) => now && { ...now, content, phase: "writing" });
      };
      try {
        for await (const event of ask(id, question, signal)) {
          if (event.type === "message") {
            noteStored(event.message);
          } else if (event.type === "delta") {
            text += event.text;
            // One render per frame, however many chunks arrive.
            frame ||= requestAnimationFrame(flush);
          } else if (event.type === "citations") {
            setLive((now) => now && { ...now, citations: event.citations });
          } else if (event.type === "done") {
            return settle(event.reply);
          } else {
            failure = { code: event.code, message: "", details: event.details ?? [] };
          }
        }
      } catch (error) {
        if (error instanceof CallFailure || (!navigator.onLine && lastAsked.current?.id === PENDING))
          throw error;
        if (signal.aborted) return;
      } finally {
        cancelAnimationFrame(frame);
      }
      // The stream ended before the reply did. A question that was never stored is sent again, not polled.
      if (lastAsked.current?.id === PENDING && !(await hasArrived()))
        throw new CallFailure(503, "UNAVAILABLE", "", "");
      setLive((now) => now && { ...now, content: text, phase: "reconnecting" });
      const status = await readOn(signal, text);
      // Only now can it be asked again.
      if (failure && status !== "complete" && !signal.aborted) setProblem(failure);
    },
    [readOn, settle, noteStored, hasArrived],
  );

  /**
   * A visitor has no account to log in to: once their cookie is gone, their next question starts another chat, as it does
   * after the chat was deleted.
   */
  const judge = useCallback(async (failed: ChatProblem, agentId: string): Promise<ChatProblem> => {
    const isVisitor = !("person" in document.documentElement.dataset);
    const isLost = failed.code === "NOT_FOUND" || (failed.code === "NOT_AUTHENTICATED" && isVisitor);
    if (!isLost || !chat.current || !(await isOpenToAll(agentId))) return failed;
    chat.current = null;
    return { ...failed, code: CHAT_ENDED };
  }, []);

  const busy = live !== null;
  const send = useCallback(
    async (text: string, replaces?: string) => {
      const content = text.trim();
      if (!content || busy) return;
      setProblem(null);
      unread.current = null;
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
        }
        const stored = replaces && isUnsent(replaces) ? undefined : replaces;
        await follow(chat.current, { content, replaces: stored, draft: draft?.() }, controller.signal);
      } catch (error) {
        const failed = await judge(problemOf(error), agentId);
        end(failed);
        if (!UNSENT.includes(failed.code) || lastAsked.current?.id !== PENDING) return;
        setMessages((now) => now.filter(({ id }) => id !== PENDING));
        given.current.onUnsent?.(content);
      }
    },
    [busy, follow, judge, end],
  );

  const stop = useCallback(async () => {
    const { current: id } = chat;
    const { current: question } = lastAsked;
    if (!id || !question || question.id === PENDING) return;
    try {
      await stopReply(id, question.id);
    } catch (error) {
      // The reply ended on its own in the meantime.
      if (!(error instanceof CallFailure && error.code === "CONFLICT")) report(error);
    }
  }, [report]);

  const retry = useCallback(async () => {
    const { current: question } = lastAsked;
    if (!question) return;
    if (unread.current !== null) {
      // The server may have completed the reply in the meantime.
      setProblem(null);
      setMessages(withoutUnread);
      setLive({ content: unread.current, citations: [], phase: "reconnecting" });
      return resume(unread.current);
    }
    if (question.id !== PENDING) return await send(question.content, question.id);
    setProblem(null);
    setLive({ content: "", citations: [], phase: "searching" });
    if (await hasArrived()) return resume("");
    await send(question.content, toReplace.current);
  }, [send, resume, hasArrived]);

  const isOffline = problem?.code === "OFFLINE";
  useEffect(() => {
    if (!isOffline) return;
    const again = () => void retry();
    addEventListener("online", again, { once: true });
    return () => removeEventListener("online", again);
  }, [isOffline, retry]);

  return { chatId, messages, live, problem, send, stop, retry, ...kept };
}
