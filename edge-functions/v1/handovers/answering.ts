// Owns answering and closing a handover. Permission is checked as the caller; the answer is written as the service, because no client may
// write an assistant's messages.
import type { Context } from "hono";
import { asCallerThenService, type TeamCall, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { digestOf, type Hit, isWithin, takeWithin } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { askedTeam } from "../in-team.ts";
import { readMessage } from "../messages/queries.ts";
import { type AppEnv, claimsOf, requireRow, teamWith } from "../router.ts";
import { holdVersion, versionIn } from "../row-versions.ts";
import { listDeliveries, readHandover } from "./queries.ts";
import type { Handover } from "./schema.ts";

/** Reads a handover of the call's team, for callers who may read all chats there. */
async function readTheirs(tx: Transaction, team: TeamCall, id: string): Promise<Handover> {
  const teamId = await teamWith(tx, "id" in team ? team.id : team.codename, "chats.read");
  return requireRow(await readHandover(tx, id, teamId));
}

/** As readTheirs, for callers who may also write in chats. */
async function readAnswerable(tx: Transaction, team: TeamCall, id: string): Promise<Handover> {
  const handover = await readTheirs(tx, team, id);
  await teamWith(tx, handover.teamId, "chats.write");
  return handover;
}

/** A handover with the status of its deliveries. @throws ApiError NOT_FOUND, FORBIDDEN */
export async function readWithDeliveries(c: Context<AppEnv>, id: string) {
  const team = askedTeam(c);
  return await asCallerThenService(
    claimsOf(c),
    (tx) => readTheirs(tx, team, id),
    async (tx, handover) => ({ ...handover, deliveries: await listDeliveries(tx, handover) }),
    team,
  );
}

/** @throws ApiError NOT_FOUND; FORBIDDEN; CONFLICT for a closed handover; CHANGED_MEANWHILE; RATE_LIMITED */
export async function answerHandover(c: Context<AppEnv>, id: string, content: string) {
  const team = askedTeam(c);
  const { caller } = c.var;
  return await asCallerThenService(
    claimsOf(c),
    (tx) => readAnswerable(tx, team, id),
    async (tx, handover) => {
      const author = await readAuthor(tx, handover.teamId, "id" in caller ? caller.id : null);
      // A closed one is refused as such below.
      const open = {
        from: tx`public.handovers where id = ${id} and status <> 'closed'`,
        version: tx`updated_at`,
      };
      await holdVersion(tx, open, () => readHandover(tx, id), versionIn(c));
      await takeWithin(tx, answerHits(handover, author.id));
      const [row] = await tx<{ id: string | null }[]>`
        select private.answer_handover(${id}, ${content}, ${author.name}) as id`;
      if (!row?.id) throw new ApiError("CONFLICT", refusal("handoverClosed"));
      const after = requireRow(await readHandover(tx, id));
      return { handover: after, message: requireRow(await readMessage(tx, after.chatId, row.id)) };
    },
    team,
  );
}

/** Idempotent. Whoever waits for an answer learns that none will come, within the limits of answers. @throws ApiError NOT_FOUND, FORBIDDEN */
export async function closeHandover(c: Context<AppEnv>, id: string): Promise<Handover> {
  const team = askedTeam(c);
  const { caller } = c.var;
  return await asCallerThenService(
    claimsOf(c),
    (tx) => readAnswerable(tx, team, id),
    async (tx, handover) => {
      const [closed] = await tx<{ isAnswered: boolean }[]>`
        update public.handovers set status = 'closed', closed_at = clock_timestamp()
         where id = ${id} and status <> 'closed' returning answered_at is not null as is_answered`;
      if (closed && !closed.isAnswered) {
        const author = await readAuthor(tx, handover.teamId, "id" in caller ? caller.id : null);
        if (await isWithin(tx, answerHits(handover, author.id))) await tellClosed(tx, id);
      }
      return requireRow(await readHandover(tx, id));
    },
    team,
  );
}

/** Queues what private.answer_handover() queues, without a message. */
const tellClosed = (tx: Transaction, id: string) => tx`
  insert into private.handover_deliveries (team_id, handover_id, kind)
  select h.team_id, h.id, k.kind
    from public.handovers h join public.chats c on c.id = h.chat_id
   cross join lateral (values ('answerMail', h.email is not null or c.user_id is not null),
                              ('slack', c.channel = 'slack')) as k (kind, is_due)
   where h.id = ${id} and k.is_due`;

/**
 * The address may belong to a person who never asked, so mails to it are limited, and so are those of a person with many teams: an
 * imported team brings addresses of its archive's choice.
 */
function answerHits({ id, teamId, email }: Handover, authorId: string | null): Hit[] {
  const windowSeconds = 3600;
  return [
    { key: `handover:answer:${id}`, max: 20, windowSeconds },
    { key: `handover:answers:${teamId}`, max: 200, windowSeconds },
    ...(authorId ? [{ key: `handover:answersBy:${authorId}`, max: 200, windowSeconds }] : []),
    ...(email
      ? [
          { key: `handover:mail:${digestOf(email)}`, max: 20, windowSeconds },
          { key: `handover:mailsOfDay:${digestOf(email)}`, max: 40, windowSeconds: 24 * 3600 },
        ]
      : []),
  ];
}

type Author = { id: string | null; name: string };

/** The person, or the one who created the API key. Without a name of their own they answer in the team's. */
async function readAuthor(tx: Transaction, teamId: string, callerId: string | null): Promise<Author> {
  const [row] = await tx<Author[]>`
    select u.id, coalesce(nullif(btrim(u.name), ''), t.name) as name
      from public.teams t
      left join public.users u
             on u.id = coalesce((select k.created_by from public.api_keys k where k.id = ${callerId}), ${callerId})
     where t.id = ${teamId}`;
  return requireRow(row);
}
