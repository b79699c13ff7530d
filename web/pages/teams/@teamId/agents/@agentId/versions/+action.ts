// Publishes a draft, which may run its tests first, or restores an earlier version.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const place = { teamId: currentTeam(request).id, id: routeParams.agentId ?? "" };
  const versionId = formText(form, "versionId");
  const home = teamPath(request, `agents/${place.id}`);
  if (formText(form, "form") === "restore") {
    const path = "/v1/teams/{teamId}/agents/{id}/versions/{versionId}/restore";
    const { restoredFrom: number } = await request.api.send("POST", path, { ...place, versionId });
    return { redirect: `${home}/versions`, toast: { title: t("agentTests:versions.restored", { number }) } };
  }
  const published = await request.api.send("POST", "/v1/teams/{teamId}/agents/{id}/publish", place, {
    versionId,
  });
  if ("runId" in published)
    return { redirect: `${home}/tests/${published.runId}`, toast: { title: t("agentTests:run.begun") } };
  const { number } = published;
  return { redirect: `${home}/versions`, toast: { title: t("agentTests:run.published", { number }) } };
};
