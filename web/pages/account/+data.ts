// Where the person is logged in.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../browser/api-calls.ts";

export type AccountData = AnswerOf<"GET", "/v1/auth/sessions">;

export async function data({ request }: PageContextServer): Promise<AccountData> {
  return await request.api.get("/v1/auth/sessions", { perPage: 50 });
}
