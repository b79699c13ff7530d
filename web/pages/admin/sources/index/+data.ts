// The sources of every team.

import type { AnswerOf } from "../../../../browser/api-calls.ts";
import type { DataContext } from "../../../../renderer/page-definition.ts";
import { filterOf, teamFilter, teamNames } from "../../../../server/admin-lists.ts";

export type SourcesData = AnswerOf<"GET", "/v1/admin/sources"> & { teamNames: Record<string, string> };

export async function data({ request }: DataContext): Promise<SourcesData> {
  const list = await request.api.get("/v1/admin/sources", {
    name: filterOf(request, "name"),
    type: filterOf(request, "type"),
    teamId: teamFilter(request),
    page: filterOf(request, "page"),
  });
  return { ...list, teamNames: await teamNames(request, list.data) };
}
