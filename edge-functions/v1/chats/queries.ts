// Owns the SQL of chats. Row-level security decides which rows are visible; Postgres fills in the owner of a new chat.

import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { cursorPage, idInKey } from "../cursors.ts";
import { contains, onePage } from "../sql.ts";
import { duringDays } from "../time-zones.ts";
import type { Chat, ChatsQuery, FeedbackInput } from "./schema.ts";

type Row = Omit<Chat, "feedback" | "undelivered"> & {
  rating: "up" | "down" | null;
  comment: string | null;
  undelivered: boolean;
};

const columns = (tx: Transaction) => tx`
  c.id, c.agent_id, c.team_id, c.user_id, c.title, c.summary, c.channel, c.rating, c.comment, c.created_at, c.updated_at,
  c.channel = 'slack' and exists (
    select 1 from public.messages u where u.chat_id = c.id and u.undelivered is not null) as undelivered`;

function toChat({ rating, comment, undelivered, ...row }: Row): Chat {
  return { ...row, feedback: rating && { rating, comment }, ...(undelivered && { undelivered }) };
}

/**
 * A chat c that somebody asked something, which gives it a title, or that was named. Whoever starts a chat and leaves before the question is
 * stored leaves an empty one.
 */
export const isAsked = (tx: Transaction) => tx`
  (c.title <> '' or exists (select 1 from public.messages m where m.chat_id = c.id))`;

/** A chat of an agent. */
export type Place = { agentId: string; chatId: string };

const hasReplyRated = (tx: Transaction, rating: "up" | "down") => tx`
  exists (select 1 from public.messages m where m.chat_id = c.id and m.rating = ${rating})`;

/** States that most replies have: the newest chats with one are found at once. */
const common = new Set(["answered", "unchecked"]);

const hasReplySupported = (tx: Transaction, state: string, teamId: TeamId | undefined) =>
  teamId && !common.has(state)
    ? tx`c.id in (select f.chat_id from private.find_chats_by_support(${teamId}, ${state}) f)`
    : tx`exists (select 1 from public.messages m where m.chat_id = c.id and m.support ->> 'state' = ${state})`;

/**
 * A case expression, because of the planner. It expects every second row to match a case, but almost none to match ilike, and would then
 * sort instead of walking the index.
 */
const hasWords = (tx: Transaction, search: string, teamId: TeamId | undefined) => tx`
  case when c.title ilike ${contains(search)} or c.summary ilike ${contains(search)}
         ${teamId ? tx`or c.id in (select f.chat_id from private.find_chats_by_message(${teamId}, ${search}) f)` : tx``}
       then true else false end`;

/** Newest first. */
export async function listChats(
  tx: Transaction,
  below: { agentId: string; teamId?: undefined } | { teamId: TeamId; agentId?: string },
  { chatId, channel, rating, support, search, asked, lastKey, perPage, ...days }: ChatsQuery,
) {
  const { agentId, teamId } = below;
  const rows = await tx<Row[]>`
    select ${columns(tx)} from public.chats c
     where ${teamId ? tx`c.team_id = ${teamId}` : tx`true`}
       ${agentId ? tx`and c.agent_id = ${agentId}` : tx``}
       ${duringDays(tx, tx`c.created_at`, days)}
       ${chatId ? tx`and c.id = ${chatId}` : tx``}
       ${asked ? tx`and ${isAsked(tx)}` : tx``}
       ${channel ? tx`and c.channel = ${channel}` : tx``}
       ${rating ? tx`and (c.rating = ${rating} or ${hasReplyRated(tx, rating)})` : tx``}
       ${support ? tx`and ${hasReplySupported(tx, support, teamId)}` : tx``}
       ${search ? tx`and ${hasWords(tx, search, teamId)}` : tx``}
       ${lastKey ? tx`and c.id < ${idInKey(lastKey, "chats")}` : tx``}
     order by c.id desc limit ${onePage(tx, perPage)}`;
  const { data, lastKey: next } = cursorPage(rows, perPage, "chats");
  return { data: data.map(toChat), lastKey: next };
}

export async function readChat(
  tx: Transaction,
  { agentId, chatId }: { agentId?: string; chatId: string },
): Promise<Chat | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from public.chats c
     where c.id = ${chatId} ${agentId ? tx`and c.agent_id = ${agentId}` : tx``}`;
  return row && toChat(row);
}

/** True when the caller belongs to a team and may ask its agents. */
export async function canAskTeam(tx: Transaction, teamId: string): Promise<boolean> {
  const [row] = await tx<{ own: boolean }[]>`select ${isOfOwnTeam(tx, tx`${teamId}`)} as own`;
  return row?.own ?? false;
}

const isOfOwnTeam = (tx: Transaction, team: ReturnType<typeof columns>) => tx`
  coalesce(${team} = any ((select private.teams_with('chats.write'))::uuid[]), false)`;

/** True when the caller may see an agent: their team's, or a public one. */
export async function canSeeAgent(tx: Transaction, agentId: string): Promise<boolean> {
  const [row] = await tx<{ there: boolean }[]>`select ${isSeen(tx, agentId)} as there`;
  return row?.there ?? false;
}

const isSeen = (tx: Transaction, agentId: string) => tx`
  (private.is_public_agent(${agentId}) or exists (select 1 from public.agents where id = ${agentId}))`;

/** Undefined for an agent that the caller cannot see. The route counts it. `isOwn`: as canAskTeam(). */
export async function startChat(
  tx: Transaction,
  { agentId, title = "", channel }: { agentId: string; title?: string; channel: Chat["channel"] },
): Promise<{ chat: Chat; isOwn: boolean } | undefined> {
  const [row] = await tx<(Row & { isOwn: boolean })[]>`
    insert into public.chats as c (agent_id, title, channel)
    select ${agentId}::uuid, ${title}, ${channel}
      from (select set_config('parley.is_counted', 'on', true)) counted
     where ${isSeen(tx, agentId)}
    returning ${columns(tx)}, ${isOfOwnTeam(tx, tx`c.team_id`)} as is_own`;
  if (!row) return undefined;
  const { isOwn, ...chat } = row;
  return { chat: toChat(chat), isOwn };
}

type Changes = { title?: string; summary?: string | null };

/** Undefined when no row could be changed. */
export async function updateChat(tx: Transaction, { agentId, chatId }: Place, changes: Changes) {
  const [row] = await tx<Row[]>`
    update public.chats c set ${tx(changes)}
     where c.agent_id = ${agentId} and c.id = ${chatId} returning ${columns(tx)}`;
  return row && toChat(row);
}

/** Undefined when no row could be changed. */
export async function rateChat(
  tx: Transaction,
  { agentId, chatId }: Place,
  { rating, comment }: FeedbackInput,
) {
  const [row] = await tx<Row[]>`
    update public.chats c set rating = ${rating}, comment = ${rating ? (comment ?? null) : null}
     where c.agent_id = ${agentId} and c.id = ${chatId} returning ${columns(tx)}`;
  return row && toChat(row);
}
