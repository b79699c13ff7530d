// Saves a document's language; empty means that it is detected.
import type { Action } from "#web/render/action.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const { sourceId = "", id = "" } = routeParams;
  await request.api.send(
    "PUT",
    "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}",
    { teamId: currentTeam(request).id, sourceId, id },
    { language: formText(form, "language") || null },
  );
  return { redirect: request.url.pathname, toast: { title: t("documents:language.saved") } };
};
