// Re-indexes a source or one of its documents, or stops the indexing.
import type { Action } from "#web/render/action.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const source = { teamId: currentTeam(request).id, id: routeParams.sourceId ?? "" };
  if (formText(form, "form") === "document") {
    await request.api.send("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", {
      teamId: source.teamId,
      sourceId: source.id,
      id: formText(form, "document"),
    });
    return {
      redirect: request.url.pathname + request.url.search,
      toast: { title: t("documents:documentQueued") },
    };
  }
  const stop = formText(form, "form") === "stop";
  await request.api.send(stop ? "DELETE" : "POST", "/v1/teams/{teamId}/sources/{id}/index", source);
  return {
    redirect: request.url.pathname,
    toast: { title: t(stop ? "documents:stopping" : "documents:queued") },
  };
};
