// The state of one conversation in an island. A broken connection is read on from the stored reply, so nothing that the
// server has said is lost; how it looks is up to the components.
import { useCallback, useEffect, useRef, useState } from "react";
import { CallFailure } from "./call-api.ts";
import {
  ask,
  type ChatMessage,
  type Citation,
  messagesAfter,
  type Rating,
  rateMessage,
  startChat,
  stopReply,
} from "./chat.ts";

/** The reply that is being written. `id` is unknown until the server is asked for it. */
export interface LiveReply {
  content: string;
  citations: Citation[];
  phase: "searching" | "writing" | "reconnecting";
}

export interface ChatStart {
  agentId: string;
  chatId: string | null;
  channel: "web" | "playground";
  messages: ChatMessage[];
  /** Called with the id of a chat that has just begun. */
  onStart(chatId: string): void;
}

export interface ChatState {
  messages: ChatMessage[];
  live: LiveReply | null;
  /** Code of what went wrong with the last question, for errors:CODE; null when nothing did. */
  problem: string | null;
  send(content: string): Promise<void>;
  stop(): Promise<void>;
  retry(): Promise<void>;
  rate(messageId: string, rating: Rating | null, comment?: string): Promise<void>;
}

const PENDING = "pending";
const POLL_MS = 600;
const POLL_FAILURES = 20;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const codeOf = (error: unknown) => (error instanceof CallFailure ? error.code : "UNAVAILABLE");

export function useChat({ agentId, chatId, channel, messages: stored, onStart }: ChatStart): ChatState {
  const unfinished = stored.at(-1)?.status === "streaming" ? stored.at(-1) : undefined;
  const [messages, setMessages] = useState(() => (unfinished ? stored.slice(0, -1) : stored));
  const [live, setLive] = useState<LiveReply | null>(
    unfinished
      ? { content: unfinished.content, citations: unfinished.citations, phase: "reconnecting" }
      : null,
  );
  const [problem, setProblem] = useState<string | null>(null);
  const chat = useRef(chatId);
  const lastAsked = useRef<ChatMessage | undefined>(stored.findLast(({ role }) => role === "user"));
  const connection = useRef<AbortController | null>(null);

  const settle = useCallback((reply: ChatMessage) => {
    setMessages((now) => [...now.filter(({ id }) => id !== reply.id), reply]);
    setLive(null);
  }, []);

  /** Reads the stored reply until it has ended. */
  const readOn = useCallback(
    async (signal: AbortSignal) => {
      const id = chat.current;
      const question = lastAsked.current;
      if (!id || !question) return setLive(null);
      for (let failures = 0; failures < POLL_FAILURES && !signal.aborted; ) {
        try {
          const after = await messagesAfter(id, question.id);
          const reply = after.find(({ role }) => role === "assistant");
          if (!reply) return setLive(null);
          if (reply.status !== "streaming") return settle(reply);
          setLive({ content: reply.content, citations: reply.citations, phase: "writing" });
          failures = 0;
        } catch (error) {
          if (error instanceof CallFailure && error.status < 500 && error.status !== 429) throw error;
          failures += 1;
          setLive((now) => now && { ...now, phase: "reconnecting" });
        }
        await pause(POLL_MS);
      }
      if (!signal.aborted) throw new CallFailure(503, "UNAVAILABLE", "", "");
    },
    [settle],
  );

  useEffect(() => {
    const controller = new AbortController();
    connection.current = controller;
    if (unfinished) {
      readOn(controller.signal).catch((error) => {
        setLive(null);
        setProblem(codeOf(error));
      });
    }
    return () => controller.abort();
    // Only for the reply that was unfinished when the page was made.
  }, [readOn, unfinished]);

  const follow = useCallback(
    async (id: string, content: string, signal: AbortSignal) => {
      let pendingText = "";
      let frame = 0;
      const flush = () => {
        frame = 0;
        const text = pendingText;
        pendingText = "";
        setLive((now) => now && { ...now, content: now.content + text, phase: "writing" });
      };
      try {
        for await (const event of ask(id, content, signal)) {
          if (event.type === "message") {
            lastAsked.current = event.message;
            setMessages((now) => now.map((message) => (message.id === PENDING ? event.message : message)));
          } else if (event.type === "delta") {
            pendingText += event.text;
            // One render a frame, however many pieces come.
            frame ||= requestAnimationFrame(flush);
          } else if (event.type === "citations") {
            setLive((now) => now && { ...now, citations: event.citations });
          } else if (event.type === "done") {
            return settle(event.reply);
          } else {
            setProblem(event.code);
          }
        }
      } catch (error) {
        if (error instanceof CallFailure) throw error;
        if (signal.aborted) return;
      } finally {
        cancelAnimationFrame(frame);
      }
      // The stream ended without the whole reply.
      setLive((now) => now && { ...now, phase: "reconnecting" });
      await readOn(signal);
    },
    [readOn, settle],
  );

  const send = useCallback(
    async (text: string) => {
      const content = text.trim();
      if (!content || live) return;
      setProblem(null);
      setLive({ content: "", citations: [], phase: "searching" });
      const asked: ChatMessage = {
        id: PENDING,
        role: "user",
        content,
        status: "complete",
        citations: [],
        feedback: null,
      };
      lastAsked.current = asked;
      setMessages((now) => [...now.filter(({ id }) => id !== PENDING), asked]);
      const controller = new AbortController();
      connection.current = controller;
      try {
        if (!chat.current) {
          chat.current = await startChat(agentId, channel);
          onStart(chat.current);
        }
        await follow(chat.current, content, controller.signal);
      } catch (error) {
        setLive(null);
        setProblem(codeOf(error));
      }
    },
    [agentId, channel, follow, live, onStart],
  );

  const stop = useCallback(async () => {
    const id = chat.current;
    const question = lastAsked.current;
    if (!id || !question || question.id === PENDING) return;
    try {
      const reply = (await messagesAfter(id, question.id)).find(({ role }) => role === "assistant");
      if (reply?.status === "streaming") await stopReply(id, reply.id);
    } catch (error) {
      setProblem(codeOf(error));
    }
  }, []);

  const retry = useCallback(async () => {
    if (lastAsked.current) await send(lastAsked.current.content);
  }, [send]);

  const rate = useCallback(async (messageId: string, rating: Rating | null, comment?: string) => {
    const set = (feedback: ChatMessage["feedback"]) =>
      setMessages((now) =>
        now.map((message) => (message.id === messageId ? { ...message, feedback } : message)),
      );
    set(rating && { rating, comment: comment ?? null });
    try {
      if (chat.current) await rateMessage(chat.current, messageId, rating, comment);
    } catch (error) {
      set(null);
      setProblem(codeOf(error));
    }
  }, []);

  return { messages, live, problem, send, stop, retry, rate };
}
