// Owns the writing of replies. It runs as the service, because no caller may write what an agent says; whoever opens a reply
// has added a question of theirs under row-level security before. Does not make a reply.
import { asService, type Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { type MessageRow, messageColumns, toMessage } from "./queries.ts";
import type { Citation, ConsideredPassage, Message, Usage } from "./schema.ts";

/** A reply that nobody has written to for so long belongs to a process that died. */
export const leaseSeconds = 60;

/**
 * Opens a reply within the transaction that stored its question. Two at once would talk over each other: the index
 * messages_streaming_key lets one in.
 * @throws ApiError CONFLICT while another reply of the chat is being written
 */
export async function openReply(tx: Transaction, chatId: string): Promise<Message> {
  await giveUpDead(tx, chatId);
  const [opened] = await tx<MessageRow[]>`
    insert into public.messages as m (chat_id, role, status) values (${chatId}, 'assistant', 'streaming')
    on conflict (chat_id) where status = 'streaming' do nothing
    returning ${messageColumns(tx)}`;
  if (!opened) throw new ApiError("CONFLICT", "The agent is still answering in this chat. Wait, or stop it.");
  return toMessage(opened);
}

/**
 * Writes what has been said so far, which also keeps the reply alive.
 * @returns go on, stop because somebody asked, or lost because the reply was given up or deleted
 */
export async function saveReply(id: string, content: string): Promise<"go on" | "stop" | "lost"> {
  const [row] = await asService(
    (tx) => tx<{ stopRequested: boolean }[]>`
      update public.messages set content = ${content} where id = ${id} and status = 'streaming'
      returning stop_requested`,
  );
  if (!row) return "lost";
  return row.stopRequested ? "stop" : "go on";
}

/** Whether somebody asked a reply to stop. */
export async function stopWasRequested(id: string): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ stopRequested: boolean }[]>`select stop_requested from public.messages where id = ${id}`,
  );
  return row?.stopRequested ?? true;
}

export type Ending = {
  status: "complete" | "stopped" | "failed";
  content: string;
  citations: Citation[];
  unanswered: boolean;
  usage: Usage | null;
  passages: ConsideredPassage[];
};

/** Ends a reply, and keeps what it was made from; undefined when it had been given up or deleted. */
export async function closeReply(id: string, ending: Ending): Promise<Message | undefined> {
  const row = await asService(async (tx) => {
    const [closed] = await tx<(MessageRow & { teamId: string })[]>`
      update public.messages m
         set status = ${ending.status}, content = ${ending.content}, citations = ${tx.json(ending.citations)},
             unanswered = ${ending.unanswered}, usage = ${ending.usage && tx.json(ending.usage)},
             finished_at = clock_timestamp()
       where m.id = ${id} and m.status = 'streaming'
      returning ${messageColumns(tx)}, m.team_id`;
    if (!closed) return undefined;
    const { teamId, ...message } = closed;
    // Without any too: that nothing was found is something else than that it is no longer known.
    if (ending.status === "complete" || ending.passages.length > 0) {
      await tx`insert into public.reply_passages (message_id, team_id, candidates)
               values (${id}, ${teamId}, ${tx.json(ending.passages.map(withoutWords))})`;
    }
    return message;
  });
  return row && toMessage(row);
}

function withoutWords({
  chunkId,
  index,
  dropped,
  score,
  vectorRank,
  vectorScore,
  textRank,
  textScore,
}: ConsideredPassage) {
  return { chunkId, index, dropped, score, vectorRank, vectorScore, textRank, textScore };
}

/** Gives up a chat's reply whose process died; what was said is kept. @returns whether there was one */
export function giveUpDeadReplies(chatId: string): Promise<boolean> {
  return asService((tx) => giveUpDead(tx, chatId));
}

async function giveUpDead(tx: Transaction, chatId: string): Promise<boolean> {
  const rows = await tx`
    update public.messages set status = 'failed', finished_at = clock_timestamp()
     where chat_id = ${chatId} and status = 'streaming'
       and updated_at < clock_timestamp() - make_interval(secs => ${leaseSeconds})
    returning id`;
  return rows.length > 0;
}
