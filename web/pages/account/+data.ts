// Where the person is logged in.

import type { AnswerOf } from "../../browser/api-calls.ts";
import type { DataContext } from "../../renderer/page-definition.ts";

export type AccountData = AnswerOf<"GET", "/v1/auth/sessions">;

export async function data({ request }: DataContext): Promise<AccountData> {
  return await request.api.get("/v1/auth/sessions", { perPage: 50 });
}
