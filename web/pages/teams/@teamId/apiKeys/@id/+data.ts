// One API key, and the roles that a key can have.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import type { Role } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface ApiKeyData {
  key: AnswerOf<"GET", "/v1/teams/{teamId}/apiKeys/{id}">;
  roles: Role[];
}

export async function data({ request, routeParams }: PageContextServer): Promise<ApiKeyData> {
  const teamId = currentTeam(request).id;
  const [key, roles] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/apiKeys/{id}", { teamId, id: routeParams.id ?? "" }),
    request.api.get("/v1/roles", { teamId, perPage: 100 }),
  ]);
  return { key, roles: roles.data };
}
