// A page of the team's agents, filtered by name.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

export type AgentsData = AnswerOf<"GET", "/v1/teams/{teamId}/agents">;

export const sorting = new Sorting(["createdAt", "name", "updatedAt"], "name");

export async function data({ request }: DataContext): Promise<AgentsData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/agents", {
    teamId: teamRef(request),
    name: searchParams.get("name") ?? undefined,
    sort: sorting.in(request.url),
    page: searchParams.get("page") ?? undefined,
  });
}
