// Creates the team, remembers it as the current one, and opens the first steps.
import type { Action } from "#web/render/action.ts";
import { COOKIE_DAYS, TEAM_COOKIE } from "#web/request/cookies.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("teams:create.nameMissing") } };
  const team = await request.api.send("POST", "/v1/teams", {}, { name });
  request.cookies.set(TEAM_COOKIE, team.id, COOKIE_DAYS.team);
  return { redirect: "/onboarding" };
};
