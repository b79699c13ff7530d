// One member or invitation, and the roles that they can have.
import type { PageContextServer } from "vike/types";
import type { Role } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import type { TeamUser } from "../index/+data.ts";

export interface UserData {
  member: TeamUser;
  roles: Role[];
}

export async function data({ request, routeParams }: PageContextServer): Promise<UserData> {
  const { id } = currentTeam(request);
  const [member, roles] = await Promise.all([
    request.api.get("/v1/teamUsers/{id}/users/{userId}", { id, userId: routeParams.id ?? "" }),
    request.api.get("/v1/roles", { teamId: id, perPage: 100 }),
  ]);
  return { member, roles: roles.data };
}
