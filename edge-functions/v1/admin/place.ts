// Owns how the admin area finds a team: by a filter, or by a row's id, because its paths name no team.
import { z } from "@hono/zod-openapi";
import type { Transaction } from "../../_shared/database/db.ts";
import { byTeamRef, requireRow, teamRef } from "../router.ts";
import { noId } from "../sql.ts";

/** `teamId` as a filter of a list. */
export const teamFilter = {
  teamId: teamRef.optional().openapi({
    param: { name: "teamId", in: "query" },
    description: "The id or codename of a team. Absent: every team.",
  }),
};

/** The body of a new row in a team, which names the team. */
export const inAnyTeam = <T extends z.ZodRawShape>({ shape }: z.ZodObject<T>) =>
  z.strictObject({ ...shape, teamId: teamRef.openapi({ description: "The team's id or codename." }) });

/** The id of the team that a filter names: null without a filter, the id of no row if there is no such team. */
export async function filteredTeam(tx: Transaction, ref: string | undefined): Promise<string | null> {
  if (ref === undefined) return null;
  const [team] = await tx<{ id: string }[]>`select t.id from public.teams t where ${byTeamRef(tx, ref)}`;
  return team?.id ?? noId;
}

/** The team that a row of a table in public belongs to. @throws ApiError NOT_FOUND when the caller cannot see the row */
export async function teamOf(tx: Transaction, table: string, id: string): Promise<string> {
  const [row] = await tx<{ teamId: string }[]>`
    select r.team_id from ${tx(`public.${table}`)} r where r.id = ${id}`;
  return requireRow(row).teamId;
}
