// Talks about a chat to /v1 from an island: start, ask, read on after a break, stop, rate. No state is kept here.
import type { AnswerOf } from "./api-calls.ts";
import { getApi, openApi, sendApi } from "./call-api.ts";
import { serverEvents } from "./server-events.ts";

type StoredMessage = AnswerOf<"GET", "/v1/chats/{chatId}/messages">["data"][number];
/** What is shown of a message; one that is only just being sent has no more. */
export type ChatMessage = Pick<
  StoredMessage,
  "id" | "role" | "content" | "status" | "citations" | "feedback"
>;
export type Citation = StoredMessage["citations"][number];
export type Rating = "up" | "down";

/** What comes while a reply is written; the order is message, delta…, citations, then done or error. */
export type ReplyEvent =
  | { type: "message"; message: ChatMessage }
  | { type: "delta"; text: string }
  | { type: "citations"; citations: Citation[] }
  | { type: "done"; reply: ChatMessage }
  | { type: "error"; code: string };

/** Starts a chat and gives its id. A visitor's token is kept by the web server in a cookie. */
export async function startChat(agentId: string, channel: "web" | "playground"): Promise<string> {
  return (await sendApi("POST", "/v1/agents/{agentId}/chats", { agentId }, { channel })).id;
}

/** Stores a message and yields what happens to its reply. Ends early when the connection breaks. Throws CallFailure. */
export async function* ask(chatId: string, content: string, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
  const answer = await openApi(
    "POST",
    "/v1/chats/{chatId}/messages",
    { chatId },
    {
      body: { content },
      headers: { accept: "text/event-stream" },
      signal,
    },
  );
  for await (const { event, data } of serverEvents(answer)) {
    const value = JSON.parse(data);
    if (event === "message") yield { type: "message", message: value as ChatMessage };
    else if (event === "delta") yield { type: "delta", text: (value as { text: string }).text };
    else if (event === "citations") yield { type: "citations", citations: value as Citation[] };
    else if (event === "done") yield { type: "done", reply: value as ChatMessage };
    else if (event === "error") yield { type: "error", code: (value as { code: string }).code };
  }
}

/** The messages after one, that one included while it is being written. */
export async function messagesAfter(chatId: string, lastMessageId: string): Promise<ChatMessage[]> {
  return (await getApi("/v1/chats/{chatId}/messages", { chatId, lastMessageId })).data;
}

/** Asks the server to stop writing a reply; what was said stays. */
export async function stopReply(chatId: string, messageId: string): Promise<void> {
  await sendApi("POST", "/v1/chats/{chatId}/messages/{messageId}/stop", { chatId, messageId }, {});
}

/** Rates a reply; null takes the rating back. */
export async function rateMessage(
  chatId: string,
  messageId: string,
  rating: Rating | null,
  comment?: string,
): Promise<void> {
  const feedback = { rating, ...(comment ? { comment } : {}) };
  await sendApi("POST", "/v1/chats/{chatId}/messages/{messageId}/feedback", { chatId, messageId }, feedback);
}
