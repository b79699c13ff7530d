// Loads a stored chat for a page that continues it: its newest messages and its details.

import { ApiFailure } from "../../request/api-failure.ts";
import type { DataRequest } from "../../request/request-scope.ts";
import { type ChatMessage, PAGE_OF_MESSAGES } from "./chat.ts";
import type { ChatDetails } from "./chat-details.ts";

export interface LoadedChat {
  chatId: string | null;
  /** Null when there is no chat. */
  details: ChatDetails | null;
  messages: ChatMessage[];
  /** True for another person's chat, which the reader's team lets them read. */
  readOnly: boolean;
}

const none: LoadedChat = { chatId: null, details: null, messages: [], readOnly: false };

/** A chat's newest messages; an empty chat when the id is missing or the reader cannot see the chat. */
export async function readChat({ api, viewer }: DataRequest, chatId: string | null): Promise<LoadedChat> {
  if (!chatId) return none;
  try {
    const [details, { data }, { user }] = await Promise.all([
      api.get("/v1/chats/{chatId}", { chatId }),
      api.get("/v1/chats/{chatId}/messages", { chatId, count: PAGE_OF_MESSAGES }),
      viewer,
    ]);
    return { chatId, details, messages: data, readOnly: user !== null && details.userId !== user.id };
  } catch (error) {
    // The address of a visitor whose cookie is gone, or a mistyped id. A new chat is better than an error.
    if (error instanceof ApiFailure && error.status < 500) return none;
    throw error;
  }
}
