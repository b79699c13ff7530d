// One file with an address that shows it for a few minutes.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type FileData = AnswerOf<"GET", "/v1/teams/{teamId}/files/{id}">;

export async function data({ request, routeParams }: PageContextServer): Promise<FileData> {
  const file = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  return await request.api.get("/v1/teams/{teamId}/files/{id}", file);
}
