// A source and its documents, in the order in which they came.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../../../browser/api-calls.ts";
import type { Source } from "../../../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../../../server/current-team.ts";

type Documents = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents">;
export type DocumentRow = Documents["data"][number];

export interface DocumentsData extends Documents {
  source: Source;
}

export async function data({ request, routeParams }: PageContextServer): Promise<DocumentsData> {
  const teamId = currentTeam(request).id;
  const { sourceId = "" } = routeParams;
  const lastKey = request.url.searchParams.get("lastKey") ?? undefined;
  const [source, documents] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/sources/{id}", { teamId, id: sourceId }),
    request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents", {
      teamId,
      sourceId,
      perPage: 50,
      lastKey,
    }),
  ]);
  return { ...documents, source };
}
