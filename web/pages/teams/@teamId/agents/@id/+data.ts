// One agent, the knowledges that it can be given, and where this installation is reached.
import type { PageContextServer } from "vike/types";
import type { Agent } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import { env } from "../../../../../server/env.ts";

export interface AgentData {
  agent: Agent;
  knowledges: { id: string; name: string; status: string }[];
  /** Such as https://parley.example. */
  origin: string;
}

export async function data({ request, routeParams }: PageContextServer): Promise<AgentData> {
  const teamId = currentTeam(request).id;
  const [agent, knowledges] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id: routeParams.id ?? "" }),
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
  ]);
  return { agent, knowledges: knowledges.data, origin: new URL(env.WEB_URL).origin };
}
