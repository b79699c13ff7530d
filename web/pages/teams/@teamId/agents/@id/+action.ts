// Saves an agent's settings, or deletes it. The hidden field `form` tells which.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const agent = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{teamId}/agents/{id}", agent);
    return { redirect: teamPath(request, "agents"), toast: { title: t("agents:delete.done") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("agents:nameMissing") } };
  await request.api.send("PUT", "/v1/teams/{teamId}/agents/{id}", agent, {
    name,
    description: formText(form, "description"),
    instructions: formText(form, "instructions"),
    greeting: formText(form, "greeting"),
    suggestedPrompts: formText(form, "suggestedPrompts")
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean),
    visibility: formText(form, "visibility"),
    knowledgeIds: form.getAll("knowledgeIds").filter((id) => typeof id === "string"),
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
