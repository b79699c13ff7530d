// Owns what every call below /v1/teams/{teamId} repeats: its parameters, and work in that team under the permission that the
// call asks for. Must not hold a resource's rules: row-level security decides which rows there are.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { asCallerIn, readAsCaller, type TeamCall, type TeamId, type Transaction } from "../_shared/db.ts";
import { type AppEnv, changed, claimsOf, teamRef } from "./router.ts";

export const inTeam = z.object({ teamId: teamRef });
export const oneInTeam = inTeam.extend({ id: z.uuid() });

type Work<T, Team = string> = (tx: Transaction, team: Team) => Promise<T>;

/** @param ref the team's id or codename */
export function teamCall(ref: string, permission: string): TeamCall {
  return z.uuid().safeParse(ref).success
    ? { id: ref, permission }
    : { codename: ref.toLowerCase(), permission };
}

/**
 * Work in the team that an address names, given its id.
 * @throws ApiError NOT_FOUND when the caller cannot see the team, FORBIDDEN when they lack the permission
 */
export function workInTeam<T>(
  c: Context<AppEnv>,
  ref: string,
  permission: string,
  work: Work<T>,
): Promise<T> {
  return asCallerIn(teamCall(ref, permission), claimsOf(c), work);
}

/**
 * As workInTeam, for what only reads: one message to Postgres and one back.
 * @param work sends all its statements before it awaits an answer
 */
export function readInTeam<T>(
  c: Context<AppEnv>,
  ref: string,
  permission: string,
  work: Work<T, TeamId>,
): Promise<T> {
  return readAsCaller(claimsOf(c), work, teamCall(ref, permission));
}

/**
 * A change to one row of a team, or its end. `permission` is that to read: whether the change is allowed too, the row tells.
 * @throws ApiError as workInTeam; FORBIDDEN for a row that can be read and not be changed; NOT_FOUND
 */
export function changeInTeam<T>(
  c: Context<AppEnv>,
  ref: string,
  permission: string,
  { change, read }: { change: Work<T | undefined>; read: Work<unknown> },
): Promise<T> {
  return workInTeam(c, ref, permission, async (tx, team) =>
    changed(await change(tx, team), async () => (await read(tx, team)) !== undefined),
  );
}
