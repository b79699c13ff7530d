// A page of the team's knowledges, filtered by name.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type KnowledgesData = AnswerOf<"GET", "/v1/teams/{teamId}/knowledges">;

export async function data({ request }: PageContextServer): Promise<KnowledgesData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/knowledges", {
    teamId: currentTeam(request).id,
    name: searchParams.get("name") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
