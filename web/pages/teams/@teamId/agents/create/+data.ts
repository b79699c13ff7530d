// The knowledges that a new agent can be given.
import type { PageContextServer } from "vike/types";
import type { List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface CreateAgentData {
  knowledges: { id: string; name: string }[];
}

export async function data({ request }: PageContextServer): Promise<CreateAgentData> {
  const path = `/v1/teams/${currentTeam(request).id}/knowledges`;
  const { data } = await request.api.get<List<{ id: string; name: string }>>(path, { perPage: 100 });
  return { knowledges: data };
}
