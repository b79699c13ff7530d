// One agent of any team.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamNames } from "../../admin-lists.ts";

export interface AgentsDetailData {
  row: AnswerOf<"GET", "/v1/admin/agents/{id}">;
  teamNames: Record<string, string>;
}

export async function data({ request, routeParams }: DataContext): Promise<AgentsDetailData> {
  const row = await request.api.get("/v1/admin/agents/{id}", { id: routeParams.id ?? "" });
  return { row, teamNames: await teamNames(request, [row]) };
}
