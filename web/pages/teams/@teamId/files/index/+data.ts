// A page of the team's files.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type FilesData = AnswerOf<"GET", "/v1/teams/{teamId}/files">;
export type FileRow = FilesData["data"][number];

export async function data({ request }: PageContextServer): Promise<FilesData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/files", {
    teamId: currentTeam(request).id,
    name: searchParams.get("name") ?? undefined,
    type: searchParams.get("type") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
