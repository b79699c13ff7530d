// One agent and the knowledges that it can be given.
import type { PageContextServer } from "vike/types";
import type { Agent, List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface AgentData {
  agent: Agent;
  knowledges: { id: string; name: string; status: string }[];
}

export async function data({ request, routeParams }: PageContextServer): Promise<AgentData> {
  const base = `/v1/teams/${currentTeam(request).id}`;
  const [agent, knowledges] = await Promise.all([
    request.api.get<Agent>(`${base}/agents/${encodeURIComponent(routeParams.id ?? "")}`),
    request.api.get<List<{ id: string; name: string; status: string }>>(`${base}/knowledges`, {
      perPage: 100,
    }),
  ]);
  return { agent, knowledges: knowledges.data };
}
