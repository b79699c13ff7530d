// Every team.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { filterOf } from "../../admin-lists.ts";

export type TeamsData = AnswerOf<"GET", "/v1/admin/teams">;

export async function data({ request }: DataContext): Promise<TeamsData> {
  const list = await request.api.get("/v1/admin/teams", {
    search: filterOf(request, "search"),
    page: filterOf(request, "page"),
  });
  return list;
}
