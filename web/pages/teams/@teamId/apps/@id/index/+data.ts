// One app, the agents that it could use, and the result of an install that has just ended.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, teamChoices } from "#web/request/choices.ts";
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
  agents: Choices<"agents">;
  result: InstallResult | undefined;
}

export async function data({ request, routeParams }: DataContext): Promise<AppData> {
  const teamId = teamRef(request);
  const reading = request.api.get("/v1/teams/{teamId}/apps/{id}", { teamId, id: routeParams.id ?? "" });
  const typed = request.form?.get("agentId")?.toString();
  const [app, agents] = await Promise.all([
    reading,
    teamChoices(
      "agents",
      request,
      reading.then(({ agentId }) => [agentId, typed]),
    ),
  ]);
  const asked = request.url.searchParams.get("slack");
  return { app, agents, result: installResults.find((one) => one === asked) };
}
