// One support ticket.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";

export interface SupportDetailData {
  row: AnswerOf<"GET", "/v1/admin/support/tickets/{id}">;
}

export async function data({ request, routeParams }: DataContext): Promise<SupportDetailData> {
  return { row: await request.api.get("/v1/admin/support/tickets/{id}", { id: routeParams.id ?? "" }) };
}
