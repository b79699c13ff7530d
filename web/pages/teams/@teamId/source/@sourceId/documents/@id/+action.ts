// Saves a document's language, or re-indexes the document, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const { sourceId = "", id = "" } = routeParams;
  const document = { teamId: currentTeam(request).id, sourceId, id };
  if (formText(form, "form") === "index") {
    await request.api.send("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", document);
    return { redirect: request.url.pathname, toast: { title: t("documents:documentQueued") } };
  }
  // Empty means that it is detected.
  const language = formText(form, "language") || null;
  await request.api.send("PUT", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}", document, {
    language,
  });
  return { redirect: request.url.pathname, toast: { title: t("documents:language.saved") } };
};
