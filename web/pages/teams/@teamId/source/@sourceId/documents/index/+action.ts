// Reads a source again, or stops what is being read.
import type { Action } from "../../../../../../../renderer/action.ts";
import { currentTeam } from "../../../../../../../server/current-team.ts";
import { formText } from "../../../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const path = `/v1/teams/${currentTeam(request).id}/sources/${encodeURIComponent(routeParams.sourceId ?? "")}/index`;
  const stop = formText(form, "form") === "stop";
  await request.api.send(stop ? "DELETE" : "POST", path, stop ? undefined : {});
  return {
    redirect: request.url.pathname,
    toast: { title: t(stop ? "documents:stopping" : "documents:queued") },
  };
};
