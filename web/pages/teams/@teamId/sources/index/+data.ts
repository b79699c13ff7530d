// A page of the team's sources.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

export type SourcesData = AnswerOf<"GET", "/v1/teams/{teamId}/sources">;

export const sorting = new Sorting(["createdAt", "name", "status", "syncedAt"], "-createdAt");

export async function data({ request }: DataContext): Promise<SourcesData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/sources", {
    teamId: teamRef(request),
    name: searchParams.get("name") ?? undefined,
    sort: sorting.in(request.url),
    page: searchParams.get("page") ?? undefined,
  });
}
