// Owns what a delivery tells of a handover, read when it is sent: nothing that is to be deleted with the chat is kept twice.
import type { LanguageCode } from "../../locales/registry.ts";
import type { Transaction } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";

export type ToldHandover = {
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
  /** What was said until a person was asked for, oldest first. */
  transcript: { role: string; content: string; author: string | null; createdAt: string }[];
  /** Where the team answers. */
  url: string;
};

/** Longer conversations are told from here on; the team's page shows all of them. */
const mostTold = 100;

/** As the service; undefined when it is gone. */
export async function readTold(
  tx: Transaction,
  teamId: string,
  handoverId: string,
): Promise<ToldHandover | undefined> {
  const [row] = await tx<Omit<ToldHandover, "url" | "transcript">[]>`
    select jsonb_build_object(
             'id', h.id, 'status', h.status, 'reason', h.reason, 'email', h.email, 'message', h.message, 'summary', h.summary,
             'language', h.language, 'consentVersion', h.consent_version,
             'consentedAt', ${utc(tx, "h.consented_at")}, 'createdAt', ${utc(tx, "h.created_at")}) as handover,
           jsonb_build_object('id', c.id, 'title', c.title, 'channel', c.channel) as chat,
           jsonb_build_object('id', t.id, 'name', t.name, 'codename', t.codename) as team,
           jsonb_build_object('id', a.id, 'name', a.name) as agent,
           case when u.id is not null then jsonb_build_object('email', u.email, 'locale', u.locale) end as account
      from public.handovers h
      join public.chats c on c.id = h.chat_id
      join public.teams t on t.id = h.team_id
      join public.agents a on a.id = c.agent_id
      left join public.users u on u.id = c.user_id and u.banned_at is null
     where h.team_id = ${teamId} and h.id = ${handoverId}`;
  if (!row) return undefined;
  const transcript = await tx<ToldHandover["transcript"]>`
    select * from (
      select m.role, m.content, m.author_name as author, m.created_at from public.messages m
       where m.chat_id = ${row.chat.id} and not m.superseded and m.content <> ''
         and m.created_at <= (select h.created_at from public.handovers h where h.id = ${handoverId})
       order by m.id desc limit ${mostTold}) m
     order by m.created_at`;
  return { ...row, transcript: [...transcript], url: inboxUrl(row.team.codename, handoverId) };
}

/** As the API writes times. */
const utc = (tx: Transaction, column: string) =>
  tx`to_char(${tx(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const inboxUrl = (codename: string, handoverId: string): string =>
  new URL(`/teams/${codename}/handovers/${handoverId}`, env().WEB_URL).href;
