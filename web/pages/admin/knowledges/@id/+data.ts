// One knowledge base of any team, and the results of a search in it (?query=).

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { filterOf, teamNames } from "../../admin-lists.ts";

export interface KnowledgesDetailData {
  row: AnswerOf<"GET", "/v1/admin/knowledges/{id}">;
  teamNames: Record<string, string>;
  query: string;
  /** Null without a query. */
  found: AnswerOf<"GET", "/v1/admin/knowledges/{id}/records">["data"] | null;
}

export async function data({ request, routeParams }: DataContext): Promise<KnowledgesDetailData> {
  const { id = "" } = routeParams;
  const query = filterOf(request, "query");
  const [row, found] = await Promise.all([
    request.api.get("/v1/admin/knowledges/{id}", { id }),
    query ? request.api.get("/v1/admin/knowledges/{id}/records", { id, query, count: 10 }) : null,
  ]);
  return { row, teamNames: await teamNames(request, [row]), query: query ?? "", found: found?.data ?? null };
}
