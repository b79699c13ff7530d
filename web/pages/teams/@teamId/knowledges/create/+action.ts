// Makes an empty knowledge and opens it.
import { documentLanguageOf } from "#locales/registry.ts";
import type { Action } from "#web/renderer/action.ts";
import { currentTeam, teamPath } from "#web/server/current-team.ts";
import { formText } from "#web/server/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("knowledges:nameMissing") } };
  const { id } = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/knowledges",
    { teamId: currentTeam(request).id },
    { name, language: documentLanguageOf(request.locale) },
  );
  return { redirect: teamPath(request, `knowledges/${id}`) };
};
