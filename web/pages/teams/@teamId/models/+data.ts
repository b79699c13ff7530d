// A team's models, their usage in the last 30 days, and the budget.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";

export const groups = ["day", "week", "month", "agent", "channel", "model"] as const;
export type Group = (typeof groups)[number];

export interface ModelsData {
  models: AnswerOf<"GET", "/v1/teams/{teamId}/models">;
  usage: AnswerOf<"GET", "/v1/teams/{teamId}/usage">;
  budget: AnswerOf<"GET", "/v1/teams/{teamId}/budget">;
  group: Group;
}

export async function data({ request }: DataContext): Promise<ModelsData> {
  const teamId = teamRef(request);
  const group = groups.find((one) => one === request.url.searchParams.get("group")) ?? "day";
  const { get } = request.api;
  const [models, usage, budget] = await Promise.all([
    get("/v1/teams/{teamId}/models", { teamId }),
    get("/v1/teams/{teamId}/usage", { teamId, group, timeZone: request.timeZone }),
    get("/v1/teams/{teamId}/budget", { teamId }),
  ]);
  return { models, usage, budget, group };
}
