// Reads a source again, or stops what is being read.
import type { Action } from "../../../../../../../renderer/action.ts";
import { currentTeam } from "../../../../../../../server/current-team.ts";
import { formText } from "../../../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const source = { teamId: currentTeam(request).id, id: routeParams.sourceId ?? "" };
  const stop = formText(form, "form") === "stop";
  await request.api.send(stop ? "DELETE" : "POST", "/v1/teams/{teamId}/sources/{id}/index", source);
  return {
    redirect: request.url.pathname,
    toast: { title: t(stop ? "documents:stopping" : "documents:queued") },
  };
};
