// A page of the team's sources.
import type { PageContextServer } from "vike/types";
import type { List, Source } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type SourcesData = List<Source>;

export async function data({ request }: PageContextServer): Promise<SourcesData> {
  const { searchParams } = request.url;
  return await request.api.get<List<Source>>(`/v1/teams/${currentTeam(request).id}/sources`, {
    name: searchParams.get("name") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
