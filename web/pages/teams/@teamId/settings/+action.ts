// Renames or deletes the team, by the hidden field `form`.
import { isChangedMeanwhile } from "#web/browser/failure-words.ts";
import type { Action } from "#web/renderer/action.ts";
import { ApiFailure } from "#web/server/api-failure.ts";
import type { Team } from "#web/server/api-types.ts";
import { TEAM_COOKIE } from "#web/server/cookies.ts";
import { currentTeam } from "#web/server/current-team.ts";
import { formText, formVersion } from "#web/server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id, name: oldName } = currentTeam(request);
  if (formText(form, "form") === "delete") {
    await request.api.send("DELETE", "/v1/teams/{id}", { id });
    request.cookies.delete(TEAM_COOKIE);
    return { redirect: "/teams", toast: { title: t("teamSettings:delete.done", { name: oldName }) } };
  }
  const [name, codename] = [formText(form, "name"), formText(form, "codename").toLowerCase()];
  if (!name) return { errors: { name: t("teams:create.nameMissing") } };
  let team: Pick<Team, "codename">;
  try {
    team = await request.api.send("PUT", "/v1/teams/{id}", { id }, { name, codename }, formVersion(form));
  } catch (error) {
    const isTaken = error instanceof ApiFailure && error.code === "CONFLICT" && !isChangedMeanwhile(error);
    if (!isTaken) throw error;
    return { errors: { codename: t("teamSettings:name.taken") } };
  }
  return { redirect: `/teams/${team.codename}/settings`, toast: { title: t("app:toast.saved") } };
};
