// One agent, and the installation's public address.
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";
import { env } from "#web/request/env.ts";

export interface AppearanceData {
  agent: Agent;
  /** Such as https://parley.example. */
  origin: string;
}

export async function data({ request, routeParams }: DataContext): Promise<AppearanceData> {
  const place = { teamId: teamRef(request), id: routeParams.agentId ?? "" };
  const agent = await request.api.get("/v1/teams/{teamId}/agents/{id}", place);
  return { agent, origin: new URL(env.WEB_URL).origin };
}
