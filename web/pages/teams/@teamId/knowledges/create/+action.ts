// Creates an empty knowledge base, which the API names, and opens it.
import { documentLanguageOf } from "#locales/registry.ts";
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";

export const action: Action = async ({ request }) => {
  const { id } = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/knowledges",
    { teamId: currentTeam(request).id },
    { language: documentLanguageOf(request.locale) },
  );
  return { redirect: teamPath(request, `knowledges/${id}`) };
};
