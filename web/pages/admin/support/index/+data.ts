// Support tickets, newest first.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../browser/api-calls.ts";
import { filterOf } from "../../../../server/admin-lists.ts";

export type SupportData = AnswerOf<"GET", "/v1/admin/support/tickets">;

export async function data({ request }: PageContextServer): Promise<SupportData> {
  const list = await request.api.get("/v1/admin/support/tickets", {
    search: filterOf(request, "search"),
    status: filterOf(request, "status"),
    page: filterOf(request, "page"),
  });
  return list;
}
