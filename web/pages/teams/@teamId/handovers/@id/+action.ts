// Answers or closes a handover, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const one = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  const { get, send } = request.api;
  if (formText(form, "form") === "close") {
    await send("POST", "/v1/teams/{teamId}/handovers/{id}/close", one);
    return { redirect: teamPath(request, "handovers"), toast: { title: t("handovers:close.done") } };
  }
  const content = formText(form, "content");
  if (!content) return { errors: { content: t("handovers:answer.missing") } };
  const { status, updatedAt } = await get("/v1/teams/{teamId}/handovers/{id}", one);
  if (status !== "closed" && formText(form, "seen") !== updatedAt)
    return { errors: { content: t("handovers:answer.meanwhile") } };
  await send("POST", "/v1/teams/{teamId}/handovers/{id}/answer", one, { content });
  return { redirect: request.url.pathname, toast: { title: t("handovers:answer.done") } };
};
