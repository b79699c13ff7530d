// Loads a stored conversation for a page that goes on with it.
import type { ChatMessage } from "../browser/chat.ts";
import { ApiFailure } from "./api-failure.ts";
import type { RequestScope } from "./request-scope.ts";

/** A chat's messages; no chat at all when the id is missing or names none that the reader can see. */
export async function readChat(
  { api }: RequestScope,
  chatId: string | null,
): Promise<{ chatId: string | null; messages: ChatMessage[] }> {
  if (!chatId) return { chatId: null, messages: [] };
  try {
    const { data } = await api.get("/v1/chats/{chatId}/messages", { chatId });
    return { chatId, messages: data };
  } catch (error) {
    // An old address of a visitor whose cookie is gone, or a mistyped id: a new chat is better than an error.
    if (error instanceof ApiFailure && error.status < 500) return { chatId: null, messages: [] };
    throw error;
  }
}
