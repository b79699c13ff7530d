// The installation's retention periods.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";

export interface RetentionData {
  retention: AnswerOf<"GET", "/v1/admin/retention">;
}

export async function data({ request }: DataContext): Promise<RetentionData> {
  return { retention: await request.api.get("/v1/admin/retention", {}) };
}
