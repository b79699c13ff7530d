// The team's API keys, and the roles that a key can have. Only those who manage keys see any.
import type { PageContextServer } from "vike/types";
import type { List, Role } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface ApiKeyRow {
  id: string;
  name: string;
  roleId: string;
  prefix: string;
  lastUsedAt: string | null;
  createdAt: string;
}

export interface ApiKeysData {
  keys: List<ApiKeyRow>;
  roles: Role[];
}

export async function data({ request }: PageContextServer): Promise<ApiKeysData> {
  const { id } = currentTeam(request);
  const [keys, roles] = await Promise.all([
    request.api.get<List<ApiKeyRow>>(`/v1/teams/${id}/apiKeys`, {
      page: request.url.searchParams.get("page") ?? undefined,
    }),
    request.api.get<List<Role>>("/v1/roles", { teamId: id, perPage: 100 }),
  ]);
  return { keys, roles: roles.data };
}
