// A page of the team's knowledge bases, filtered by name.

import type { AnswerOf } from "#web/browser/api-calls.ts";
import { Sorting } from "#web/components/sorting.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";
import { teamRef } from "#web/server/current-team.ts";

export type KnowledgesData = AnswerOf<"GET", "/v1/teams/{teamId}/knowledges">;

export const sorting = new Sorting(["createdAt", "name", "status", "indexedAt"], "name");

export async function data({ request }: DataContext): Promise<KnowledgesData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/knowledges", {
    teamId: teamRef(request),
    name: searchParams.get("name") ?? undefined,
    sort: sorting.in(request.url),
    page: searchParams.get("page") ?? undefined,
  });
}
