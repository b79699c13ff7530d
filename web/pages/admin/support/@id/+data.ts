// One support ticket.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../browser/api-calls.ts";

export interface SupportDetailData {
  row: AnswerOf<"GET", "/v1/admin/support/tickets/{id}">;
}

export async function data({ request, routeParams }: PageContextServer): Promise<SupportDetailData> {
  return { row: await request.api.get("/v1/admin/support/tickets/{id}", { id: routeParams.id ?? "" }) };
}
