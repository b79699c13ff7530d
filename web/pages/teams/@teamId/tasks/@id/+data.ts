// One task, what it works on, and related tasks.

import { readTask, type Task } from "#web/client/task-state.ts";
import { NotFound } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { may, teamPath, teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";
import type { Viewer } from "#web/request/viewer.ts";
import type { FailedDocument } from "./FailedDocuments.tsx";

export interface TaskData {
  task: Task;
  about: { name: string; href: string } | null;
  /** Newest first, without this one. */
  others: Task[];
  /** Its documents that have failed. */
  failed: FailedDocument[];
  /** Sources with more failed documents than are shown. */
  moreFailed: string[];
  /** Whether the reader may stop or repeat it. */
  mayAct: boolean;
  /** Whether the reader may retry its documents. */
  mayRetry: boolean;
}

const shownFailures = 10;
/** A knowledge base has few sources; the lists of further ones show their failures. */
const askedSources = 5;

export async function data({ request, routeParams }: DataContext): Promise<TaskData | NotFound> {
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const { get } = request.api;
  const [task, viewer] = await Promise.all([readTask(get, teamId, id, request.timeZone), request.viewer]);
  if (!task) return new NotFound();
  const { sourceId, knowledgeId } = task;
  const [about, recent, failures] = await Promise.all([
    aboutOf(request, viewer, task),
    get("/v1/teams/{teamId}/tasks", {
      teamId,
      sourceId,
      knowledgeId,
      perPage: 11,
      timeZone: request.timeZone,
    }),
    may(viewer, "sources.read") ? failuresOf(request, viewer, task) : { failed: [], moreFailed: [] },
  ]);
  const permission = task.knowledgeId ? "knowledges.write" : "sources.write";
  return {
    task,
    about,
    others: recent.data.filter((other) => other.id !== task.id).slice(0, 10),
    ...failures,
    mayAct: may(viewer, permission),
    mayRetry: may(viewer, "sources.write"),
  };
}

/** The failed documents of a task's sources, or the task's one document. */
async function failuresOf(request: DataRequest, viewer: Viewer, task: Task) {
  const teamId = teamRef(request);
  const { get } = request.api;
  const { sourceId, knowledgeId, documentId } = task;
  const sourceIds = sourceId
    ? [sourceId]
    : knowledgeId && may(viewer, "knowledges.read")
      ? (await get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: knowledgeId })).sourceIds
      : [];
  const path = "/v1/teams/{teamId}/sources/{sourceId}/documents";
  const pages = await Promise.all(
    sourceIds
      .slice(0, askedSources)
      .map((sourceId) => get(path, { teamId, sourceId, status: "failed", perPage: shownFailures })),
  );
  const failed = pages
    .flatMap(({ data }) => data)
    .filter(({ id }) => documentId === undefined || id === documentId)
    .map(({ id, sourceId, title, error }): FailedDocument => ({ id, sourceId, title, error }));
  const moreFailed = sourceIds.filter((_id, at) => pages[at]?.lastKey);
  return { failed, moreFailed: documentId ? [] : moreFailed };
}

async function aboutOf(request: DataRequest, viewer: Viewer, task: Task) {
  const teamId = teamRef(request);
  const { get } = request.api;
  if (task.knowledgeId && may(viewer, "knowledges.read")) {
    const { id, name } = await get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: task.knowledgeId });
    return { name, href: teamPath(request, `knowledges/${id}`) };
  }
  if (!task.sourceId || !may(viewer, "sources.read")) return null;
  const sourceId = task.sourceId;
  if (task.documentId) {
    const path = "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}";
    const { id, title } = await get(path, { teamId, sourceId, id: task.documentId });
    return { name: title, href: teamPath(request, `source/${sourceId}/documents/${id}`) };
  }
  const { id, name } = await get("/v1/teams/{teamId}/sources/{id}", { teamId, id: sourceId });
  return { name, href: teamPath(request, `sources/${id}`) };
}
