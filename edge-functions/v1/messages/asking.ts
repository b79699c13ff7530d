// Owns what happens when somebody asks in a chat: their message under row-level security, then the agent's reply.
import { asCaller, type Claims } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { titleFromQuestion } from "../chats/texts.ts";
import { found } from "../router.ts";
import * as queries from "./queries.ts";
import { type RunningReply, startReply } from "./replies.ts";
import { giveUpDeadReplies, openReply } from "./reply-store.ts";
import type { Message, NewMessage } from "./schema.ts";
import { requireDraft, requireKnowledgeReader } from "./trials.ts";

/**
 * Adds a message as the caller, in place of an earlier one where it replaces one, and starts the reply to it.
 * @throws ApiError NOT_FOUND or FORBIDDEN for a chat that is not theirs to write in; CONFLICT while a reply is being written
 */
export async function ask(
  claims: Claims,
  chatId: string,
  { content, replaces, draft, explain }: NewMessage,
): Promise<{ message: Message; running: RunningReply }> {
  const chat = await asCaller(claims, async (tx) => {
    const head = found(await queries.readChatHead(tx, chatId));
    if (draft && head.channel !== "playground") {
      throw new ApiError("CONFLICT", "Settings are tried in chats of the playground alone.");
    }
    if (draft) await requireDraft(tx, head.agentId, draft);
    if (explain) await requireKnowledgeReader(tx, head.agentId);
    return head;
  });
  await giveUpDeadReplies(chatId);
  const { message, history } = await asCaller(claims, async (tx) => {
    if (await queries.isAnswering(tx, chatId)) {
      throw new ApiError("CONFLICT", "The agent is still answering in this chat. Wait, or stop it.");
    }
    if (replaces && (await queries.supersedeFrom(tx, chatId, replaces)) === 0) {
      const seen = await queries.readMessage(tx, chatId, replaces);
      if (seen?.role === "assistant") throw new ApiError("CONFLICT", "Only a question is asked again.");
      throw new ApiError(seen ? "FORBIDDEN" : "NOT_FOUND");
    }
    const message = found(await queries.addUserMessage(tx, chatId, content));
    if (chat.title === "") {
      const title = titleFromQuestion([message]);
      await tx`update public.chats set title = ${title} where id = ${chatId} and title = ''`;
    }
    return { message, history: await queries.readHistory(tx, chatId, message.id) };
  });
  const reply = await openReply(chatId, message.id);
  const trial = draft && { claims, settings: draft };
  return {
    message,
    running: startReply(reply, { agentId: chat.agentId, trial, history, question: content }),
  };
}
