// Owns how the widget goes on with a visitor's chat of an earlier page or visit. Does not store it.
import { CallFailure, callAsVisitor } from "#web/client/call-api.ts";
import { type ChatMessage, messagesBefore } from "../../chats/chat.ts";

export interface KeptChat {
  token: string;
  chatId: string | null;
}

/**
 * Loads the chat as its visitor. It is forgotten only when the API refuses the visitor or the chat.
 * @returns isMissing when its messages could not be loaded
 */
export async function resumeChat(
  kept: KeptChat | null,
): Promise<{ messages: ChatMessage[]; known: boolean; isMissing?: boolean }> {
  if (!kept?.token) return { messages: [], known: false };
  callAsVisitor(kept.token);
  if (!kept.chatId) return { messages: [], known: false };
  try {
    return { messages: await messagesBefore(kept.chatId), known: true };
  } catch (failure) {
    const isRefused = failure instanceof CallFailure && [401, 403, 404].includes(failure.status);
    // After any other failure the chat is still there: the next question belongs to it.
    if (!isRefused) return { messages: [], known: true, isMissing: true };
    callAsVisitor(null);
    return { messages: [], known: false };
  }
}
