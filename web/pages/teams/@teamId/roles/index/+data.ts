// The system's roles and the team's own.
import type { DataContext } from "#web/render/page-definition.ts";
import type { Role } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface RolesData {
  roles: Role[];
}

export async function data({ request }: DataContext): Promise<RolesData> {
  const { data } = await request.api.get("/v1/roles", { teamId: teamRef(request), perPage: 100 });
  return { roles: data };
}
