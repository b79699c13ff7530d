// The agents that an app can be for, and the one that the person comes from.
import type { PageContextServer } from "vike/types";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface CreateAppData {
  agents: { id: string; name: string }[];
  agentId: string | undefined;
}

export async function data({ request }: PageContextServer): Promise<CreateAppData> {
  const teamId = currentTeam(request).id;
  const { data: agents } = await request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 });
  const asked = request.url.searchParams.get("agentId");
  return { agents, agentId: agents.find(({ id }) => id === asked)?.id ?? agents[0]?.id };
}
