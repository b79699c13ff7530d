// Owns how a person of the team answers a handover, and how it ends. Who may is asked as the caller; the answer is written as the
// service, since no client writes what an assistant says.
import type { Context } from "hono";
import { asCallerThenService, type TeamCall, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { digestOf, type Hit, takeWithin } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { askedTeam } from "../in-team.ts";
import { readMessage } from "../messages/queries.ts";
import { type AppEnv, claimsOf, found, teamWith } from "../router.ts";
import { listDeliveries, readHandover } from "./queries.ts";
import type { Handover } from "./schema.ts";

/** Of the team that the call names, for those who may read everyone's chats there. */
async function readTheirs(tx: Transaction, team: TeamCall, id: string): Promise<Handover> {
  const teamId = await teamWith(tx, "id" in team ? team.id : team.codename, "chats.read");
  return found(await readHandover(tx, id, teamId));
}

/** As readTheirs, for a reader who may also write in chats. */
async function readAnswerable(tx: Transaction, team: TeamCall, id: string): Promise<Handover> {
  const handover = await readTheirs(tx, team, id);
  await teamWith(tx, handover.teamId, "chats.write");
  return handover;
}

/** A handover and what became of what it sent. @throws ApiError NOT_FOUND, FORBIDDEN */
export async function readWithDeliveries(c: Context<AppEnv>, id: string) {
  const team = askedTeam(c);
  return await asCallerThenService(
    claimsOf(c),
    (tx) => readTheirs(tx, team, id),
    async (tx, handover) => ({ ...handover, deliveries: await listDeliveries(tx, handover) }),
    team,
  );
}

/** @throws ApiError NOT_FOUND; FORBIDDEN; CONFLICT for one that is closed; RATE_LIMITED */
export async function answerHandover(c: Context<AppEnv>, id: string, content: string) {
  const team = askedTeam(c);
  const { caller } = c.var;
  return await asCallerThenService(
    claimsOf(c),
    (tx) => readAnswerable(tx, team, id),
    async (tx, handover) => {
      await takeWithin(tx, answerHits(handover));
      const author = await readAuthor(tx, handover.teamId, "id" in caller ? caller.id : null);
      const [row] = await tx<{ id: string | null }[]>`
        select private.answer_handover(${id}, ${content}, ${author}) as id`;
      if (!row?.id) throw new ApiError("CONFLICT", refusal("handoverClosed"));
      const after = found(await readHandover(tx, id));
      return { handover: after, message: found(await readMessage(tx, after.chatId, row.id)) };
    },
    team,
  );
}

/** Closing again changes nothing. @throws ApiError NOT_FOUND, FORBIDDEN */
export async function closeHandover(c: Context<AppEnv>, id: string): Promise<Handover> {
  const team = askedTeam(c);
  return await asCallerThenService(
    claimsOf(c),
    (tx) => readAnswerable(tx, team, id),
    async (tx) => {
      await tx`
        update public.handovers set status = 'closed', closed_at = clock_timestamp()
         where id = ${id} and status <> 'closed'`;
      return found(await readHandover(tx, id));
    },
    team,
  );
}

/** The address may be somebody's who never asked: a team writes to it within bounds. */
function answerHits({ id, teamId, email }: Handover): Hit[] {
  const windowSeconds = 3600;
  return [
    { key: `handover:answer:${id}`, max: 20, windowSeconds },
    { key: `handover:answers:${teamId}`, max: 200, windowSeconds },
    ...(email ? [{ key: `handover:mail:${digestOf(email)}`, max: 20, windowSeconds }] : []),
  ];
}

/** Whose name the answer has: the person's, or that of the person who made the key; the team's where nobody has one. */
async function readAuthor(tx: Transaction, teamId: string, callerId: string | null): Promise<string> {
  const [row] = await tx<{ name: string }[]>`
    select coalesce(nullif(btrim(u.name), ''), t.name) as name
      from public.teams t
      left join public.users u
             on u.id = coalesce((select k.created_by from public.api_keys k where k.id = ${callerId}), ${callerId})
     where t.id = ${teamId}`;
  return found(row).name;
}
