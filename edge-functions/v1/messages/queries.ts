// Owns the SQL of messages as their readers see them. Row-level security decides which rows there are. Replies are written
// in ./reply-store.ts.
import type { Transaction } from "../../_shared/db.ts";
import type { FeedbackInput } from "../chats/schema.ts";
import type { Message, MessagesQuery } from "./schema.ts";

type Row = Omit<Message, "feedback"> & { rating: "up" | "down" | null; comment: string | null };

export const messageColumns = (tx: Transaction) => tx`
  m.id, m.chat_id, m.role, m.content, m.status, m.citations, m.rating, m.comment, m.usage, m.created_at, m.updated_at`;

export function toMessage({ rating, comment, ...row }: Row): Message {
  return { ...row, feedback: rating && { rating, comment } };
}
export type { Row as MessageRow };

/**
 * A chat's messages, oldest first; the latest `count` of them.
 * @param lastMessageId only what came after this message, and itself where it is a reply that is or was being written
 */
export async function listMessages(
  tx: Transaction,
  chatId: string,
  { lastMessageId: after, beforeMessageId: before, count }: MessagesQuery,
): Promise<Message[]> {
  const rows = await tx<Row[]>`
    select * from (
      select ${messageColumns(tx)} from public.messages m
       where m.chat_id = ${chatId} and not m.superseded
         ${before ? tx`and m.id < ${before}` : tx``}
         ${after ? tx`and (m.id > ${after} or (m.id = ${after} and m.role = 'assistant'))` : tx``}
       order by m.id desc limit ${count}) as m
     order by m.id`;
  return rows.map(toMessage);
}

export type ChatHead = { id: string; teamId: string; agentId: string; title: string; channel: string };

const headColumns = (tx: Transaction) => tx`id, team_id, agent_id, title, channel`;

/** A chat that the caller can see. */
export async function readChatHead(tx: Transaction, chatId: string): Promise<ChatHead | undefined> {
  const [row] = await tx<ChatHead[]>`select ${headColumns(tx)} from public.chats where id = ${chatId}`;
  return row;
}

/** A chat, and whether its agent is of a team that the caller may ask the agents of. */
export type LockedChat = ChatHead & { isOwn: boolean };

/**
 * A chat that the caller can change, held until the transaction ends: whoever else would ask in it or delete it waits.
 * A statement of its own, so that the next one sees what the transaction that was waited for has written.
 */
export async function lockChatHead(tx: Transaction, chatId: string): Promise<LockedChat | undefined> {
  const [row] = await tx<LockedChat[]>`
    select ${headColumns(tx)}, team_id = any ((select private.teams_with('chats.write'))::uuid[]) as is_own
      from public.chats where id = ${chatId} for no key update`;
  return row;
}

export async function addUserMessage(tx: Transaction, chatId: string, content: string) {
  const [row] = await tx<Row[]>`
    insert into public.messages as m (chat_id, content) values (${chatId}, ${content})
    returning ${messageColumns(tx)}`;
  return row && toMessage(row);
}

/**
 * Takes a question and all that came after it out of the conversation, except for the one that replaces it.
 * @returns how many messages went; none where the chat has no such question
 */
export async function supersedeFrom(
  tx: Transaction,
  chatId: string,
  questionId: string,
  replacementId: string,
): Promise<number> {
  const rows = await tx`
    update public.messages m set superseded = true
     where m.chat_id = ${chatId} and m.id >= ${questionId} and m.id <> ${replacementId} and not m.superseded
       and exists (select 1 from public.messages q
                    where q.id = ${questionId} and q.chat_id = ${chatId} and q.role = 'user' and not q.superseded)
    returning m.id`;
  return rows.length;
}

/** undefined when no row could be changed */
export async function rateMessage(
  tx: Transaction,
  chatId: string,
  id: string,
  { rating, comment }: FeedbackInput,
) {
  const [row] = await tx<Row[]>`
    update public.messages m set rating = ${rating}, comment = ${rating ? (comment ?? null) : null}
     where m.chat_id = ${chatId} and m.id = ${id} and m.role = 'assistant' returning ${messageColumns(tx)}`;
  return row && toMessage(row);
}

/**
 * Asks a reply to stop: the message with this id, or the one that answers it. Undefined when nothing is being written
 * there or the caller may not stop it.
 */
export async function requestStop(tx: Transaction, chatId: string, id: string) {
  const [row] = await tx<Row[]>`
    update public.messages m set stop_requested = true
     where m.chat_id = ${chatId} and m.role = 'assistant' and m.status = 'streaming'
       and (m.id = ${id} or ${id} = (
             select q.id from public.messages q where q.chat_id = ${chatId} and q.role = 'user' order by q.id desc limit 1))
    returning ${messageColumns(tx)}`;
  return row && toMessage(row);
}

export async function readMessage(tx: Transaction, chatId: string, id: string) {
  const [row] = await tx<Row[]>`
    select ${messageColumns(tx)} from public.messages m where m.chat_id = ${chatId} and m.id = ${id}`;
  return row && toMessage(row);
}

export type Turn = { role: "user" | "assistant"; content: string };

/** What was said before a message, oldest first; the latest that a prompt could hold. */
export async function readHistory(tx: Transaction, chatId: string, before: string): Promise<Turn[]> {
  const rows = await tx<Turn[]>`
    select role, content from public.messages
     where chat_id = ${chatId} and id < ${before} and content <> '' and not superseded order by id desc limit 40`;
  return rows.toReversed();
}
