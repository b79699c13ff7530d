// A source, its tasks, its first documents, and with ?check=1 what the service itself offers.

import type { AnswerOf } from "#web/client/api-calls.ts";
import { isOpen, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import type { Source, SourceType } from "#web/request/api-types.ts";
import { type Choices, noAgents, teamAgents } from "#web/request/choices.ts";
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
  /** The team's knowledge bases, with the sources of each. */
  knowledges: { id: string; name: string; sourceIds: string[] }[];
  agents: Choices;
  /** For a source of written answers: the answers, and the members who can own one. */
  written: { entries: Entries; members: { id: string; name: string }[] } | null;
}

const shownDocuments = 10;
const shownTasks = 5;
const shownSkipped = 20;

export async function data({ request, routeParams }: DataContext): Promise<SourceData> {
  const { get } = request.api;
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const [source, types, tasks, skipped, documents, knowledges, preview] = await Promise.all([
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
    get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    request.url.searchParams.has("check") ? previewOf(request, teamId, id) : null,
  ]);
  const type = types.find((one) => one.type === source.type);
  if (!type) throw new Error(`the API lists no source of type ${source.type}`);
  const saved = typeof source.config.agentId === "string" ? source.config.agentId : undefined;
  const agents = hasAgentSetting(type) ? await teamAgents(request, [saved, chosenAgent(request)]) : noAgents;
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
    knowledges: knowledges.data.map(({ id, name, sourceIds }) => ({ id, name, sourceIds })),
    agents,
  };
}

async function loadEntries(request: DataRequest, teamId: string, id: string): Promise<SourceData["written"]> {
  const { searchParams } = request.url;
  const [entries, members] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/sources/{id}/entries", {
      teamId,
      id,
      question: searchParams.get("question") ?? undefined,
      page: searchParams.get("page") ?? undefined,
    }),
    may(await request.viewer, "users.read")
      ? request.api.get("/v1/teamUsers/{id}/users", { id: teamId, perPage: 100 })
      : { data: [] },
  ]);
  const people = members.data.flatMap(({ userId, name, email, status }) =>
    userId && status === "accepted" ? [{ id: userId, name: name ?? email }] : [],
  );
  return { entries, members: people };
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
