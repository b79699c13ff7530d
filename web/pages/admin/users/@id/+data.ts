// One account.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";

export interface UsersDetailData {
  row: AnswerOf<"GET", "/v1/users/{id}">;
}

export async function data({ request, routeParams }: DataContext): Promise<UsersDetailData> {
  return { row: await request.api.get("/v1/users/{id}", { id: routeParams.id ?? "" }) };
}
