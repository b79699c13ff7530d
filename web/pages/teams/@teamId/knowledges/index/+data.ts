// A page of the team's knowledges, filtered by name.
import type { PageContextServer } from "vike/types";
import type { Knowledge, List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type KnowledgesData = List<Knowledge>;

export async function data({ request }: PageContextServer): Promise<KnowledgesData> {
  const { searchParams } = request.url;
  return await request.api.get<List<Knowledge>>(`/v1/teams/${currentTeam(request).id}/knowledges`, {
    name: searchParams.get("name") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
