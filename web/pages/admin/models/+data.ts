// The installation's models, the local ones on its machines, and the cost per team this month.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";

export interface AdminModelsData {
  models: AnswerOf<"GET", "/v1/admin/models">;
  local: AnswerOf<"GET", "/v1/admin/models/local">["data"];
  teams: AnswerOf<"GET", "/v1/admin/budgets">;
}

export async function data({ request }: DataContext): Promise<AdminModelsData> {
  const { get } = request.api;
  const page = Math.max(1, Number.parseInt(request.url.searchParams.get("page") ?? "1", 10) || 1);
  const [models, local, teams] = await Promise.all([
    get("/v1/admin/models", {}),
    get("/v1/admin/models/local", {}),
    get("/v1/admin/budgets", { page }),
  ]);
  return { models, local: local.data, teams };
}
