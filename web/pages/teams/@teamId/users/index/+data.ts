// The team's members and invitations, and the roles that they can have.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Role } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

type Members = AnswerOf<"GET", "/v1/teamUsers/{id}/users">;
export type TeamUser = Members["data"][number];

export interface UsersData {
  members: Members;
  roles: Role[];
}

export const sorting = new Sorting(["createdAt", "name", "role", "status"], "createdAt");

export async function data({ request }: DataContext): Promise<UsersData> {
  const id = teamRef(request);
  const { searchParams } = request.url;
  const [members, roles] = await Promise.all([
    request.api.get("/v1/teamUsers/{id}/users", {
      id,
      search: searchParams.get("search") ?? undefined,
      sort: sorting.in(request.url),
      page: searchParams.get("page") ?? undefined,
    }),
    request.api.get("/v1/roles", { teamId: id, perPage: 100 }),
  ]);
  return { members, roles: roles.data };
}
