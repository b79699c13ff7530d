// Renames or deletes the team, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { TEAM_COOKIE } from "#web/request/cookies.ts";
import { currentTeam } from "#web/request/current-team.ts";
import { formText, formVersion } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id, name: oldName } = currentTeam(request);
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{id}", { id });
    request.cookies.delete(TEAM_COOKIE);
    return { redirect: "/teams", toast: { title: t("teamSettings:delete.done", { name: oldName }) } };
  }
  const [name, codename] = [formText(form, "name"), formText(form, "codename").toLowerCase()];
  if (!name) return { errors: { name: t("teams:create.nameMissing") } };
  const changes = { name, codename };
  const team = await request.api.send("PUT", "/v1/teams/{id}", { id }, changes, formVersion(form));
  return { redirect: `/teams/${team.codename}/settings`, toast: { title: t("app:toast.saved") } };
};
