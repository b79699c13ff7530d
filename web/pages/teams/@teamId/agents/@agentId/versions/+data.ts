// An agent's versions, newest first, with the live one for comparison, and the names of the knowledge bases.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";

export type Versions = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/versions">;
export type Version = Versions["data"][number];

export interface VersionsData {
  agent: Agent;
  versions: Versions;
  knowledges: { id: string; name: string }[];
}

export async function data({ request, routeParams }: DataContext): Promise<VersionsData> {
  const teamId = teamRef(request);
  const place = { teamId, id: routeParams.agentId ?? "" };
  const page = Number(request.url.searchParams.get("page")) || 1;
  const [agent, versions, knowledges] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents/{id}", place),
    request.api.get("/v1/teams/{teamId}/agents/{id}/versions", { ...place, page }),
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
  ]);
  return { agent, versions, knowledges: knowledges.data.map(({ id, name }) => ({ id, name })) };
}
