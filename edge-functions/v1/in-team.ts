// Owns what every call below /v1/teams/{teamId} repeats: its parameters, and work in that team under the permission that the
// call asks for. Must not hold a resource's rules: row-level security decides which rows there are.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { asCaller, type Transaction } from "../_shared/db.ts";
import { type AppEnv, changed, claimsOf, teamRef, teamWith } from "./router.ts";

export const inTeam = z.object({ teamId: teamRef });
export const oneInTeam = inTeam.extend({ id: z.uuid() });

type Work<T> = (tx: Transaction, team: string) => Promise<T>;

/**
 * Work in the team that an address names, given its id.
 * @throws ApiError as teamWith
 */
export function workInTeam<T>(
  c: Context<AppEnv>,
  ref: string,
  permission: string,
  work: Work<T>,
): Promise<T> {
  return asCaller(claimsOf(c), async (tx) => work(tx, await teamWith(tx, ref, permission)));
}

/**
 * A change to one row of a team, or its end. `permission` is that to read: whether the change is allowed too, the row tells.
 * @throws ApiError as teamWith; FORBIDDEN for a row that can be read and not be changed; NOT_FOUND
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
