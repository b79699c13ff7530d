// The same source at its other address.
import { redirect } from "vike/abort";
import type { PageContextServer } from "vike/types";
import { currentTeam, teamPath } from "../../../../../../server/current-team.ts";

export async function data({ request, routeParams }: PageContextServer): Promise<never> {
  const source = { teamId: currentTeam(request).id, id: routeParams.sourceId ?? "" };
  const { id } = await request.api.get("/v1/teams/{teamId}/sources/{id}", source);
  throw redirect(teamPath(request, `sources/${id}`));
}
