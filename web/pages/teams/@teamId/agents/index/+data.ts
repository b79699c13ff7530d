// A page of the team's agents, filtered by name.
import type { PageContextServer } from "vike/types";
import type { Agent, List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type AgentsData = List<Agent>;

export async function data({ request }: PageContextServer): Promise<AgentsData> {
  const team = currentTeam(request);
  const { searchParams } = request.url;
  return await request.api.get<List<Agent>>(`/v1/teams/${team.id}/agents`, {
    name: searchParams.get("name") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
