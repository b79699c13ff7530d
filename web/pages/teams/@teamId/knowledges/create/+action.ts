// Creates an empty knowledge base, which the API names, and opens it.
import { documentLanguageOf } from "#locales/registry.ts";
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form }) => {
  const agentId = formText(form, "agentId") || undefined;
  const { id } = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/knowledges",
    { teamId: currentTeam(request).id },
    { language: documentLanguageOf(request.locale), agentId },
  );
  return { redirect: teamPath(request, `knowledges/${id}${agentId ? `?agentId=${agentId}` : ""}`) };
};
