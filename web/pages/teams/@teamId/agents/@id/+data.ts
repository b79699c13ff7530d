// One agent, the knowledge bases that it can use, and the installation's public address.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent, Knowledge } from "#web/request/api-types.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import { env } from "#web/request/env.ts";

export interface AgentData {
  agent: Agent;
  knowledges: Knowledge[];
  /** Such as https://parley.example. */
  origin: string;
  /** What deleting it affects; null for readers who may not delete it. */
  uses: AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/uses"> | null;
  /** Whether the built-in model answers, which ignores instructions. */
  isOffline: boolean;
}

export async function data({ request, routeParams }: DataContext): Promise<AgentData> {
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const [agent, knowledges, models, uses] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id }),
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    request.api.get("/v1/teams/{teamId}/models", { teamId }),
    request.viewer.then((viewer) =>
      may(viewer, "agents.write")
        ? request.api.get("/v1/teams/{teamId}/agents/{id}/uses", { teamId, id })
        : null,
    ),
  ]);
  return {
    agent,
    knowledges: knowledges.data,
    origin: new URL(env.WEB_URL).origin,
    uses,
    isOffline: models.inUse.offline,
  };
}
