// An agent's versions, newest first, with the live one for comparison, and the names of the knowledge bases.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { choiceNames } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

export type Versions = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/versions">;
export type Version = Versions["data"][number];

export interface VersionsData {
  agent: Agent;
  versions: Versions;
  /** The names of the knowledge bases, by id. */
  names: Record<string, string>;
}

export async function data({ request, routeParams }: DataContext): Promise<VersionsData> {
  const teamId = teamRef(request);
  const place = { teamId, id: routeParams.agentId ?? "" };
  const page = Number(request.url.searchParams.get("page")) || 1;
  const [agent, versions] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents/{id}", place),
    request.api.get("/v1/teams/{teamId}/agents/{id}/versions", { ...place, page }),
  ]);
  const ids = [agent, ...versions.data.map(({ settings }) => settings)].flatMap(
    (one) => one.knowledgeIds ?? [],
  );
  return { agent, versions, names: Object.fromEntries(await choiceNames("knowledges", request, ids)) };
}
