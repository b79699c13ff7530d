// Owns how a question begins, for every door that stores what is asked: one transaction under a lock of the chat, so that of
// two at once one wins and the other changes nothing. Row-level security decides who may ask; the reply is opened as the
// service, which alone writes what an agent says. Does not make the reply.
import { asCallerThenService, type Claims, type Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { type Hit, takeWithin } from "../../_shared/limits.ts";
import type { Payer } from "../../_shared/usage-limits.ts";
import { titleFromQuestion } from "../chats/texts.ts";
import { found } from "../router.ts";
import * as queries from "./queries.ts";
import { openReply } from "./reply-store.ts";
import type { Message } from "./schema.ts";

export type Asked =
  | { content: string; replaces?: string }
  /** A stored question whose reply was never finished: what was said of it is thrown away. */
  | { questionId: string };

export type Beginning = {
  agentId: string;
  question: Message;
  reply: Message;
  /** What was said before the question, oldest first. */
  history: queries.Turn[];
};

export type Alongside = {
  /** As the caller, once the chat is locked: refuses by throwing. */
  check?: (tx: Transaction, chat: queries.ChatHead) => Promise<void>;
  /** What the question counts as, for whoever pays for the answer. */
  hits?: (payer: Payer) => Hit[];
  /** As the service, at the end: written with the question or not at all. */
  keep?: (tx: Transaction, begun: { questionId: string; replyId: string }) => Promise<void>;
};

/**
 * Stores a question, in place of an earlier one where it replaces one, and opens the reply to it.
 * @throws ApiError NOT_FOUND or FORBIDDEN for a chat that is not theirs to write in; CONFLICT while a reply is being written,
 *   or for a question that was asked again already; RATE_LIMITED. Nothing is changed then.
 */
export async function beginQuestion(
  claims: Claims,
  chatId: string,
  asked: Asked,
  { check, hits, keep }: Alongside,
): Promise<Beginning> {
  return await asCallerThenService(
    claims,
    async (tx) => {
      const chat = found(await queries.lockChatHead(tx, chatId));
      await check?.(tx, chat);
      if ("questionId" in asked) {
        const question = found(await queries.readMessage(tx, chatId, asked.questionId));
        return { chat, question };
      }
      const question = found(await queries.addUserMessage(tx, chatId, asked.content));
      if (chat.title === "") {
        await tx`update public.chats set title = ${titleFromQuestion([question])} where id = ${chatId}`;
      }
      return { chat, question };
    },
    async (tx, { chat, question }) => {
      await takeWithin(tx, hits?.(chat) ?? []);
      if ("questionId" in asked) await dropUnfinished(tx, chatId, question.id);
      else if (asked.replaces) await replace(tx, chatId, asked.replaces, question.id);
      const history = await queries.readHistory(tx, chatId, question.id);
      const reply = await openReply(tx, chatId);
      await keep?.(tx, { questionId: question.id, replyId: reply.id });
      return { agentId: chat.agentId, question, reply, history };
    },
  );
}

/** As the service: the caller has just written in the chat, and a question there is theirs. */
async function replace(tx: Transaction, chatId: string, old: string, replacement: string): Promise<void> {
  if ((await queries.supersedeFrom(tx, chatId, old, replacement)) > 0) return;
  const { role } = found(await queries.readMessage(tx, chatId, old));
  throw new ApiError(
    "CONFLICT",
    role === "assistant" ? "Only a question is asked again." : "This question was asked again already.",
  );
}

/** Removes what a dead worker had begun to say to a question; if it lives after all, it finds its reply gone and ends. */
async function dropUnfinished(tx: Transaction, chatId: string, questionId: string): Promise<void> {
  await tx`
    delete from public.messages
     where chat_id = ${chatId} and role = 'assistant' and id > ${questionId} and status in ('streaming', 'failed')
       and not exists (select 1 from public.messages q
                        where q.chat_id = ${chatId} and q.role = 'user' and q.id > ${questionId} and q.id < messages.id)`;
}
