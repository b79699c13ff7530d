// The team's members and invitations, and the roles that one can have.
import type { PageContextServer } from "vike/types";
import type { List, Role } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface TeamUser {
  id: string;
  userId: string | null;
  email: string;
  name: string | null;
  roleId: string;
  status: "pending" | "accepted" | "rejected";
}

export interface UsersData {
  members: List<TeamUser>;
  roles: Role[];
}

export async function data({ request }: PageContextServer): Promise<UsersData> {
  const { id } = currentTeam(request);
  const { searchParams } = request.url;
  const [members, roles] = await Promise.all([
    request.api.get<List<TeamUser>>(`/v1/teamUsers/${id}/users`, {
      search: searchParams.get("search") ?? undefined,
      page: searchParams.get("page") ?? undefined,
    }),
    request.api.get<List<Role>>("/v1/roles", { teamId: id, perPage: 100 }),
  ]);
  return { members, roles: roles.data };
}
