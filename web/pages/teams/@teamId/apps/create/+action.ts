// Creates the app and opens it, where the Slack install starts.
import type { Action } from "#web/renderer/action.ts";
import { currentTeam, teamPath } from "#web/server/current-team.ts";
import { formText } from "#web/server/form-text.ts";
import { audienceOf } from "../audience.ts";

export const action: Action = async ({ request, form, t }) => {
  const teamId = currentTeam(request).id;
  const agentId = formText(form, "agentId");
  const agent = await request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id: agentId });
  const name = formText(form, "name") || t("apps:create.defaultName", { agent: agent.name });
  const app = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/apps",
    { teamId },
    { type: "slack", agentId, name: name.slice(0, 200), audience: audienceOf(formText(form, "audience")) },
  );
  return { redirect: teamPath(request, `apps/${app.id}`) };
};
