// Owns a question from Slack in our own chat: written once whoever dies on the way, answered by the code that answers
// everywhere. The event learns of its question and reply in the transaction that writes them.
import { asCaller, asService, type Claims } from "../_shared/database/db.ts";
import type { Hit } from "../_shared/requests/limits.ts";
import { beginQuestion } from "../v1/messages/beginning.ts";
import { readMessage } from "../v1/messages/queries.ts";
import { type RunningReply, startReply } from "../v1/messages/replies.ts";
import type { Message } from "../v1/messages/schema.ts";
import type { Claim } from "./queue.ts";
import type { Thread } from "./threads.ts";

/** The reply of an earlier worker that is whole, or one that is being made now. */
export type Answer = { done: Message } | { running: RunningReply; replyId: string };

/**
 * Adds the question to the thread's chat and starts the reply, or goes on where an earlier worker has got that far.
 * @param hits what a new question counts as
 * @throws ApiError RATE_LIMITED; NOT_FOUND when the agent is out of reach; FORBIDDEN; CONFLICT while the chat's last reply is being written;
 *   ClaimLost
 */
export async function askOnce(
  claim: Claim,
  thread: Thread,
  claims: Claims,
  content: string,
  hits: Hit[],
): Promise<Answer> {
  const written = await replyOf(claim, claims, thread.chatId);
  if (written) return { done: written };
  const { questionId } = claim.event;
  // The thread may have got another chat since, with another agent: there the question is a new one.
  const known = questionId && (await asCaller(claims, (tx) => readMessage(tx, thread.chatId, questionId)));
  const asked = known ? { questionId: known.id } : { content };
  const { agent, channel, question, reply, history } = await beginQuestion(claims, thread.chatId, asked, {
    // What an earlier worker has stored was counted then.
    hits: () => (known ? [] : hits),
    keep: (tx, begun) => claim.keepWithin(tx, begun),
  });
  claim.remember({ questionId: question.id, replyId: reply.id });
  return { running: startReply(reply, { agent, channel, history, question: content }), replyId: reply.id };
}

/** The reply of an earlier worker, if it came to its end. */
export async function replyOf(claim: Claim, claims: Claims, chatId: string): Promise<Message | undefined> {
  const { replyId } = claim.event;
  if (replyId === null) return undefined;
  const reply = await asCaller(claims, (tx) => readMessage(tx, chatId, replyId));
  return reply?.status === "streaming" ? undefined : reply;
}

/** Takes back what this process had begun to say, for the worker that goes on. */
export async function takeBack(claim: Claim): Promise<void> {
  const { replyId } = claim.event;
  if (replyId === null) return;
  await asService(async (tx) => {
    await tx`delete from public.messages where id = ${replyId} and role = 'assistant'`;
    await claim.keepWithin(tx, { replyId: null });
  });
  claim.remember({ replyId: null });
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
