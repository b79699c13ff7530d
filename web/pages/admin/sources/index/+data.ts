// The sources of every team.

import type { AnswerOf } from "#web/client/api-calls.ts";
import { sourceTypes } from "#web/pages/teams/@teamId/sources/source-types.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { SourceType } from "#web/request/api-types.ts";
import { filterOf, teamFilter, teamNames } from "../../admin-lists.ts";

export type SourcesData = AnswerOf<"GET", "/v1/admin/sources"> & {
  types: SourceType[];
  teamNames: Record<string, string>;
};

export async function data({ request }: DataContext): Promise<SourcesData> {
  const [list, types] = await Promise.all([
    request.api.get("/v1/admin/sources", {
      name: filterOf(request, "name"),
      type: filterOf(request, "type"),
      teamId: teamFilter(request),
      page: filterOf(request, "page"),
    }),
    sourceTypes(request.api),
  ]);
  return { ...list, types, teamNames: await teamNames(request, list.data) };
}
