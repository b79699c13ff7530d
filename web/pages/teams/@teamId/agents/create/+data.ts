// The knowledges that a new agent can be given.
import type { PageContextServer } from "vike/types";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface CreateAgentData {
  knowledges: { id: string; name: string }[];
}

export async function data({ request }: PageContextServer): Promise<CreateAgentData> {
  const teamId = currentTeam(request).id;
  const { data } = await request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 });
  return { knowledges: data };
}
