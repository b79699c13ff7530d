// Deletes a file, and with it the document that was made of it.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";

export const action: Action = async ({ request, routeParams, t }) => {
  const file = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  await request.api.send("DELETE", "/v1/teams/{teamId}/files/{id}", file);
  return { redirect: teamPath(request, "files"), toast: { title: t("files:delete.done") } };
};
