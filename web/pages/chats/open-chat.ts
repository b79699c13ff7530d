// What the parts of an island's chat share: what it shows, and what is known of the question under way. Calls nothing.
import { type Dispatch, type RefObject, type SetStateAction, useMemo, useRef, useState } from "react";
import type { Refused } from "../../client/failure-words.ts";
import type { AgentDraft, ChatChannel, ChatMessage } from "./chat.ts";
import type { LiveReply } from "./read-reply.ts";

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

/** The same object for as long as the chat is mounted. */
export interface OpenChat {
  given: RefObject<ChatStart>;
  /** The chat's id, once it has one. */
  chat: RefObject<string | null>;
  shown: RefObject<ChatMessage[]>;
  /** What the reader has seen of a reply that is not read to its end. */
  unread: RefObject<string | null>;
  lastAsked: RefObject<ChatMessage | undefined>;
  /** The question that the last one replaces. */
  toReplace: RefObject<string | undefined>;
  connection: RefObject<AbortController | null>;
  /** What to do as soon as the server has stored the last question. */
  onceStored: RefObject<(() => void) | null>;
  setMessages: Dispatch<SetStateAction<ChatMessage[]>>;
  setLive: Dispatch<SetStateAction<LiveReply | null>>;
  setProblem: Dispatch<SetStateAction<ChatProblem | null>>;
}

export interface OpenedChat {
  open: OpenChat;
  messages: ChatMessage[];
  live: LiveReply | null;
  problem: ChatProblem | null;
  /** The stored reply that was still being written when the page was made. */
  unfinished: RefObject<ChatMessage | undefined>;
}

export function useOpenChat(start: ChatStart): OpenedChat {
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
  const chat = useRef(start.chatId);
  const unread = useRef<string | null>(null);
  const lastAsked = useRef<ChatMessage | undefined>(stored.findLast(({ role }) => role === "user"));
  const toReplace = useRef<string | undefined>(undefined);
  const connection = useRef<AbortController | null>(null);
  const onceStored = useRef<(() => void) | null>(null);
  const open = useMemo<OpenChat>(
    () => ({
      given,
      chat,
      shown,
      unread,
      lastAsked,
      toReplace,
      connection,
      onceStored,
      setMessages,
      setLive,
      setProblem,
    }),
    [],
  );
  return { open, messages, live, problem, unfinished };
}
