// Owns a question from Slack in our own chat: written once whoever dies on the way, answered by the code that answers
// everywhere. What is said is written under row-level security; what a dead worker left is cleared away as the service.
import { asCaller, asService, type Claims } from "../_shared/db.ts";
import { titleFromQuestion } from "../v1/chats/texts.ts";
import {
  addUserMessage,
  type MessageRow,
  messageColumns,
  readHistory,
  readMessage,
  toMessage,
} from "../v1/messages/queries.ts";
import { type RunningReply, startReply } from "../v1/messages/replies.ts";
import { giveUpDeadReplies, openReply } from "../v1/messages/reply-store.ts";
import type { Message } from "../v1/messages/schema.ts";
import type { Claim } from "./queue.ts";
import type { Thread } from "./threads.ts";

/** The reply of an earlier worker that is whole, or one that is being made now. */
export type Answer = { done: Message } | { running: RunningReply; replyId: string };

/**
 * Adds the question to the thread's chat and starts the reply, or finds both where an earlier worker has got that far.
 * @throws ApiError NOT_FOUND when the agent is out of reach; FORBIDDEN
 */
export async function askOnce(
  claim: Claim,
  thread: Thread,
  claims: Claims,
  content: string,
): Promise<Answer> {
  const { chatId, agentId } = thread;
  const question = await questionOf(claim, claims, chatId, content);
  const written = await replyOf(claim, claims, chatId);
  if (written) return { done: written };
  await giveUpDeadReplies(chatId);
  await dropUnfinished(chatId, question.id);
  const history = await asCaller(claims, (tx) => readHistory(tx, chatId, question.id));
  const reply = await openReply(chatId, question.id);
  await claim.keep({ replyId: reply.id });
  return { running: startReply(reply, { agentId, history, question: content }), replyId: reply.id };
}

async function questionOf(claim: Claim, claims: Claims, chatId: string, content: string): Promise<Message> {
  const { questionId, attempts } = claim.event;
  const known =
    questionId === null
      ? attempts > 1 && (await findQuestion(claim, chatId, content))
      : await asCaller(claims, (tx) => readMessage(tx, chatId, questionId));
  if (known) {
    if (questionId === null) await claim.keep({ questionId: known.id });
    return known;
  }
  const question = await asCaller(claims, async (tx) => {
    const message = await addUserMessage(tx, chatId, content);
    if (!message) throw new Error("A message that was written cannot be read");
    const title = titleFromQuestion([message]);
    await tx`update public.chats set title = ${title} where id = ${chatId} and title = ''`;
    return message;
  });
  await claim.keep({ questionId: question.id });
  return question;
}

/** A question that was written by a worker who died before the event could say so. */
async function findQuestion(claim: Claim, chatId: string, content: string): Promise<Message | undefined> {
  const [row] = await asService(
    (tx) => tx<MessageRow[]>`
      select ${messageColumns(tx)} from public.messages m
       where m.chat_id = ${chatId} and m.role = 'user' and m.content = ${content}
         and m.created_at >= ${claim.event.createdAt}
         and not exists (select 1 from private.slack_events e where e.question_id = m.id)
       order by m.id limit 1`,
  );
  return row && toMessage(row);
}

/** The reply of an earlier worker, if it came to its end. */
export async function replyOf(claim: Claim, claims: Claims, chatId: string): Promise<Message | undefined> {
  const { replyId } = claim.event;
  if (replyId === null) return undefined;
  const reply = await asCaller(claims, (tx) => readMessage(tx, chatId, replyId));
  return reply?.status === "streaming" ? undefined : reply;
}

/** Removes what a dead worker had begun to say to a question; if it lives after all, it finds its reply gone and ends. */
async function dropUnfinished(chatId: string, questionId: string): Promise<void> {
  await asService(
    (tx) => tx`
      delete from public.messages
       where chat_id = ${chatId} and role = 'assistant' and id > ${questionId} and status in ('streaming', 'failed')
         and not exists (select 1 from public.messages q
                          where q.chat_id = ${chatId} and q.role = 'user' and q.id > ${questionId} and q.id < messages.id)`,
  );
}

/** Takes back what this process had begun to say, for the worker that goes on. */
export async function takeBack(claim: Claim): Promise<void> {
  const { replyId } = claim.event;
  if (replyId === null) return;
  await asService((tx) => tx`delete from public.messages where id = ${replyId} and role = 'assistant'`);
  await claim.keep({ replyId: null });
}

/** Asks whatever is being said in a chat to stop. @returns the replies */
export async function stopReplies(claims: Claims, chatId: string): Promise<string[]> {
  const rows = await asCaller(
    claims,
    (tx) => tx<{ id: string }[]>`
      update public.messages set stop_requested = true
       where chat_id = ${chatId} and role = 'assistant' and status = 'streaming' returning id`,
  );
  return rows.map(({ id }) => id);
}
