// Owns the content of a delivery about a handover. It is read when it is sent, so that no copy outlives a deleted chat.
import type { LanguageCode } from "../../locales/registry.ts";
import type { Transaction } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";

export type HandoverNotice = {
  handover: {
    id: string;
    status: string;
    reason: "requested" | "notFound" | "ratedDown";
    email: string | null;
    message: string;
    summary: string;
    language: LanguageCode;
    consentVersion: string;
    consentedAt: string;
    createdAt: string;
  };
  chat: { id: string; title: string; channel: string };
  team: { id: string; name: string; codename: string };
  agent: { id: string; name: string };
  /** The account of the chat's person, if they have one. */
  account: { email: string; locale: LanguageCode } | null;
  /** False for an account that may no longer talk to the agent: it was banned, or left the team of a private one. */
  mayBeAnswered: boolean;
  /** The messages before a person was asked for, oldest first. */
  transcript: { role: string; content: string; author: string | null; createdAt: string }[];
  /** The page where the team answers. */
  url: string;
};

/** Maximum messages in a transcript, the latest ones. The team's page shows all of them. */
const mostMessages = 100;

/** Runs as the service. Undefined when the handover was deleted. */
export async function readNotice(
  tx: Transaction,
  teamId: string,
  handoverId: string,
): Promise<HandoverNotice | undefined> {
  const [row] = await tx<Omit<HandoverNotice, "url" | "transcript">[]>`
    select jsonb_build_object(
             'id', h.id, 'status', h.status, 'reason', h.reason, 'email', h.email, 'message', h.message, 'summary', h.summary,
             'language', h.language, 'consentVersion', h.consent_version,
             'consentedAt', ${utc(tx, "h.consented_at")}, 'createdAt', ${utc(tx, "h.created_at")}) as handover,
           jsonb_build_object('id', c.id, 'title', c.title, 'channel', c.channel) as chat,
           jsonb_build_object('id', t.id, 'name', t.name, 'codename', t.codename) as team,
           jsonb_build_object('id', a.id, 'name', a.name) as agent,
           case when u.id is not null then jsonb_build_object('email', u.email, 'locale', u.locale) end as account,
           not exists (select from public.users p where p.id = c.user_id) or u.id is not null and (a.visibility = 'public' or exists (
             select from public.team_users tu join public.roles r on r.id = tu.role_id
              where tu.team_id = c.team_id and tu.user_id = u.id and tu.status = 'accepted' and 'chats.write' = any (r.permissions)))
             as may_be_answered
      from public.handovers h
      join public.chats c on c.id = h.chat_id
      join public.teams t on t.id = h.team_id
      join public.agents a on a.id = c.agent_id
      left join public.users u on u.id = c.user_id and u.banned_at is null
     where h.team_id = ${teamId} and h.id = ${handoverId}`;
  if (!row) return undefined;
  const transcript = await tx<HandoverNotice["transcript"]>`
    select * from (
      select m.role, m.content, m.author_name as author, m.created_at from public.messages m
       where m.chat_id = ${row.chat.id} and not m.superseded and m.content <> ''
         and m.created_at <= (select h.created_at from public.handovers h where h.id = ${handoverId})
       order by m.id desc limit ${mostMessages}) m
     order by m.created_at`;
  return { ...row, transcript: [...transcript], url: inboxUrl(row.team.codename, handoverId) };
}

/** Formats a time as the API does. */
const utc = (tx: Transaction, column: string) =>
  tx`to_char(${tx(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const inboxUrl = (codename: string, handoverId: string): string =>
  new URL(`/teams/${codename}/handovers/${handoverId}`, env().WEB_URL).href;
