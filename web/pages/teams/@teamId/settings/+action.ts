// Renames the team, or deletes it. The hidden field `form` tells which.
import type { Action } from "../../../../renderer/action.ts";
import { ApiFailure } from "../../../../server/api-failure.ts";
import type { Team } from "../../../../server/api-types.ts";
import { TEAM_COOKIE } from "../../../../server/cookies.ts";
import { currentTeam } from "../../../../server/current-team.ts";
import { formText } from "../../../../server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id, name: oldName } = currentTeam(request);
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{id}", { id });
    request.cookies.delete(TEAM_COOKIE);
    return { redirect: "/teams", toast: { title: t("teamSettings:delete.done", { name: oldName }) } };
  }
  const [name, codename] = [formText(form, "name"), formText(form, "codename").toLowerCase()];
  if (!name) return { errors: { name: t("teams:create.nameMissing") } };
  let team: Team;
  try {
    team = await request.api.send("PUT", "/v1/teams/{id}", { id }, { name, codename });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "CONFLICT") throw error;
    return { errors: { codename: t("teamSettings:name.taken") } };
  }
  return { redirect: `/teams/${team.codename}/settings`, toast: { title: t("app:toast.saved") } };
};
