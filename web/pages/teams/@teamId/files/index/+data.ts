// A page of the team's files.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

export type FilesData = AnswerOf<"GET", "/v1/teams/{teamId}/files">;
export type FileRow = FilesData["data"][number];

export const sorting = new Sorting(["createdAt", "name", "size"], "-createdAt");

export async function data({ request }: DataContext): Promise<FilesData> {
  const { searchParams } = request.url;
  return await request.api.get("/v1/teams/{teamId}/files", {
    teamId: teamRef(request),
    name: searchParams.get("name") ?? undefined,
    type: searchParams.get("type") ?? undefined,
    sort: sorting.in(request.url),
    page: searchParams.get("page") ?? undefined,
  });
}
