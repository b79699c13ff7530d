// A source has no page of its own: its documents are what there is to see.
import { redirect } from "vike/abort";
import type { PageContextServer } from "vike/types";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";

export async function data({ request, routeParams }: PageContextServer): Promise<never> {
  const id = encodeURIComponent(routeParams.id ?? "");
  await request.api.get(`/v1/teams/${currentTeam(request).id}/sources/${id}`);
  throw redirect(teamPath(request, `source/${id}/documents`));
}
