// A page of the team's agents, filtered by name.

import type { AnswerOf } from "#web/browser/api-calls.ts";
import { Sorting } from "#web/components/sorting.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";
import { teamRef } from "#web/server/current-team.ts";

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
