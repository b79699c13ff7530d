// The stored messages of a chat in an island: older ones, those that team members have written since, and ratings.
import { type Dispatch, type RefObject, type SetStateAction, useCallback, useRef, useState } from "react";
import {
  type ChatMessage,
  messagesAfter,
  messagesBefore,
  PAGE_OF_MESSAGES,
  type Rating,
  rateMessage,
} from "./chat.ts";
import { isStored } from "./unstored-messages.ts";

export interface StoredMessages {
  /** True when there are older messages than those loaded. */
  hasOlder: boolean;
  /** @returns false when it failed */
  loadOlder(): Promise<boolean>;
  /** @returns whether the rating was saved */
  rate(messageId: string, rating: Rating | null, comment?: string): Promise<boolean>;
  /** Fetches messages that team members have written since. Throws CallFailure. */
  refresh(): Promise<void>;
}

export interface StoredMessagesOptions {
  /** The chat's id, once it has one. */
  chat: RefObject<string | null>;
  shown: RefObject<ChatMessage[]>;
  setMessages: Dispatch<SetStateAction<ChatMessage[]>>;
  hasOlder: boolean;
  /** Called with each page of older messages. */
  onOlder(page: ChatMessage[]): void;
  /** Shows a failure. */
  report(error: unknown): void;
}

export function useStoredMessages(options: StoredMessagesOptions): StoredMessages {
  const { chat, shown, setMessages, onOlder, report } = options;
  const [hasOlder, setHasOlder] = useState(options.hasOlder);
  const isLoading = useRef(false);

  const loadOlder = useCallback(async () => {
    const first = shown.current.find(isStored)?.id;
    if (!chat.current || isLoading.current) return true;
    isLoading.current = true;
    try {
      const page = await messagesBefore(chat.current, first);
      setHasOlder(page.length >= PAGE_OF_MESSAGES);
      setMessages((now) => [...page, ...now]);
      onOlder(page);
      return true;
    } catch (error) {
      report(error);
      return false;
    } finally {
      isLoading.current = false;
    }
  }, [chat, shown, setMessages, onOlder, report]);

  const rate = useCallback(
    async (messageId: string, rating: Rating | null, comment?: string) => {
      const set = (feedback: ChatMessage["feedback"]) =>
        setMessages((now) =>
          now.map((message) => (message.id === messageId ? { ...message, feedback } : message)),
        );
      const old = shown.current.find(({ id }) => id === messageId)?.feedback ?? null;
      set(rating && { rating, comment: comment ?? null });
      try {
        if (chat.current) await rateMessage(chat.current, messageId, rating, comment);
        return true;
      } catch (error) {
        set(old);
        report(error);
        return false;
      }
    },
    [chat, shown, setMessages, report],
  );

  /** The last message that refresh() has loaded. */
  const seen = useRef(shown.current.at(-1)?.id);
  const refresh = useCallback(async () => {
    const { current: id } = chat;
    if (!id) return;
    const after = seen.current ? await messagesAfter(id, seen.current) : await messagesBefore(id);
    seen.current = after.findLast(({ status }) => status !== "streaming")?.id ?? seen.current;
    const fresh = after.filter(
      ({ author, ...one }) => author && !shown.current.some(({ id }) => id === one.id),
    );
    if (fresh.length === 0) return;
    // Ids sort by time; a message that is still being sent comes last.
    setMessages((now) => [...now, ...fresh].toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  }, [chat, shown, setMessages]);

  return { hasOlder, loadOlder, rate, refresh };
}
