// Makes an empty knowledge and opens it.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("knowledges:nameMissing") } };
  const { id } = await request.api.send<{ id: string }>(
    "POST",
    `/v1/teams/${currentTeam(request).id}/knowledges`,
    { name, language: request.locale },
  );
  return { redirect: teamPath(request, `knowledges/${id}`) };
};
