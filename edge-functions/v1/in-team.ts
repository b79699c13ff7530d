// Owns work in the team of a call, under the permission that its route declares. Must not hold a resource's rules: row-level security
// decides which rows are visible.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  asCaller,
  asCallerIn,
  readAsCaller,
  type TeamCall,
  type TeamId,
  type Transaction,
} from "../_shared/database/db.ts";
import { type AppEnv, claimsOf, isId, requireChange, teamRef } from "./router.ts";

export const inTeam = z.object({ teamId: teamRef });
export const oneInTeam = inTeam.extend({ id: z.uuid() });

type Work<T, Team = string> = (tx: Transaction, team: Team) => Promise<T>;

/** @param ref the team's id or codename */
function teamCall(ref: string, permission: string): TeamCall {
  return isId(ref) ? { id: ref, permission } : { codename: ref.toLowerCase(), permission };
}

/** The team of a call, and the permission that its route declares. */
function requireTeam(c: Context<AppEnv>, named?: string): { ref: string; permission: string } {
  const { permission, team = "teamId" } = c.var.route;
  const ref = named ?? c.var.team?.id ?? c.req.param(team);
  if (!permission || !ref) throw new Error(`${c.req.routePath} declares no permission, or names no team`);
  c.set("isTeamAsked", true);
  return { ref, permission };
}

/** The call's team, for a transaction that does more than work in it. */
export function askedTeam(c: Context<AppEnv>): TeamCall {
  const { ref, permission } = requireTeam(c);
  return teamCall(ref, permission);
}

/**
 * Runs work in the call's team, with its id.
 * @param named the team's id or codename, if neither the path nor the row names it
 * @throws ApiError NOT_FOUND when the caller cannot see the team, FORBIDDEN when they lack the permission
 */
export async function workInTeam<T>(c: Context<AppEnv>, work: Work<T>, named?: string): Promise<T> {
  const { ref, permission } = requireTeam(c, named);
  return await asCallerIn(teamCall(ref, permission), claimsOf(c), work);
}

/**
 * As workInTeam, for reads: one round trip to Postgres.
 * @param work sends all its statements before it awaits an answer
 */
export async function readInTeam<T>(c: Context<AppEnv>, work: Work<T, TeamId>): Promise<T> {
  return await readAsCaller(claimsOf(c), work, askedTeam(c));
}

/** As readInTeam, for a list that platform admins also read across teams: `team` is null then. */
export async function listInTeam<T>(c: Context<AppEnv>, work: Work<T, TeamId | null>): Promise<T> {
  const { team } = c.var;
  if (!team) return await readInTeam(c, work);
  c.set("isTeamAsked", true);
  return await asCaller(claimsOf(c), (tx) => work(tx, team.id));
}

/**
 * Changes or deletes one row of a team. The permission checked is the one to read: row-level security decides about the change.
 * @throws ApiError as workInTeam; FORBIDDEN for a row that the caller can read but not change; NOT_FOUND
 */
export function changeInTeam<T>(
  c: Context<AppEnv>,
  { change, read }: { change: Work<T | undefined>; read: Work<unknown> },
): Promise<T> {
  return workInTeam(c, async (tx, team) =>
    requireChange(await change(tx, team), async () => (await read(tx, team)) !== undefined),
  );
}

/** The id of the call's team. @throws ApiError as workInTeam */
export const calledTeam = (c: Context<AppEnv>): Promise<string> => workInTeam(c, async (_tx, team) => team);
