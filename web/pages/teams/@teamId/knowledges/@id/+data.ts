// One knowledge base with its documents, its running task, its sources, and those that it could be given.

import type { DataContext } from "#web/render/page-definition.ts";
import type { Knowledge, Source } from "#web/request/api-types.ts";
import { type Choices, choicesForViewer, noChoices } from "#web/request/choices.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";
import { type AskingAgent, askingAgent } from "../for-agent.ts";
import { type KnowledgeState, readKnowledgeState } from "../knowledge-state.ts";

export interface KnowledgeData {
  knowledge: Knowledge;
  state: KnowledgeState;
  /** Its sources by name: none for those who may not see them. */
  sources: Source[];
  choices: Choices<"sources">;
  /** The agent that it was just created for. */
  agent: AskingAgent | null;
}

export async function data({ request, routeParams }: DataContext): Promise<KnowledgeData> {
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const { get } = request.api;
  const [{ knowledge, sources }, state, choices, agent] = await Promise.all([
    readWithSources(request, { teamId, id }),
    readKnowledgeState(get, teamId, id, request.timeZone),
    choicesForWriter(request),
    askingAgent(request),
  ]);
  return {
    knowledge,
    state,
    sources,
    choices,
    agent: agent?.knowledgeIds.includes(knowledge.id) ? agent : null,
  };
}

async function readWithSources(
  { api: { get }, viewer, locale }: DataRequest,
  one: { teamId: string; id: string },
): Promise<Pick<KnowledgeData, "knowledge" | "sources">> {
  const knowledge = await get("/v1/teams/{teamId}/knowledges/{id}", one);
  const { sourceIds } = knowledge;
  if (sourceIds.length === 0 || !may(await viewer, "sources.read")) return { knowledge, sources: [] };
  // The API takes a hundred ids at a time.
  const parts = [sourceIds.slice(0, 100), sourceIds.slice(100, 200)].filter((part) => part.length > 0);
  const lists = await Promise.all(
    parts.map((part) => {
      const query = { teamId: one.teamId, ids: part.join(","), perPage: 100, sort: "name" } as const;
      return get("/v1/teams/{teamId}/sources", query);
    }),
  );
  const byName = new Intl.Collator(locale, { numeric: true });
  const sources = lists.flatMap(({ data }) => data).sort((a, b) => byName.compare(a.name, b.name));
  return { knowledge, sources };
}

async function choicesForWriter(request: DataRequest): Promise<Choices<"sources">> {
  if (!may(await request.viewer, "knowledges.write")) return noChoices("sources");
  return await choicesForViewer("sources", request, [request.form?.get("source")?.toString()]);
}
