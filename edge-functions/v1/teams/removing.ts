// Owns the deletion of a team, and what other services hold of it. Does not delete its stored files: the same transaction lists their bytes
// as unwanted, and the indexing tick deletes those.
import { asCaller, type Claims } from "../../_shared/database/db.ts";
import { revokeUnusedTokensAfter } from "../../slack/installations.ts";
import { workspacesOf } from "../apps/queries.ts";
import { requireChange } from "../router.ts";
import { deleteTeam, readTeam } from "./queries.ts";

/**
 * @param ref a team's id or codename
 * @throws ApiError NOT_FOUND; FORBIDDEN for who may not delete it
 */
export async function removeTeam(claims: Claims, ref: string): Promise<void> {
  const workspaces = await asCaller(claims, async (tx) => {
    const team = await readTeam(tx, ref);
    return team ? await workspacesOf(tx, { column: "team_id", id: team.id }) : [];
  });
  await revokeUnusedTokensAfter(workspaces, () =>
    asCaller(claims, async (tx) => await requireChange(await deleteTeam(tx, ref), () => readTeam(tx, ref))),
  );
}
