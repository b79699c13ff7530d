// The knowledge bases that a new agent can use.
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface CreateAgentData {
  knowledges: { id: string; name: string }[];
}

export async function data({ request }: DataContext): Promise<CreateAgentData> {
  const teamId = teamRef(request);
  const { data } = await request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 });
  return { knowledges: data };
}
