// One knowledge base with its documents, its running task, its sources, and those that it could be given.

import type { DataContext } from "#web/render/page-definition.ts";
import type { Knowledge, Source } from "#web/request/api-types.ts";
import { type Choices, choicesForViewer, noChoices } from "#web/request/choices.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import { type KnowledgeState, readKnowledgeState } from "../knowledge-state.ts";

export interface KnowledgeData {
  knowledge: Knowledge;
  state: KnowledgeState;
  /** Its sources by name: none for those who may not see them. */
  sources: Source[];
  choices: Choices<"sources">;
}

export async function data({ request, routeParams }: DataContext): Promise<KnowledgeData> {
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const { get } = request.api;
  const knowledge = get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id });
  const viewer = await request.viewer;
  const readSources = async () => {
    const { sourceIds } = await knowledge;
    if (sourceIds.length === 0 || !may(viewer, "sources.read")) return [];
    const query = { teamId, ids: sourceIds.join(","), perPage: 100, sort: "name" } as const;
    return (await get("/v1/teams/{teamId}/sources", query)).data;
  };
  const chosen = [request.form?.get("source")?.toString()];
  const [read, state, sources, choices] = await Promise.all([
    knowledge,
    readKnowledgeState(get, teamId, id, request.timeZone),
    readSources(),
    may(viewer, "knowledges.write") ? choicesForViewer("sources", request, chosen) : noChoices("sources"),
  ]);
  return { knowledge: read, state, sources, choices };
}
