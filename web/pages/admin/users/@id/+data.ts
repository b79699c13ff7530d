// One account.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../browser/api-calls.ts";

export interface UsersDetailData {
  row: AnswerOf<"GET", "/v1/users/{id}">;
}

export async function data({ request, routeParams }: PageContextServer): Promise<UsersDetailData> {
  return { row: await request.api.get("/v1/users/{id}", { id: routeParams.id ?? "" }) };
}
