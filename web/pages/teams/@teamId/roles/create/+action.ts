// Creates a role of the team.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText, formTexts } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("roles:nameMissing") } };
  const permissions = formTexts(form, "permissions");
  if (permissions.length === 0) return { errors: { permissions: t("roles:permissionsMissing") } };
  await request.api.send("POST", "/v1/roles", {}, { teamId: currentTeam(request).id, name, permissions });
  return { redirect: teamPath(request, "roles"), toast: { title: t("roles:create.done") } };
};
