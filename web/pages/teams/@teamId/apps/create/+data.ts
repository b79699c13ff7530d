// The agents that an app can use, with the one that the user comes from.
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface CreateAppData {
  agents: { id: string; name: string }[];
  agentId: string | undefined;
}

export async function data({ request }: DataContext): Promise<CreateAppData> {
  const teamId = teamRef(request);
  const { data: agents } = await request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 });
  const asked = request.url.searchParams.get("agentId");
  return { agents, agentId: agents.find(({ id }) => id === asked)?.id ?? agents[0]?.id };
}
