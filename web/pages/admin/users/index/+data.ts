// Every account.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { filterOf } from "../../admin-lists.ts";

export type UsersData = AnswerOf<"GET", "/v1/users">;

export async function data({ request }: DataContext): Promise<UsersData> {
  const list = await request.api.get("/v1/users", {
    search: filterOf(request, "search"),
    page: filterOf(request, "page"),
  });
  return list;
}
