// The team's API keys, and the roles that a key can have. Empty for members who may not manage keys.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Role } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

export type ApiKeyRow = ApiKeysData["keys"]["data"][number];

export interface ApiKeysData {
  keys: AnswerOf<"GET", "/v1/teams/{teamId}/apiKeys">;
  roles: Role[];
}

export const sorting = new Sorting(["createdAt", "name", "lastUsedAt"], "-createdAt");

export async function data({ request }: DataContext): Promise<ApiKeysData> {
  const id = teamRef(request);
  const { searchParams } = request.url;
  const [keys, roles] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/apiKeys", {
      teamId: id,
      name: searchParams.get("name") ?? undefined,
      sort: sorting.in(request.url),
      page: searchParams.get("page") ?? undefined,
    }),
    request.api.get("/v1/roles", { teamId: id, perPage: 100 }),
  ]);
  return { keys, roles: roles.data };
}
