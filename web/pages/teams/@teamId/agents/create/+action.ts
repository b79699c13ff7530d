// Creates the agent and opens it.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("agents:nameMissing") } };
  const instructions = formText(form, "instructions");
  const knowledgeId = formText(form, "knowledgeId");
  const agent = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/agents",
    { teamId: currentTeam(request).id },
    {
      name,
      ...(instructions ? { instructions } : {}),
      ...(knowledgeId && knowledgeId !== "none" ? { knowledgeIds: [knowledgeId] } : {}),
    },
  );
  return {
    redirect: teamPath(request, `agents/${agent.id}`),
    toast: { title: t("agents:create.done"), description: t("agents:create.doneText", { name: agent.name }) },
  };
};
