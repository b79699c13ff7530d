// Support tickets, newest first.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { filterOf } from "../../admin-lists.ts";

export type SupportData = AnswerOf<"GET", "/v1/admin/support/tickets">;

export async function data({ request }: DataContext): Promise<SupportData> {
  const list = await request.api.get("/v1/admin/support/tickets", {
    search: filterOf(request, "search"),
    status: filterOf(request, "status"),
    page: filterOf(request, "page"),
  });
  return list;
}
