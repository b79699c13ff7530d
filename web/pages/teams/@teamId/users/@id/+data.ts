// One member or invitation, and the roles that they can have.
import type { DataContext } from "#web/render/page-definition.ts";
import type { Role } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";
import type { TeamUser } from "../index/+data.ts";

export interface UserData {
  member: TeamUser;
  roles: Role[];
}

export async function data({ request, routeParams }: DataContext): Promise<UserData> {
  const id = teamRef(request);
  const [member, roles] = await Promise.all([
    request.api.get("/v1/teamUsers/{id}/users/{userId}", { id, userId: routeParams.id ?? "" }),
    request.api.get("/v1/roles", { teamId: id, perPage: 100 }),
  ]);
  return { member, roles: roles.data };
}
