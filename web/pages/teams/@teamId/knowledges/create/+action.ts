// Makes an empty knowledge and opens it.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("knowledges:nameMissing") } };
  const { id } = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/knowledges",
    { teamId: currentTeam(request).id },
    { name, language: request.locale },
  );
  return { redirect: teamPath(request, `knowledges/${id}`) };
};
