// Redirects to Slack, where the install is approved. Reached by a link, since our policy does not let a form redirect
// to another site.
import { Redirection } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { teamPath, teamRef } from "#web/request/current-team.ts";
import { challengeOf } from "../slack-install.ts";

export async function data({ request, routeParams }: DataContext): Promise<Redirection> {
  const id = routeParams.id ?? "";
  const app = await request.api.get("/v1/teams/{teamId}/apps/{id}", { teamId: teamRef(request), id });
  const challenge = challengeOf(request.cookies);
  const begun = await request.api
    .send("POST", "/v1/integration/slack/{agentId}", { agentId: app.agentId }, { appId: id, challenge })
    .catch((error: unknown) => {
      if (error instanceof ApiFailure && error.code === "UNAVAILABLE") return undefined;
      throw error;
    });
  return new Redirection(begun ? begun.installUrl : teamPath(request, `apps/${id}?slack=unavailable`));
}
