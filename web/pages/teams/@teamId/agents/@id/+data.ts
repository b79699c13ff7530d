// One agent, the knowledges that it can be given, and where this installation is reached.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import type { Agent } from "../../../../../server/api-types.ts";
import { currentTeam, may } from "../../../../../server/current-team.ts";
import { env } from "../../../../../server/env.ts";

export interface AgentData {
  agent: Agent;
  knowledges: { id: string; name: string; status: string }[];
  /** Such as https://parley.example. */
  origin: string;
  /** What hangs on it; null for those who cannot delete it. */
  uses: AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/uses"> | null;
}

export async function data({ request, routeParams }: PageContextServer): Promise<AgentData> {
  const teamId = currentTeam(request).id;
  const id = routeParams.id ?? "";
  const [agent, knowledges, uses] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id }),
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    may(request, "agents.write")
      ? request.api.get("/v1/teams/{teamId}/agents/{id}/uses", { teamId, id })
      : null,
  ]);
  return { agent, knowledges: knowledges.data, origin: new URL(env.WEB_URL).origin, uses };
}
