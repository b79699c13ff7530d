// The system's roles and the team's own.
import type { PageContextServer } from "vike/types";
import type { Role } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface RolesData {
  roles: Role[];
}

export async function data({ request }: PageContextServer): Promise<RolesData> {
  const { data } = await request.api.get("/v1/roles", { teamId: currentTeam(request).id, perPage: 100 });
  return { roles: data };
}
