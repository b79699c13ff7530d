// Loads a stored conversation for a page that goes on with it: its newest messages and what is said of it as a whole.
import { type ChatMessage, PAGE_OF_MESSAGES } from "../browser/chat.ts";
import type { ChatDetails } from "../browser/chat-details.ts";
import { ApiFailure } from "./api-failure.ts";
import type { DataRequest } from "./request-scope.ts";

export interface LoadedChat {
  chatId: string | null;
  /** Null where there is no chat. */
  details: ChatDetails | null;
  messages: ChatMessage[];
  /** Whether it is somebody else's, whom the reader's team lets them read. */
  readOnly: boolean;
}

const none: LoadedChat = { chatId: null, details: null, messages: [], readOnly: false };

/** A chat's newest messages; no chat at all when the id is missing or names none that the reader can see. */
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
    // An old address of a visitor whose cookie is gone, or a mistyped id: a new chat is better than an error.
    if (error instanceof ApiFailure && error.status < 500) return none;
    throw error;
  }
}
