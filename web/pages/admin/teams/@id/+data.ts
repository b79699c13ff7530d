// One team.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";

export interface TeamsDetailData {
  row: AnswerOf<"GET", "/v1/admin/teams/{id}">;
}

export async function data({ request, routeParams }: DataContext): Promise<TeamsDetailData> {
  return { row: await request.api.get("/v1/admin/teams/{id}", { id: routeParams.id ?? "" }) };
}
