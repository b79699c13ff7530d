// The knowledge bases of every team.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { filterOf, teamFilter, teamNames } from "../../admin-lists.ts";

export type KnowledgesData = AnswerOf<"GET", "/v1/admin/knowledges"> & { teamNames: Record<string, string> };

export async function data({ request }: DataContext): Promise<KnowledgesData> {
  const list = await request.api.get("/v1/admin/knowledges", {
    name: filterOf(request, "name"),
    teamId: teamFilter(request),
    page: filterOf(request, "page"),
  });
  return { ...list, teamNames: await teamNames(request, list.data) };
}
