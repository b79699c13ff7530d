// Renames a key, changes its role, or revokes it, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const key = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "revoke") {
    await request.api.send("DELETE", "/v1/teams/{teamId}/apiKeys/{id}", key);
    return { redirect: teamPath(request, "apiKeys"), toast: { title: t("apiKeys:revoke.done") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("apiKeys:nameMissing") } };
  await request.api.send("PUT", "/v1/teams/{teamId}/apiKeys/{id}", key, {
    name,
    roleId: formText(form, "roleId"),
  });
  return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
};
