// A source, what is being done with it, its first documents, and with ?check=1 what the service itself says it would give.

import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { isOpen, type Task } from "../../../../../browser/task-state.ts";
import type { DataContext } from "../../../../../renderer/page-definition.ts";
import { ApiFailure } from "../../../../../server/api-failure.ts";
import type { Source } from "../../../../../server/api-types.ts";
import { may, teamRef } from "../../../../../server/current-team.ts";
import type { DataRequest } from "../../../../../server/request-scope.ts";

type Line = AnswerOf<"POST", "/v1/teams/{teamId}/sources/test">["data"][number];
type DocumentRow = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents">["data"][number];

export interface SourceData {
  source: Source;
  /** What is at work on it now. */
  task: Task | null;
  /** What was, newest first. */
  history: Task[];
  documents: DocumentRow[];
  hasMore: boolean;
  /** What would be read; a sentence where the service refused; null where it was not asked. */
  preview: { lines: Line[] } | { problem: string } | null;
  /** The team's knowledges, and whether each has this source. */
  knowledges: { id: string; name: string; sourceIds: string[] }[];
  agents: { id: string; name: string }[];
}

const shownDocuments = 10;
const shownTasks = 5;

export async function data({ request, routeParams }: DataContext): Promise<SourceData> {
  const { get } = request.api;
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const [source, tasks, documents, knowledges, preview] = await Promise.all([
    get("/v1/teams/{teamId}/sources/{id}", { teamId, id }),
    get("/v1/teams/{teamId}/tasks", { teamId, sourceId: id, perPage: shownTasks + 3 }),
    get("/v1/teams/{teamId}/sources/{sourceId}/documents", { teamId, sourceId: id, perPage: shownDocuments }),
    get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    request.url.searchParams.has("check") ? previewOf(request, teamId, id) : null,
  ]);
  const agents =
    source.type === "agentChat"
      ? (await get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 })).data
      : [];
  return {
    source,
    task: tasks.data.find(isOpen) ?? null,
    history: tasks.data.filter((task) => !isOpen(task)).slice(0, shownTasks),
    documents: documents.data,
    hasMore: documents.lastKey !== null,
    preview,
    knowledges: knowledges.data.map(({ id, name, sourceIds }) => ({ id, name, sourceIds })),
    agents: agents.map(({ id, name }) => ({ id, name })),
  };
}

async function previewOf(request: DataRequest, teamId: string, id: string) {
  if (!may(await request.viewer, "sources.write")) return null;
  try {
    const path = "/v1/teams/{teamId}/sources/test";
    return { lines: (await request.api.send("POST", path, { teamId }, { id })).data };
  } catch (error) {
    if (error instanceof ApiFailure && [400, 429, 502].includes(error.status))
      return { problem: error.message };
    throw error;
  }
}
