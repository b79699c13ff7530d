// After how long the installation removes what.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../browser/api-calls.ts";

export interface RetentionData {
  retention: AnswerOf<"GET", "/v1/admin/retention">;
}

export async function data({ request }: PageContextServer): Promise<RetentionData> {
  return { retention: await request.api.get("/v1/admin/retention", {}) };
}
