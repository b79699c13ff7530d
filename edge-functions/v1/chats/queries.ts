// Owns the SQL of chats. Row-level security decides which rows there are; whose a new chat is, Postgres fills in.

import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { cursorPage, idInKey } from "../cursors.ts";
import { contains, onePage } from "../sql.ts";
import { duringDays } from "../time-zones.ts";
import type { Chat, ChatsQuery, FeedbackInput } from "./schema.ts";

type Row = Omit<Chat, "feedback"> & { rating: "up" | "down" | null; comment: string | null };

const columns = (tx: Transaction) => tx`
  c.id, c.agent_id, c.team_id, c.user_id, c.title, c.summary, c.channel, c.rating, c.comment, c.created_at, c.updated_at`;

function toChat({ rating, comment, ...row }: Row): Chat {
  return { ...row, feedback: rating && { rating, comment } };
}

/** Where a chat is: below an agent. */
export type Place = { agentId: string; chatId: string };

const hasReplyRated = (tx: Transaction, rating: "up" | "down") => tx`
  exists (select 1 from public.messages m where m.chat_id = c.id and m.rating = ${rating})`;

const hasReplySupported = (tx: Transaction, state: string) => tx`
  exists (select 1 from public.messages m where m.chat_id = c.id and m.support ->> 'state' = ${state})`;

/** A case, for which Postgres expects every second row: of ilike it expects next to none, and sorts instead of walking. */
const hasWords = (tx: Transaction, search: string) => tx`
  case when c.title ilike ${contains(search)} or c.summary ilike ${contains(search)} then true else false end`;

/** Newest first. */
export async function listChats(
  tx: Transaction,
  below: { agentId: string; teamId?: undefined } | { teamId: TeamId; agentId?: string },
  { chatId, channel, rating, support, search, lastKey, perPage, ...days }: ChatsQuery,
) {
  const { agentId, teamId } = below;
  const rows = await tx<Row[]>`
    select ${columns(tx)} from public.chats c
     where ${teamId ? tx`c.team_id = ${teamId}` : tx`true`}
       ${agentId ? tx`and c.agent_id = ${agentId}` : tx``}
       ${duringDays(tx, tx`c.created_at`, days)}
       ${chatId ? tx`and c.id = ${chatId}` : tx``}
       ${channel ? tx`and c.channel = ${channel}` : tx``}
       ${rating ? tx`and (c.rating = ${rating} or ${hasReplyRated(tx, rating)})` : tx``}
       ${support ? tx`and ${hasReplySupported(tx, support)}` : tx``}
       ${search ? tx`and ${hasWords(tx, search)}` : tx``}
       ${lastKey ? tx`and c.id < ${idInKey(lastKey)}` : tx``}
     order by c.id desc limit ${onePage(tx, perPage)}`;
  const { data, lastKey: next } = cursorPage(rows, perPage);
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

/** Whether the caller is one of a team that may ask its agents, and no stranger. */
export async function mayAskTeam(tx: Transaction, teamId: string): Promise<boolean> {
  const [row] = await tx<{ own: boolean }[]>`
    select ${teamId} = any ((select private.teams_with('chats.write'))::uuid[]) as own`;
  return row?.own ?? false;
}

/** Whether the caller may know of an agent: their team's, or a public one. */
export async function agentIsThere(tx: Transaction, agentId: string): Promise<boolean> {
  const [row] = await tx<{ there: boolean }[]>`
    select private.is_public_agent(${agentId}) or exists (select 1 from public.agents where id = ${agentId}) as there`;
  return row?.there ?? false;
}

export async function startChat(
  tx: Transaction,
  { agentId, title = "", channel }: { agentId: string; title?: string; channel: Chat["channel"] },
): Promise<Chat | undefined> {
  const [row] = await tx<Row[]>`
    insert into public.chats as c (agent_id, title, channel) values (${agentId}, ${title}, ${channel})
    returning ${columns(tx)}`;
  return row && toChat(row);
}

type Changes = { title?: string; summary?: string | null };

/** undefined when no row could be changed */
export async function updateChat(tx: Transaction, { agentId, chatId }: Place, changes: Changes) {
  const [row] = await tx<Row[]>`
    update public.chats c set ${tx(changes)}
     where c.agent_id = ${agentId} and c.id = ${chatId} returning ${columns(tx)}`;
  return row && toChat(row);
}

/** undefined when no row could be changed */
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
