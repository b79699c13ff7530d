// A page of the team's agents, filtered by name.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type AgentsData = AnswerOf<"GET", "/v1/teams/{teamId}/agents">;

export async function data({ request }: PageContextServer): Promise<AgentsData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/agents", {
    teamId: currentTeam(request).id,
    name: searchParams.get("name") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
