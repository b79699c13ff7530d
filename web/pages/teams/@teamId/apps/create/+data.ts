// The agents that an app can use, with the one that the user comes from.
import type { DataContext } from "#web/render/page-definition.ts";
import { type TeamAgents, teamAgents } from "#web/request/choices.ts";

export interface CreateAppData {
  agents: TeamAgents;
  agentId: string | undefined;
}

export async function data({ request }: DataContext): Promise<CreateAppData> {
  const asked = request.url.searchParams.get("agentId");
  const agents = await teamAgents(request, [asked, request.form?.get("agentId")?.toString()]);
  return { agents, agentId: agents.agents.find(({ id }) => id === asked)?.id };
}
