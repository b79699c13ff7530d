// Creates the app and opens it, where the Slack install starts.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { findChosen } from "#web/request/find-chosen.ts";
import { formText } from "#web/request/form-text.ts";
import { audienceOf } from "../audience.ts";

/** In the API. */
const LONGEST_NAME = 200;

export const action: Action = async ({ request, form, t }) => {
  const teamId = currentTeam(request).id;
  const agentId = formText(form, "agentId");
  const { get } = request.api;
  const agent = await findChosen(get("/v1/teams/{teamId}/agents/{id}", { teamId, id: agentId }));
  if (!agent) return { errors: { agentId: t("errors:refusals.missing") } };
  const name =
    formText(form, "name") || t("apps:create.defaultName", { agent: agent.name }).slice(0, LONGEST_NAME);
  const app = await request.api.send(
    "POST",
    "/v1/teams/{teamId}/apps",
    { teamId },
    { type: "slack", agentId, name, audience: audienceOf(formText(form, "audience")) },
  );
  return { redirect: teamPath(request, `apps/${app.id}`) };
};
