// Saves an agent's settings, or deletes it. The hidden field `form` tells which.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formLines, formNumber, formText } from "../../../../../server/form-text.ts";

const modes = ["hybrid", "vector", "text"] as const;

export const action: Action = async ({ request, form, routeParams, t }) => {
  const agent = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{teamId}/agents/{id}", agent);
    return { redirect: teamPath(request, "agents"), toast: { title: t("agents:delete.done") } };
  }
  if (formText(form, "form") === "embed") {
    const allowedOrigins = formText(form, "allowedOrigins").split(/\s+/).filter(Boolean);
    await request.api.send("PUT", "/v1/teams/{teamId}/agents/{id}", agent, { allowedOrigins });
    return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("agents:nameMissing") } };
  await request.api.send("PUT", "/v1/teams/{teamId}/agents/{id}", agent, {
    name,
    description: formText(form, "description"),
    instructions: formText(form, "instructions"),
    greeting: formText(form, "greeting"),
    suggestedPrompts: formLines(form, "suggestedPrompts"),
    visibility: formText(form, "visibility"),
    model: formText(form, "model"),
    temperature: formNumber(form, "temperature"),
    retrieval: {
      topK: formNumber(form, "retrieval.topK"),
      minScore: formNumber(form, "retrieval.minScore"),
      mode: modes.find((mode) => mode === formText(form, "retrieval.mode")) ?? "hybrid",
    },
    knowledgeIds: form.getAll("knowledgeIds").filter((id) => typeof id === "string"),
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
