// A page of the team's files.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";
import type { Storage } from "../StorageUse.tsx";

export type FilesData = AnswerOf<"GET", "/v1/teams/{teamId}/files"> & { storage: Storage };
export type FileRow = FilesData["data"][number];

export const sorting = new Sorting(["createdAt", "name", "size"], "-createdAt");

export async function data({ request }: DataContext): Promise<FilesData> {
  const { searchParams } = request.url;
  const { get } = request.api;
  const teamId = teamRef(request);
  const [files, storage] = await Promise.all([
    get("/v1/teams/{teamId}/files", {
      teamId,
      name: searchParams.get("name") ?? undefined,
      type: searchParams.get("type") ?? undefined,
      sort: sorting.in(request.url),
      page: searchParams.get("page") ?? undefined,
    }),
    get("/v1/teams/{teamId}/storage", { teamId }),
  ]);
  return { ...files, storage };
}
