// Owns the messages that a chat shows and the server does not have: a question under way, one that failed to arrive, and the seen part of
// a reply.
import type { ChatMessage } from "./chat.ts";

/** Id of the question that is under way, or that failed last. */
export const PENDING = "pending";
/** Id of a reply of which only the part that the reader has seen is known. */
const UNREAD = "unread";

let unsent = 0;

/** True for a question that the server did not store, and after which another one was asked. */
export const isUnsent = (id: string) => id.startsWith(`${PENDING}-`);
export const isStored = ({ id }: ChatMessage) => id !== PENDING && id !== UNREAD && !isUnsent(id);

export const pendingQuestion = (content: string): ChatMessage => ({
  id: PENDING,
  role: "user",
  content,
  status: "complete",
  citations: [],
  feedback: null,
});

export const unreadReply = (content: string): ChatMessage => ({
  id: UNREAD,
  role: "assistant",
  content,
  status: "streaming",
  citations: [],
  feedback: null,
});

export const withoutUnread = (messages: ChatMessage[]) => messages.filter(({ id }) => id !== UNREAD);

/**
 * A question that the server has stored although its answer was lost.
 * @param newer what the chat has after the last message that is shown
 * @param replaced the id of the question that it replaces, which may say the same
 */
export const storedQuestion = (newer: ChatMessage[], content: string, replaced: string | undefined) =>
  newer.findLast(
    (message) => message.role === "user" && message.content === content && message.id !== replaced,
  );

/**
 * The messages before the next question: without the one that it replaces and everything after that. A question that failed to arrive
 * stays, unless this one says the same.
 */
export function messagesBeforeQuestion(
  messages: ChatMessage[],
  content: string,
  replaces: string | undefined,
): ChatMessage[] {
  const at = replaces && !isUnsent(replaces) ? messages.findIndex(({ id }) => id === replaces) : -1;
  const kept = withoutUnread(at < 0 ? messages : messages.slice(0, at));
  return kept.flatMap((message) => {
    if (message.id === replaces) return [];
    if (message.id !== PENDING) return message;
    return message.content === content ? [] : { ...message, id: `${PENDING}-${unsent++}` };
  });
}
