// Calls /v1 about a chat as a whole: its title, its summary, its feedback.
import type { AnswerOf } from "../../client/api-calls.ts";
import { getApi, sendApi } from "../../client/call-api.ts";
import type { Rating } from "./chat.ts";

export type ChatDetails = Pick<
  AnswerOf<"GET", "/v1/chats/{chatId}">,
  "id" | "agentId" | "userId" | "title" | "summary" | "feedback" | "channel" | "createdAt"
>;
type Chat = Pick<ChatDetails, "id" | "agentId">;

const placeOf = ({ id, agentId }: Chat) => ({ agentId, chatId: id });

export const readDetails = (chatId: string): Promise<ChatDetails> => getApi("/v1/chats/{chatId}", { chatId });

/** Sets a chat's title. */
export async function nameChat(chat: Chat, title: string): Promise<string> {
  const path = "/v1/agents/{agentId}/chats/{chatId}/title";
  return (await sendApi("POST", path, placeOf(chat), { title })).title;
}

/** Asks the model for a chat's summary. */
export async function summariseChat(chat: Chat): Promise<string> {
  const path = "/v1/agents/{agentId}/chats/{chatId}/summary";
  return (await sendApi("POST", path, placeOf(chat), {})).summary;
}

/** Sets a chat's summary; null clears it. */
export async function setSummary(chat: Chat, summary: string | null): Promise<void> {
  const path = "/v1/agents/{agentId}/chats/{chatId}/summary";
  if (summary === null) await sendApi("DELETE", path, placeOf(chat));
  else await sendApi("PUT", path, placeOf(chat), { summary });
}

export async function rateChat(chat: Chat, rating: Rating | null, comment?: string): Promise<void> {
  const feedback = { rating, ...(comment ? { comment } : {}) };
  await sendApi("POST", "/v1/agents/{agentId}/chats/{chatId}/feedback", placeOf(chat), feedback);
}
