// Saves a knowledge's name and language, or deletes it. The hidden field `form` tells which.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const knowledge = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{teamId}/knowledges/{id}", knowledge);
    return { redirect: teamPath(request, "knowledges"), toast: { title: t("knowledges:delete.done") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("knowledges:nameMissing") } };
  await request.api.send("PUT", "/v1/teams/{teamId}/knowledges/{id}", knowledge, {
    name,
    description: formText(form, "description"),
    language: formText(form, "language"),
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
