// Owns a Slack question in our own chat: stored exactly once even if workers crash, and answered by the same code as everywhere.
// The event records its question and reply in the transaction that writes them.
import { asCaller, asService, type Claims } from "../_shared/database/db.ts";
import type { Hit } from "../_shared/requests/limits.ts";
import { beginQuestion } from "../v1/messages/beginning.ts";
import { readMessage } from "../v1/messages/queries.ts";
import { type RunningReply, startReply } from "../v1/messages/replies.ts";
import type { Message } from "../v1/messages/schema.ts";
import type { Claim } from "./queue.ts";
import type { Thread } from "./threads.ts";

/** An earlier worker's finished reply, or one that is being written now. */
export type Answer = { done: Message } | { running: RunningReply; replyId: string };

/**
 * Adds the question to the thread's chat and starts the reply, or resumes from where an earlier worker stopped.
 * @param hits the rate-limit hits of a new question
 * @throws ApiError RATE_LIMITED; NOT_FOUND when the agent is not accessible; FORBIDDEN; CONFLICT while the chat's last reply is
 * being written; ClaimLost
 */
export async function askOnce(
  claim: Claim,
  thread: Thread,
  claims: Claims,
  content: string,
  hits: Hit[],
): Promise<Answer> {
  const written = await replyOf(claim, claims, thread.chatId);
  // One that failed because its workspace removed the app is written again: once, after the next install.
  const isCutOff = written?.status === "failed" && written.undelivered?.code === "slackDisconnected";
  if (written && !isCutOff) return { done: written };
  const { questionId } = claim.event;
  // The thread may have moved to a new chat with another agent: there the question is new.
  const known = questionId && (await asCaller(claims, (tx) => readMessage(tx, thread.chatId, questionId)));
  const asked = known ? { questionId: known.id } : { content };
  const { agent, channel, question, reply, history } = await beginQuestion(claims, thread.chatId, asked, {
    // A question stored by an earlier worker has been counted.
    hits: () => (known ? [] : hits),
    keep: (tx, begun) => claim.keepWithin(tx, begun),
  });
  claim.remember({ questionId: question.id, replyId: reply.id });
  const request = { agent, channel, history, question: content };
  return { running: startReply(reply, request, claims), replyId: reply.id };
}

/** An earlier worker's reply, if it is finished. */
export async function replyOf(claim: Claim, claims: Claims, chatId: string): Promise<Message | undefined> {
  const { replyId } = claim.event;
  if (replyId === null) return undefined;
  const reply = await asCaller(claims, (tx) => readMessage(tx, chatId, replyId));
  return reply?.status === "streaming" ? undefined : reply;
}

/** Deletes the reply that this process began, so that the next worker can start over. */
export async function discardReply(claim: Claim): Promise<void> {
  const { replyId } = claim.event;
  if (replyId === null) return;
  await asService(async (tx) => {
    await tx`delete from public.messages where id = ${replyId} and role = 'assistant'`;
    await claim.keepWithin(tx, { replyId: null });
  });
  claim.remember({ replyId: null });
}

/** Requests a stop of the streaming replies in a chat. @param only the id of one reply @returns their ids */
export async function stopReplies(claims: Claims, chatId: string, only?: string): Promise<string[]> {
  const rows = await asCaller(
    claims,
    (tx) => tx<{ id: string }[]>`
      update public.messages set stop_requested = true
       where chat_id = ${chatId} and role = 'assistant' and status = 'streaming'
         and id = coalesce(${only ?? null}::uuid, id) returning id`,
  );
  return rows.map(({ id }) => id);
}
