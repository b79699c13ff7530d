// One app, the agents that it could use, and the result of an install that has just ended.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";

export const installResults = [
  "connected",
  "denied",
  "expired",
  "organisation",
  "forbidden",
  "failed",
  "unavailable",
] as const;
export type InstallResult = (typeof installResults)[number];

export interface AppData {
  app: AnswerOf<"GET", "/v1/teams/{teamId}/apps/{id}">;
  agents: { id: string; name: string }[];
  result: InstallResult | undefined;
}

export async function data({ request, routeParams }: DataContext): Promise<AppData> {
  const teamId = teamRef(request);
  const [app, agents] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/apps/{id}", { teamId, id: routeParams.id ?? "" }),
    request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 }),
  ]);
  const asked = request.url.searchParams.get("slack");
  return { app, agents: agents.data, result: installResults.find((one) => one === asked) };
}
