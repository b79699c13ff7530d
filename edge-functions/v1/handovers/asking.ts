// Owns requesting a handover in a chat. Permission is checked as the caller; the handover and its deliveries are written as the service.
// Idempotent while a handover is open.
import type { LanguageCode } from "../../../locales/registry.ts";
import { asCallerThenService, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { digestOf, type Hit, takeWithin } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { quotes } from "../chats/texts.ts";
import { requireRow } from "../router.ts";
import { readHandover, readLatest } from "./queries.ts";
import type { Handover, HandoverInput } from "./schema.ts";

export type Request = Pick<HandoverInput, "email" | "message"> & {
  consentVersion: string;
  /** Runs as the caller. */
  language: (tx: Transaction) => Promise<LanguageCode>;
  /** Hits for a new handover; none are taken while one is open. */
  hits: Hit[];
};

type Chat = {
  id: string;
  teamId: string;
  mayWrite: boolean;
  summary: string | null;
  rating: "up" | "down" | null;
};
type Said = {
  role: "user" | "assistant";
  content: string;
  rating: "up" | "down" | null;
  isUnanswered: boolean;
  authorName: string | null;
};

/** True for a web visitor, who cannot learn of the answer any other way once the page is closed. People in Slack read their thread. */
export const mustLeaveAddress = (claims: Claims): boolean => claims.role === "anon" && !("app_id" in claims);

/**
 * @returns the open handover of the chat, and whether it is new
 * @throws ApiError NOT_FOUND for a chat that the caller cannot see, FORBIDDEN if they may not write in it; CONFLICT if the team offers no
 *   handovers; RATE_LIMITED
 */
export async function askForPerson(
  claims: Claims,
  chatId: string,
  request: Request,
): Promise<{ handover: Handover; isNew: boolean }> {
  return await asCallerThenService(
    claims,
    async (tx) => {
      const chat = requireRow(await readAskedChat(tx, chatId));
      if (!chat.mayWrite) throw new ApiError("FORBIDDEN");
      return { chat, said: await readSaid(tx, chatId), language: await request.language(tx) };
    },
    async (tx, { chat, said, language }) => {
      if (!(await readOffer(tx, chat.teamId))) throw new ApiError("CONFLICT", refusal("nobodyOffered"));
      const open = await readLatest(tx, chatId, "open");
      if (open) return { handover: open, isNew: false };
      await takeWithin(tx, [...request.hits, ...hitsOf(chat.teamId, request.email)]);
      const [row] = await tx<{ id: string }[]>`
        insert into public.handovers (team_id, chat_id, reason, email, message, summary, language, consent_version)
        values (${chat.teamId}, ${chatId}, ${reasonOf(chat, said)}, ${request.email ?? null}, ${request.message ?? ""},
                ${chat.summary ?? quotes(said)}, ${language}, ${request.consentVersion})
        on conflict (chat_id) where status = 'open' do nothing
        returning id`;
      // A concurrent request created the handover and queued its deliveries.
      if (!row) return { handover: requireRow(await readLatest(tx, chatId, "open")), isNew: false };
      await queueDeliveries(tx, chat.teamId, row.id);
      return { handover: requireRow(await readHandover(tx, row.id)), isNew: true };
    },
  );
}

/** Whether a handover can be requested, and the latest one of a chat. @throws ApiError NOT_FOUND */
export async function readChatHandover(claims: Claims, chatId: string) {
  return await asCallerThenService(
    claims,
    async (tx) => {
      const chat = requireRow(await readAskedChat(tx, chatId));
      return { chat, handover: (await readLatest(tx, chatId)) ?? null };
    },
    async (tx, { chat, handover }) => ({
      isOffered: chat.mayWrite && (await readOffer(tx, chat.teamId)),
      needsEmail: mustLeaveAddress(claims),
      handover,
    }),
  );
}

/** A chat that the caller can see, and whether they may write in it by the same rule as the policies of messages. */
async function readAskedChat(tx: Transaction, chatId: string): Promise<Chat | undefined> {
  const [row] = await tx<Chat[]>`
    select c.id, c.team_id, c.summary, c.rating,
           coalesce(c.user_id = private.user_id() or c.api_key_id = private.claim_id('api_key_id')
                 or c.visitor_id = private.claim_id('visitor_id'), false)
             and (c.team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_open_agent(c.agent_id))
             as may_write
      from public.chats c where c.id = ${chatId}`;
  return row;
}

async function readSaid(tx: Transaction, chatId: string): Promise<Said[]> {
  const rows = await tx<Said[]>`
    select m.role, m.content, m.rating, m.author_name,
           m.unanswered or coalesce(m.support ->> 'state' = 'notFound', false) as is_unanswered
      from public.messages m
     where m.chat_id = ${chatId} and not m.superseded and m.content <> '' order by m.id desc limit 40`;
  return rows.toReversed();
}

/** Runs as the service. */
async function readOffer(tx: Transaction, teamId: string): Promise<boolean> {
  const [row] = await tx<{ isOffered: boolean }[]>`
    select is_offered from private.handover_settings where team_id = ${teamId}`;
  return row?.isOffered ?? true;
}

function reasonOf(chat: Chat, said: Said[]): Handover["reason"] {
  const last = said.findLast(({ role, authorName }) => role === "assistant" && authorName === null);
  if (last?.isUnanswered) return "notFound";
  return last?.rating === "down" || chat.rating === "down" ? "ratedDown" : "requested";
}

/**
 * Taken in addition to the caller's limits: one for the team, whose mailboxes fill up, and one for the email, which may be another
 * person's.
 */
function hitsOf(teamId: string, email: string | undefined): Hit[] {
  const team = { key: `handover:team:${teamId}`, max: 200, windowSeconds: 3600 };
  return email ? [team, { key: `handover:email:${digestOf(email)}`, max: 10, windowSeconds: 3600 }] : [team];
}

/** Queues a mail for each recipient, and the event if the team has a webhook. */
async function queueDeliveries(tx: Transaction, teamId: string, handoverId: string): Promise<void> {
  await tx`
    with settings as (
      select s.emails, s.webhook_url from private.handover_settings s where s.team_id = ${teamId}
    ), named as (
      select unnest(s.emails) as email from settings s
    ), recipients as (
      select email from named
      union
      select u.email from public.team_users m
        join public.roles r on r.id = m.role_id and r.team_id is null and r.codename = 'owner'
        join public.users u on u.id = m.user_id and u.banned_at is null
       where m.team_id = ${teamId} and m.status = 'accepted' and not exists (select 1 from named)
    )
    insert into private.handover_deliveries (team_id, handover_id, kind, email)
    select ${teamId}::uuid, ${handoverId}::uuid, 'teamMail', email from recipients
    union all
    select ${teamId}::uuid, ${handoverId}::uuid, 'webhook', null from settings where webhook_url is not null`;
}
