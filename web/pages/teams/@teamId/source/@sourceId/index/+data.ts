// Redirects to the source's other address.
import { Redirection } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamPath, teamRef } from "#web/request/current-team.ts";

export async function data({ request, routeParams }: DataContext): Promise<Redirection> {
  const source = { teamId: teamRef(request), id: routeParams.sourceId ?? "" };
  const { id } = await request.api.get("/v1/teams/{teamId}/sources/{id}", source);
  return new Redirection(teamPath(request, `sources/${id}`));
}
