// A source and its documents, with the search, filters and sort order of the address.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Source } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";
import { Sorting } from "#web/ui/sorting.ts";

type Documents = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents">;
export type DocumentRow = Documents["data"][number];

export interface DocumentsData extends Documents {
  source: Source;
}

/** The query parameters that filter the list. */
export const documentFilters = ["search", "status"];
export const documentStates = ["ready", "failed", "queued", "indexing", "stale", "stopped", "none"] as const;
export const sorting = new Sorting(["createdAt", "title", "updatedAt"], "createdAt");

export async function data({ request, routeParams }: DataContext): Promise<DocumentsData> {
  const teamId = teamRef(request);
  const { sourceId = "" } = routeParams;
  const { searchParams } = request.url;
  const wanted = searchParams.get("status");
  const [source, documents] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/sources/{id}", { teamId, id: sourceId }),
    request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents", {
      teamId,
      sourceId,
      perPage: 50,
      search: searchParams.get("search") ?? undefined,
      // The address may be mistyped: an unknown status is ignored.
      status: documentStates.find((state) => state === wanted),
      sort: sorting.in(request.url),
      lastKey: searchParams.get("lastKey") ?? undefined,
    }),
  ]);
  return { ...documents, source };
}
