// One API key, and the roles that a key can have.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Role } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface ApiKeyData {
  key: AnswerOf<"GET", "/v1/teams/{teamId}/apiKeys/{id}">;
  roles: Role[];
}

export async function data({ request, routeParams }: DataContext): Promise<ApiKeyData> {
  const teamId = teamRef(request);
  const [key, roles] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/apiKeys/{id}", { teamId, id: routeParams.id ?? "" }),
    request.api.get("/v1/roles", { teamId, perPage: 100 }),
  ]);
  return { key, roles: roles.data };
}
