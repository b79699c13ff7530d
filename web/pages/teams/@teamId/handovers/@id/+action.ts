// Answers or closes a handover, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const one = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  const { send } = request.api;
  if (formText(form, "form") === "close") {
    await send("POST", "/v1/teams/{teamId}/handovers/{id}/close", one);
    return { redirect: teamPath(request, "handovers"), toast: { title: t("handovers:close.done") } };
  }
  const content = formText(form, "content");
  if (!content) return { errors: { content: t("handovers:answer.missing") } };
  const seen = formText(form, "seen") || "none";
  try {
    await send("POST", "/v1/teams/{teamId}/handovers/{id}/answer", one, { content }, seen);
  } catch (error) {
    const isAnswered = error instanceof ApiFailure && error.code === "CHANGED_MEANWHILE";
    if (!isAnswered) throw error;
    return { errors: { content: t("handovers:answer.meanwhile") } };
  }
  return { redirect: request.url.pathname, toast: { title: t("handovers:answer.done") } };
};
