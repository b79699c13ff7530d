// One knowledge base with its documents and its running task.

import type { DataContext } from "#web/render/page-definition.ts";
import type { Knowledge } from "#web/request/api-types.ts";
import { teamRef } from "#web/request/current-team.ts";
import { type KnowledgeState, readKnowledgeState } from "../knowledge-state.ts";

export interface KnowledgeData {
  knowledge: Knowledge;
  state: KnowledgeState;
}

export async function data({ request, routeParams }: DataContext): Promise<KnowledgeData> {
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const [knowledge, state] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id }),
    readKnowledgeState(request.api.get, teamId, id, request.timeZone),
  ]);
  return { knowledge, state };
}
