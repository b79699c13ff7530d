// One team.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../browser/api-calls.ts";

export interface TeamsDetailData {
  row: AnswerOf<"GET", "/v1/admin/teams/{id}">;
}

export async function data({ request, routeParams }: PageContextServer): Promise<TeamsDetailData> {
  return { row: await request.api.get("/v1/admin/teams/{id}", { id: routeParams.id ?? "" }) };
}
