// Owns what happens when somebody asks in a chat: their message under row-level security, then the agent's reply.
import { asCaller, type Claims } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { titleFromQuestion } from "../chats/texts.ts";
import { found } from "../router.ts";
import * as queries from "./queries.ts";
import { type RunningReply, startReply } from "./replies.ts";
import { giveUpDeadReplies, openReply } from "./reply-store.ts";
import type { Message } from "./schema.ts";

/**
 * Adds a message as the caller and starts the reply to it.
 * @throws ApiError NOT_FOUND or FORBIDDEN for a chat that is not theirs to write in; CONFLICT while a reply is being written
 */
export async function ask(
  claims: Claims,
  chatId: string,
  content: string,
): Promise<{ message: Message; running: RunningReply }> {
  const chat = found(await asCaller(claims, (tx) => queries.readChatHead(tx, chatId)));
  await giveUpDeadReplies(chatId);
  const { message, history } = await asCaller(claims, async (tx) => {
    if (await queries.isAnswering(tx, chatId)) {
      throw new ApiError("CONFLICT", "The agent is still answering in this chat. Wait, or stop it.");
    }
    const message = found(await queries.addUserMessage(tx, chatId, content));
    if (chat.title === "") {
      const title = titleFromQuestion([message]);
      await tx`update public.chats set title = ${title} where id = ${chatId} and title = ''`;
    }
    return { message, history: await queries.readHistory(tx, chatId, message.id) };
  });
  const reply = await openReply(chatId, message.id);
  return { message, running: startReply(reply, { agentId: chat.agentId, history, question: content }) };
}
