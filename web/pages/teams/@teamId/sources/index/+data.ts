// A page of the team's sources.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { Sorting } from "../../../../../components/sorting.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type SourcesData = AnswerOf<"GET", "/v1/teams/{teamId}/sources">;

export const sorting = new Sorting(["createdAt", "name", "status", "syncedAt"], "-createdAt");

export async function data({ request }: PageContextServer): Promise<SourcesData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/sources", {
    teamId: currentTeam(request).id,
    name: searchParams.get("name") ?? undefined,
    sort: sorting.in(request.url),
    page: searchParams.get("page") ?? undefined,
  });
}
