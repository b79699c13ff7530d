// Saves a knowledge's settings, has it indexed again, or deletes it. The hidden field `form` tells which.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formNumber, formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const knowledge = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{teamId}/knowledges/{id}", knowledge);
    return { redirect: teamPath(request, "knowledges"), toast: { title: t("knowledges:delete.done") } };
  }
  if (formText(form, "form") === "index") {
    await request.api.send("POST", "/v1/teams/{teamId}/knowledges/{id}/index", knowledge);
    return { redirect: request.url.pathname, toast: { title: t("knowledges:reindex.done") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("knowledges:nameMissing") } };
  await request.api.send("PUT", "/v1/teams/{teamId}/knowledges/{id}", knowledge, {
    name,
    description: formText(form, "description"),
    language: formText(form, "language"),
    chunking: {
      maxTokens: formNumber(form, "chunking.maxTokens"),
      overlapTokens: formNumber(form, "chunking.overlapTokens"),
    },
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
