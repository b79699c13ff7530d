// Owns the SQL that reads messages. Row-level security decides which rows are visible. ./reply-store.ts writes replies.
import type { Transaction } from "../../_shared/database/db.ts";
import { errorCodes, wordsOf } from "../../_shared/requests/errors.ts";
import { isRefusalCode, refusal } from "../../_shared/requests/refusals.ts";
import type { FeedbackInput } from "../chats/schema.ts";
import type { Message, MessagesQuery, Reason } from "./schema.ts";

type Row = Omit<Message, "feedback" | "author" | "error" | "undelivered"> & {
  rating: "up" | "down" | null;
  comment: string | null;
  authorName: string | null;
  error: string | null;
  undelivered: string | null;
};

export const messageColumns = (tx: Transaction) => tx`
  m.id, m.chat_id, m.role, m.content, m.status, m.citations, m.rating, m.comment, m.usage, m.searched_for,
  m.support, m.author_name, m.suggestions, m.error, m.undelivered, m.created_at, m.updated_at`;

export function toMessage({ rating, comment, authorName, error, undelivered, ...row }: Row): Message {
  return {
    ...row,
    ...(error !== null && { error: reasonOf(error) }),
    ...(undelivered !== null && { undelivered: reasonOf(undelivered) }),
    feedback: rating && { rating, comment },
    author: authorName === null ? null : { type: "person", name: authorName },
  };
}
export type { Row as MessageRow };

/** A stored code with its sentence for developers. An archive of a newer release may bring a code that is unknown here. */
function reasonOf(code: string): Reason {
  if (isRefusalCode(code)) return { code, message: refusal(code).message };
  const known = errorCodes.find((one) => one === code) ?? "UPSTREAM_FAILED";
  return { code, message: wordsOf(known) };
}

/**
 * The latest `count` messages of a chat, oldest first.
 * @param lastMessageId only messages after this one, and this one too if it is a reply that is or was being written
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

/** A chat that the caller can see. */
export async function readChatHead(
  tx: Transaction,
  chatId: string,
): Promise<{ agentId: string } | undefined> {
  const [row] = await tx<{ agentId: string }[]>`select agent_id from public.chats where id = ${chatId}`;
  return row;
}

/** Undefined when no row could be changed. */
export async function rateMessage(
  tx: Transaction,
  chatId: string,
  id: string,
  { rating, comment }: FeedbackInput,
) {
  const [row] = await tx<Row[]>`
    update public.messages m set rating = ${rating}, comment = ${rating ? (comment ?? null) : null}
     where m.chat_id = ${chatId} and m.id = ${id} and m.role = 'assistant' and m.author_name is null
    returning ${messageColumns(tx)}`;
  return row && toMessage(row);
}

/**
 * Requests a stop of a reply: the message with this id, or the reply to it. Undefined when no reply is being written there or the caller
 * may not stop it.
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
