// Owns writing replies. Runs as the service, because no caller may write an agent's messages. Whoever opens a reply has stored its question
// under row-level security before. Does not generate a reply.
import { asService } from "../../_shared/database/db.ts";
import { type RetryPolicy, withRetries } from "../../_shared/outbound/retry.ts";
import { fromPostgres } from "../../_shared/requests/errors.ts";
import { replyLeaseSeconds } from "../../answering/reply-lease.ts";
import { type MessageRow, messageColumns, toMessage } from "./queries.ts";
import type { Citation, ConsideredPassage, Message, Support, Usage } from "./schema.ts";

export type Growing = { id: string; content: string };
export type Asked = { id: string; stopRequested: boolean };

/**
 * Saves the text so far of some replies, which also renews their leases, and reads their stop requests.
 * @param silent replies without new text, which are only checked
 * @returns one row per reply; none for a reply that was given up or deleted
 */
export async function saveReplies(growing: Growing[], silent: string[]): Promise<Asked[]> {
  return await asService(
    (tx) => tx<Asked[]>`
      with written as (
        update public.messages m set content = g.content
          from unnest(${growing.map(({ id }) => id)}::uuid[], ${growing.map(({ content }) => content)}::text[])
               as g (id, content)
         where m.id = g.id and m.status = 'streaming'
        returning m.id, m.stop_requested)
      select id, stop_requested from written
      union all
      select m.id, m.stop_requested from public.messages m
       where m.id = any (${silent}::uuid[]) and m.status = 'streaming'`,
  );
}

export type Ending = {
  status: "complete" | "stopped" | "failed";
  content: string;
  citations: Citation[];
  unanswered: boolean;
  usage: Usage | null;
  searchedFor: string | null;
  support: Support | null;
  suggestions: string[];
  /** The code of why it failed. */
  error: string | null;
  passages: ConsideredPassage[];
};

/** About as long as a reply's lease: after that another process ends it. */
const outage: RetryPolicy = { tries: 24, firstMs: 200, factor: 1.5, longestMs: 3_000 };
const outlastOutage = <T>(write: () => Promise<T>): Promise<T> =>
  withRetries(outage, undefined, write, (error) =>
    fromPostgres(error)?.code === "UNAVAILABLE" ? 0 : undefined,
  );

/**
 * Ends a reply, and stores the passages it was generated from. Waits for a database that is away: the whole reply may exist only here.
 * @returns undefined when it was given up or deleted before
 */
export function closeReply(id: string, ending: Ending): Promise<Message | undefined> {
  return outlastOutage(() => close(id, ending));
}

async function close(id: string, ending: Ending): Promise<Message | undefined> {
  const candidates = ending.passages.map(withoutWords);
  // An empty list is stored too: "no passage was found" differs from "the passages were deleted".
  const isKept = ending.status === "complete" || candidates.length > 0;
  const [row] = await asService(
    (tx) => tx<MessageRow[]>`
      with closed as (
        update public.messages m
           set status = ${ending.status}, content = ${ending.content}, citations = ${tx.json(ending.citations)},
               unanswered = ${ending.unanswered}, usage = ${ending.usage && tx.json(ending.usage)},
               searched_for = ${ending.searchedFor}, support = ${ending.support && tx.json(ending.support)},
               suggestions = ${ending.suggestions}::text[], error = ${ending.error},
               finished_at = clock_timestamp()
         where m.id = ${id} and m.status = 'streaming'
        returning ${messageColumns(tx)}, m.team_id
      ), kept as (
        insert into public.reply_passages (message_id, team_id, candidates)
        select id, team_id, ${tx.json(candidates)} from closed where ${isKept})
      select ${messageColumns(tx)} from closed m
      union all
      -- Closed by an attempt whose answer was lost.
      select ${messageColumns(tx)} from public.messages m
       where m.id = ${id} and m.status = ${ending.status} and m.content = ${ending.content}`,
  );
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

/** Gives up a chat's reply whose process died; its text is kept. @returns whether there was one */
export async function giveUpDeadReplies(chatId: string): Promise<boolean> {
  const [row] = await asService(
    (tx) =>
      tx<
        { gaveUp: boolean }[]
      >`select private.give_up_dead_reply(${chatId}, ${replyLeaseSeconds}) as gave_up`,
  );
  return row?.gaveUp ?? false;
}

/**
 * Ends replies that were opened before a moment, except some; their text is kept. Waits for a database that is away.
 * @returns their number
 */
export async function giveUpRepliesBefore(moment: Date, except: string[]): Promise<number> {
  const ended = await outlastOutage(() =>
    asService(
      (tx) => tx`
        update public.messages m set status = 'failed', finished_at = clock_timestamp()
         where m.status = 'streaming' and m.created_at < ${moment} and m.id <> all (${except}::uuid[])`,
    ),
  );
  return ended.count;
}
