// Changes or deletes a role of the team, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { teamPath } from "#web/request/current-team.ts";
import { formText, formTexts } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const role = { id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/roles/{id}", role);
    return { redirect: teamPath(request, "roles"), toast: { title: t("roles:delete.done") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("roles:nameMissing") } };
  const permissions = formTexts(form, "permissions");
  if (permissions.length === 0) return { errors: { permissions: t("roles:permissionsMissing") } };
  await request.api.send("PUT", "/v1/roles/{id}", role, { name, permissions });
  return { redirect: teamPath(request, "roles"), toast: { title: t("app:toast.saved") } };
};
