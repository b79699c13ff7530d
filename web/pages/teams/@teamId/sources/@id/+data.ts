// A source, its tasks, its first documents, and with ?check=1 what the service itself offers.

import type { AnswerOf } from "#web/client/api-calls.ts";
import { isOpen, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import type { Source, SourceType } from "#web/request/api-types.ts";
import { type Choices, choicesForViewer, noChoices, teamChoices } from "#web/request/choices.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";
import { chosenAgent } from "../source-form.ts";
import { hasAgentSetting, sourceTypes } from "../source-types.ts";
import type { Skipped } from "./SourceSkipped.tsx";

type Line = AnswerOf<"POST", "/v1/teams/{teamId}/sources/test">["data"][number];
type DocumentRow = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents">["data"][number];

export type Entries = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{id}/entries">;

export interface SourceData {
  source: Source;
  /** Its connector's declaration. */
  type: SourceType;
  /** Its running task. */
  task: Task | null;
  /** Its earlier tasks, newest first. */
  history: Task[];
  documents: DocumentRow[];
  hasMore: boolean;
  /** A page of what was skipped. */
  skipped: Skipped;
  /** What a sync would read; a sentence when the service refused; null when it was not asked. */
  preview: { lines: Line[] } | { problem: string } | null;
  /** The knowledge bases that use it, and those to choose from. */
  usedBy: { id: string; name: string }[];
  knowledges: Choices<"knowledges">;
  agents: Choices;
  /** For a source of written answers: the answers, and the members who can own one. */
  written: { entries: Entries; members: Choices } | null;
}

const shownDocuments = 10;
const shownTasks = 5;
const shownSkipped = 20;

export async function data({ request, routeParams }: DataContext): Promise<SourceData> {
  const { get } = request.api;
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const [source, types, tasks, skipped, documents, usedBy, knowledges, preview] = await Promise.all([
    get("/v1/teams/{teamId}/sources/{id}", { teamId, id }),
    sourceTypes(request.api),
    get("/v1/teams/{teamId}/tasks", {
      teamId,
      sourceId: id,
      perPage: shownTasks + 3,
      timeZone: request.timeZone,
    }),
    get("/v1/teams/{teamId}/sources/{id}/skipped", {
      teamId,
      id,
      perPage: shownSkipped,
      page: request.url.searchParams.get("skipped") ?? undefined,
    }),
    get("/v1/teams/{teamId}/sources/{sourceId}/documents", { teamId, sourceId: id, perPage: shownDocuments }),
    request.viewer.then(async (viewer) =>
      may(viewer, "knowledges.read")
        ? await get("/v1/teams/{teamId}/knowledges", { teamId, sourceId: id, perPage: 100 })
        : { data: [] },
    ),
    choicesForViewer("knowledges", request, [request.form?.get("knowledge")?.toString()]),
    request.url.searchParams.has("check") ? previewOf(request, teamId, id) : null,
  ]);
  const type = types.find((one) => one.type === source.type);
  if (!type) throw new Error(`the API lists no source of type ${source.type}`);
  const saved = typeof source.config.agentId === "string" ? source.config.agentId : undefined;
  const agents = hasAgentSetting(type)
    ? await teamChoices("agents", request, [saved, chosenAgent(request)])
    : noChoices("agents");
  const written = type.type === "qa" ? await loadEntries(request, teamId, id) : null;
  return {
    source,
    written,
    type,
    task: tasks.data.find(isOpen) ?? null,
    history: tasks.data.filter((task) => !isOpen(task)).slice(0, shownTasks),
    documents: documents.data,
    skipped,
    hasMore: documents.lastKey !== null,
    preview,
    usedBy: usedBy.data.map(({ id, name }) => ({ id, name })),
    knowledges,
    agents,
  };
}

async function loadEntries(request: DataRequest, teamId: string, id: string): Promise<SourceData["written"]> {
  const { searchParams } = request.url;
  const reading = request.api.get("/v1/teams/{teamId}/sources/{id}/entries", {
    teamId,
    id,
    question: searchParams.get("question") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
  const chosen = request.form?.get("ownerId")?.toString();
  const owners = reading.then(({ data }) => [chosen, ...data.map(({ owner }) => owner?.id)]);
  const [entries, members] = await Promise.all([reading, choicesForViewer("members", request, owners)]);
  return { entries, members };
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
