// Talks about a chat to /v1 from an island: start, ask, read on after a break, stop, rate. No state is kept here.
import { callApi, openApi } from "./call-api.ts";
import { serverEvents } from "./server-events.ts";

export interface Citation {
  index: number;
  documentId: string;
  sourceId: string;
  chunkId: string;
  title: string;
  url: string | null;
  quote: string;
}

export type Rating = "up" | "down";

export interface ChatMessage {
  id: string;
  role: "user" | "assistant";
  content: string;
  status: "streaming" | "complete" | "stopped" | "failed";
  citations: Citation[];
  feedback: { rating: Rating; comment: string | null } | null;
}

/** What comes while a reply is written; the order is message, delta…, citations, then done or error. */
export type ReplyEvent =
  | { type: "message"; message: ChatMessage }
  | { type: "delta"; text: string }
  | { type: "citations"; citations: Citation[] }
  | { type: "done"; reply: ChatMessage }
  | { type: "error"; code: string };

/** Starts a chat and gives its id. A visitor's token is kept by the web server in a cookie. */
export async function startChat(agentId: string, channel: "web" | "playground"): Promise<string> {
  const chat = await callApi<{ id: string }>(`/v1/agents/${agentId}/chats`, {
    method: "POST",
    body: { channel },
  });
  return chat.id;
}

/** Stores a message and yields what happens to its reply. Ends early when the connection breaks. Throws CallFailure. */
export async function* ask(chatId: string, content: string, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
  const answer = await openApi(`/v1/chats/${chatId}/messages`, {
    method: "POST",
    body: { content },
    headers: { accept: "text/event-stream" },
    signal,
  });
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
  const query = new URLSearchParams({ lastMessageId });
  return (await callApi<{ data: ChatMessage[] }>(`/v1/chats/${chatId}/messages?${query}`)).data;
}

/** Asks the server to stop writing a reply; what was said stays. */
export async function stopReply(chatId: string, messageId: string): Promise<void> {
  await callApi(`/v1/chats/${chatId}/messages/${messageId}/stop`, { method: "POST", body: {} });
}

/** Rates a reply; null takes the rating back. */
export async function rateMessage(
  chatId: string,
  messageId: string,
  rating: Rating | null,
  comment?: string,
): Promise<void> {
  await callApi(`/v1/chats/${chatId}/messages/${messageId}/feedback`, {
    method: "POST",
    body: { rating, ...(comment ? { comment } : {}) },
  });
}
