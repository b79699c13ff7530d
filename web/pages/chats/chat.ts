// Calls /v1 about a chat from an island: start, ask, resume after a lost connection, stop, rate. Holds no state.
import type { AnswerOf, BodyOf } from "../../client/api-calls.ts";
import { callAsVisitor, getApi, openApi, sendApi, sendOnce } from "../../client/call-api.ts";
import type { RefusalDetail } from "../../client/failure-words.ts";
import { serverEvents } from "../../client/server-events.ts";

type StoredMessage = AnswerOf<"GET", "/v1/chats/{chatId}/messages">["data"][number];
/** The shown fields of a message; one that is still being sent has no others. */
export type ChatMessage = Pick<
  StoredMessage,
  "id" | "role" | "content" | "status" | "citations" | "feedback"
> & {
  usage?: StoredMessage["usage"];
  support?: StoredMessage["support"];
  author?: StoredMessage["author"];
  suggestions?: StoredMessage["suggestions"];
  error?: StoredMessage["error"];
  undelivered?: StoredMessage["undelivered"];
};
export type Citation = StoredMessage["citations"][number];
export type Feedback = NonNullable<StoredMessage["feedback"]>;
export type Rating = Feedback["rating"];
export type ChatChannel = "web" | "playground" | "widget";

export type Question = BodyOf<"POST", "/v1/chats/{chatId}/messages">;
/** Unsaved settings of an agent, to try. */
export type AgentDraft = NonNullable<Question["draft"]>;

type Considered = AnswerOf<"GET", "/v1/chats/{chatId}/messages/{messageId}/passages">;
/** A passage that search proposed for a reply, and whether it was used. */
export type ConsideredPassage = Considered["data"][number];

/** The events of a reply, in the order message, delta…, citations, then done or error. */
export type ReplyEvent =
  | { type: "message"; message: ChatMessage }
  | { type: "delta"; text: string }
  | { type: "citations"; citations: Citation[] }
  | { type: "done"; reply: ChatMessage }
  | { type: "error"; code: string; details?: RefusalDetail[] };

/** Messages per page of a long chat. */
export const PAGE_OF_MESSAGES = 50;

/**
 * Starts a chat and returns its id. The web server stores a visitor's token in a cookie. In a widget the response
 * contains the token: it is used from then on and passed to `onToken`.
 */
export async function startChat(
  agentId: string,
  channel: ChatChannel,
  onToken?: (token: string) => void,
): Promise<string> {
  const chat = await sendOnce("/v1/agents/{agentId}/chats", { agentId }, { channel });
  if (chat.visitorToken) {
    callAsVisitor(chat.visitorToken);
    onToken?.(chat.visitorToken);
  }
  return chat.id;
}

/** Stores a message and yields the events of its reply. Ends early when the connection breaks. Throws CallFailure. */
export async function* ask(
  chatId: string,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  const answer = await openApi(
    "POST",
    "/v1/chats/{chatId}/messages",
    { chatId },
    { body: question, headers: { accept: "text/event-stream" }, signal },
  );
  for await (const { event, data } of serverEvents(answer)) {
    const value = JSON.parse(data);
    if (event === "message") yield { type: "message", message: value as ChatMessage };
    else if (event === "delta") yield { type: "delta", text: (value as { text: string }).text };
    else if (event === "citations") yield { type: "citations", citations: value as Citation[] };
    else if (event === "done") yield { type: "done", reply: value as ChatMessage };
    else if (event === "error") {
      const { code, details } = value as { code: string; details?: RefusalDetail[] };
      yield { type: "error", code, details };
    }
  }
}

/** True when anyone may ask the agent. */
export const isOpenToAll = (id: string): Promise<boolean> =>
  getApi("/v1/agents/{id}", { id }).then(
    () => true,
    () => false,
  );

/** The messages after one, including that one while it is being written. */
export async function messagesAfter(chatId: string, lastMessageId: string): Promise<ChatMessage[]> {
  return (await getApi("/v1/chats/{chatId}/messages", { chatId, lastMessageId })).data;
}

/** The page of messages before one, oldest first; without one, the newest page. */
export async function messagesBefore(chatId: string, beforeMessageId?: string): Promise<ChatMessage[]> {
  const page = { chatId, beforeMessageId, count: PAGE_OF_MESSAGES };
  return (await getApi("/v1/chats/{chatId}/messages", page)).data;
}

/** The passages that were considered for a reply. */
export async function passagesOf(chatId: string, messageId: string): Promise<Considered> {
  return await getApi("/v1/chats/{chatId}/messages/{messageId}/passages", { chatId, messageId });
}

export type Evidence = AnswerOf<"GET", "/v1/chats/{chatId}/messages/{messageId}/citations/{index}">;

/** A citation in its document as it is now; only for readers of the document. */
export async function evidenceOf(chatId: string, messageId: string, index: number): Promise<Evidence> {
  const place = { chatId, messageId, index: String(index) };
  return await getApi("/v1/chats/{chatId}/messages/{messageId}/citations/{index}", place);
}

/** Asks the server to stop writing a reply; the text so far stays. */
export async function stopReply(chatId: string, messageId: string): Promise<void> {
  await sendApi("POST", "/v1/chats/{chatId}/messages/{messageId}/stop", { chatId, messageId }, {});
}

/** Rates a reply; null removes the rating. */
export async function rateMessage(
  chatId: string,
  messageId: string,
  rating: Rating | null,
  comment?: string,
): Promise<void> {
  const feedback = { rating, ...(comment ? { comment } : {}) };
  await sendApi("POST", "/v1/chats/{chatId}/messages/{messageId}/feedback", { chatId, messageId }, feedback);
}
